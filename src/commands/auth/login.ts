import { canAsk } from "../../argv/confirm.ts";
import { begin, settled, type Wanted } from "../../credentials/asking.ts";
import { keyOf } from "../../credentials/keyplace.ts";
import { Usage } from "../../errors.ts";
import { type LocalChange, local } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { trial, tryKey } from "./try-key.ts";

interface Options {
  withKey?: boolean;
  username?: string;
  store?: "keychain" | "file";
}

export async function login(
  context: Context,
  { withKey, username, store = "keychain" }: Options,
): Promise<LocalChange> {
  const { world, flags } = context;
  const wanted: Wanted = {
    username,
    otherwise: world.env.ZULIP_EMAIL,
    whose: {
      question: (site) => `E-mail address on ${site}`,
      lacking: () =>
        new Usage("missing required flag: --username", { hint: "Pass the account's e-mail address with --username." }),
    },
    fromStdin: withKey ? "--with-key" : undefined,
    unasked: () =>
      new Usage("missing required flag: --with-key", { hint: 'Run "zulipctl auth login --help" for usage.' }),
    store,
  };
  if (!withKey && !canAsk(world, flags)) throw wanted.unasked();
  return local(
    async () => {
      const { site, username: email, secret, asks, keep } = await begin(context, wanted);
      const typed = await secret(`API key of ${email} on ${site.site}`);
      return keep(await tryKey(context, site, email, keyOf(typed.reveal(), asks ? "what was typed" : "stdin")));
    },
    async () => trial(context, (await settled(context, wanted)).site),
  );
}

import { Usage } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import { resolveNewSite } from "../../shell/accounts.ts";
import type { Context } from "../../shell/context.ts";
import { keyOf } from "../../shell/keyplace.ts";
import { knownEmail, makeProfile, nameFor } from "../../shell/login.ts";
import { lineOf } from "../../shell/text.ts";
import { tryKey, tryLater } from "./try-key.ts";

interface Options {
  username?: string;
  store?: "keychain" | "file";
}

export async function login(context: Context, { username, store = "keychain" }: Options): Promise<Changed> {
  const { world, flags } = context;
  const site = await resolveNewSite(world, flags);
  const name = nameFor(flags, site);
  const email = username ?? (await knownEmail(world, flags)) ?? world.env.ZULIP_EMAIL;
  if (!email)
    throw new Usage("whose key it is, is not said", { hint: "Name the account's e-mail address with --username." });
  if (flags.dryRun) return tryLater(context, site);
  const key = keyOf(await lineOf(world, "--with-key"), "stdin");
  return makeProfile(world, name, site, store, () => tryKey(context, site, email, key));
}

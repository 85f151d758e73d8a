import { fetchKey, getServerSettings } from "../../api/server.ts";
import { type Begun, begin, settled, type Wanted } from "../../credentials/asking.ts";
import type { Login } from "../../credentials/login.ts";
import { Failure, Unreachable, Usage } from "../../errors.ts";
import type { Context } from "../../run/context.ts";
import { type LocalChange, local } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import { Secret } from "../../world.ts";

interface Options {
  username?: string;
  passwordStdin?: boolean;
  store?: "keychain" | "file";
  print?: boolean;
}

export async function fetch(context: Context, options: Options): Promise<LocalChange> {
  if (options.print && options.store)
    throw new Usage("--print cannot be combined with --store: --print stores nothing", {
      hint: "Pass only one of them.",
    });
  const wanted: Wanted = {
    username: options.username,
    whose: {
      question: (site) => `User name on ${site}`,
      lacking: () => new Usage("missing required flag: --username", { hint: "Pass the account with --username." }),
    },
    fromStdin: options.passwordStdin ? "--password-stdin" : undefined,
    unasked: () => new Usage("password required: stdin is not a terminal. Pass it on stdin with --password-stdin."),
    store: options.print ? undefined : (options.store ?? "keychain"),
  };
  return local(
    async () => {
      const begun = await begin(context, wanted);
      const login = await obtain(context, begun);
      if (!options.print) return begun.keep(login);
      const key = login.key.reveal();
      return {
        kind: "change",
        sentence: key,
        answer: { site: begun.site.site, email: login.email, user_id: login.userId, api_key: key },
        ids: [],
      };
    },
    async () => {
      const { site, username } = await settled(context, wanted);
      return { server: context.at(site), call: call(fetchKey, { username, password: "" }) };
    },
  );
}

/** Below feature level 76 a wrong password has no code; a page that is not the server's has none either. */
const isWrong = (error: unknown): error is Failure =>
  error instanceof Failure &&
  !(error instanceof Unreachable) &&
  (error.details.code === "AUTHENTICATION_FAILED" ||
    (error.details.code === undefined && error.details.httpStatus === 403));

/** A person may mistype a password twice; nothing that a program gave is sent again. */
async function obtain({ at, warn }: Context, { site, username, secret, asks }: Begun): Promise<Login> {
  const server = at(site);
  // Nobody types a password for a server that cannot be reached, or is none.
  if (asks) await server.call(getServerSettings, {});
  for (let left = asks ? 2 : 0; ; left--) {
    const password = await secret(`Password of ${username} on ${site.site}`);
    if (!password.reveal()) throw new Usage("no password given");
    try {
      const { api_key, email, user_id } = await server.call(fetchKey, { username, password: password.reveal() });
      return { email, key: new Secret(api_key), userId: user_id ?? null };
    } catch (error) {
      if (!isWrong(error) || left === 0) throw error;
      await warn(`zulipctl: ${error.message}`);
    }
  }
}

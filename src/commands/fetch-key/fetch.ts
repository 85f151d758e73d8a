import { fetchKey, getServerSettings } from "../../api/server.ts";
import type { Login } from "../../credentials/login.ts";
import { type LoginOptions, type PreparedLogin, prepareLogin, withoutPrompts } from "../../credentials/prompting.ts";
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
  const login: LoginOptions = {
    username: options.username,
    usernamePrompt: "User name",
    stdinFlag: options.passwordStdin ? "--password-stdin" : undefined,
    missingSecret: () =>
      new Usage("password required: stdin is not a terminal. Pass it on stdin with --password-stdin."),
    store: options.print ? undefined : (options.store ?? "keychain"),
  };
  return local(
    async () => {
      const prepared = await prepareLogin(context, login);
      const fetched = await obtain(context, prepared);
      if (!options.print) return prepared.keep(fetched);
      const key = fetched.key.reveal();
      return {
        kind: "change",
        sentence: key,
        answer: { site: prepared.site.site, email: fetched.email, user_id: fetched.userId, api_key: key },
        ids: [],
      };
    },
    async () => {
      const { site, username } = await withoutPrompts(context, login);
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
async function obtain({ at, warn }: Context, { site, username, secret, canPrompt }: PreparedLogin): Promise<Login> {
  const server = at(site);
  // Nobody types a password for a server that cannot be reached, or is none.
  if (canPrompt) await server.call(getServerSettings, {});
  for (let left = canPrompt ? 2 : 0; ; left--) {
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

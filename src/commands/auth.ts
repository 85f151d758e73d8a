import { fetchKey, getServerSettings } from "../api/server.ts";
import { getOwnUser } from "../api/users.ts";
import { canPrompt } from "../argv/confirm.ts";
import { noun } from "../cli/noun.ts";
import { optionalOperand, type RawFlags, withDefault } from "../cli/parameter.ts";
import { choice, path, text, toggle } from "../cli/value-parameters.ts";
import { rawCustomVerb } from "../cli/verbs-with-code.ts";
import type { Site } from "../client/sending-types.ts";
import { fromZuliprc } from "../credentials/accounts.ts";
import { parseKey } from "../credentials/key-location.ts";
import { confirmReplace, type Login, saveProfile, testStorage } from "../credentials/login.ts";
import { profileName } from "../credentials/profiles.ts";
import {
  type LoginOptions,
  type PreparedLogin,
  passwordRequired,
  prepareLogin,
  prompt,
  withoutPrompts,
} from "../credentials/prompting.ts";
import { parseSite } from "../credentials/site.ts";
import { Failure, NeedsLogin, Unreachable, Usage } from "../errors.ts";
import { changed } from "../output/form.ts";
import { programLine } from "../output/line.ts";
import { type Context, type LocalChange, localChange } from "../run/context.ts";
import { call } from "../wire/call.ts";
import { Secret } from "../world/world.ts";
import { profileNoun } from "./profile.ts";

const store = withDefault("keychain", choice(["keychain", "file"], "where to keep the key", "place"));

const use = withDefault("only if there is none", toggle("make it the current profile"));

const loginFlags = {
  withKey: toggle("use an API key: read from the first line of stdin; prompts at a terminal"),
  passwordStdin: toggle("use a password, read from the first line of stdin"),
  username: text("the account's e-mail address", "e-mail"),
  store,
  use,
};

const fetchFlags = {
  username: text("usually an e-mail address", "name"),
  passwordStdin: toggle("read the password from the first line of stdin"),
  store,
  use,
  print: toggle("write the key to stdout and store nothing"),
};

/** Checks that the server accepts the key. Throws `NeedsLogin` if not. */
async function tryKey({ connectAs }: Context, { site, tls }: Site, email: string, key: Secret): Promise<Login> {
  try {
    const { user_id } = await connectAs({ site, tls, email, key: async () => key }).call(getOwnUser, {});
    return { email, key, userId: user_id };
  } catch (error) {
    // `auth status` cannot help before login.
    if (error instanceof NeedsLogin)
      error.details.hint = `Nothing was saved. ${email} finds the key in the settings of the app, under Account & privacy.`;
    throw error;
  }
}

/** The request of `tryKey`, for a dry run. */
const keyCheck = ({ connectAs }: Context, { site, tls }: Site) => ({
  server: connectAs({ site, tls }),
  call: call(getOwnUser, {}),
});

/** Prompts at a terminal for missing flags. */
async function login(
  context: Context,
  { withKey, passwordStdin, ...options }: RawFlags<typeof loginFlags>,
): Promise<LocalChange> {
  const { world, flags } = context;
  if (withKey && passwordStdin) throw new Usage("--with-key cannot be combined with --password-stdin");
  if (passwordStdin) return fetch(context, { ...options, passwordStdin });
  const byKey = await loginByKey(context, { ...options, withKey });
  if (withKey || !canPrompt(world, flags)) return byKey;
  const question = "Log in with your password, or with an API key? (password/key)";
  const make = async () => {
    const method = await prompt(context, question, (answer) => {
      const word = ["password", "key"].find((each) => each.startsWith(answer.toLowerCase()));
      if (word === undefined) throw new Usage(`invalid answer "${answer}": must be password or key`);
      return word;
    });
    return (method === "key" ? byKey : await fetch(context, options)).make();
  };
  return { ...byKey, make };
}

async function loginByKey(
  context: Context,
  { withKey, username, store = "keychain", use }: Omit<RawFlags<typeof loginFlags>, "passwordStdin">,
): Promise<LocalChange> {
  const { world, flags } = context;
  const options: LoginOptions = {
    username,
    defaultUsername: world.env.ZULIP_EMAIL,
    usernamePrompt: "E-mail address",
    stdinFlag: withKey ? "--with-key" : undefined,
    missingSecret: () =>
      new Usage("missing required flag: --with-key or --password-stdin", {
        hint: 'Run "zulipctl auth login --help" for usage.',
      }),
    store,
    use,
  };
  if (!withKey && !canPrompt(world, flags)) throw options.missingSecret();
  return localChange(
    async () => {
      const { site, username: email, secret, canPrompt, save } = await prepareLogin(context, options);
      const key = await secret(`API key of ${email} on ${site.site}`);
      return save(await tryKey(context, site, email, parseKey(key.reveal(), canPrompt ? "what was typed" : "stdin")));
    },
    async () => keyCheck(context, (await withoutPrompts(context, options)).site),
  );
}

async function importZuliprc(
  context: Context,
  { store = "keychain", use }: { store?: "keychain" | "file"; use?: boolean | undefined },
  file?: string,
): Promise<LocalChange> {
  const { world, flags } = context;
  if (file !== undefined && flags.zuliprc !== undefined && file !== flags.zuliprc)
    throw new Usage(`${file} and --zuliprc ${flags.zuliprc} are two different files`, {
      hint: "Pass only one of them.",
    });
  const path = file ?? flags.zuliprc ?? `${world.directories.home}/.zuliprc`;
  const account = await fromZuliprc(world, flags, path, "auth import");
  if (flags.site !== undefined && parseSite(flags.site, "--site") !== account.site)
    throw new Usage(`--site is ${flags.site}, but ${path} is for ${account.site}`, { hint: "Remove --site." });
  if (flags.profile !== undefined) profileName(flags.profile, "--profile");
  const make = async () => {
    const agreed = await confirmReplace(world, flags, account);
    await testStorage(world, store);
    const login = await tryKey(context, account, account.email, await account.key());
    return saveProfile(world, flags, account, store, login, { confirmed: agreed, use });
  };
  return localChange(make, async () => keyCheck(context, account));
}

async function fetch(context: Context, options: RawFlags<typeof fetchFlags>): Promise<LocalChange> {
  const other = options.store ? "--store" : options.use && "--use";
  if (options.print && other)
    throw new Usage(`--print cannot be combined with ${other}: --print stores nothing`, {
      hint: "Pass only one of them.",
    });
  const login: LoginOptions = {
    username: options.username,
    use: options.use,
    usernamePrompt: "User name",
    stdinFlag: options.passwordStdin ? "--password-stdin" : undefined,
    missingSecret: passwordRequired,
    store: options.print ? undefined : (options.store ?? "keychain"),
  };
  return localChange(
    async () => {
      const prepared = await prepareLogin(context, login);
      const fetched = await fetchByPassword(context, prepared);
      if (!options.print) return prepared.save(fetched);
      const key = fetched.key.reveal();
      return {
        ...changed(key, { site: prepared.site.site, email: fetched.email, user_id: fetched.userId, api_key: key }),
        onlyCopy: { what: "the key", hint: "Nothing is stored. Run the command again." },
      };
    },
    async () => {
      const { site, username } = await withoutPrompts(context, login);
      return { server: context.connectAs(site), call: call(fetchKey, { username, password: "" }) };
    },
  );
}

/** Below feature level 76 a wrong password has no code. Neither has a page of a proxy. */
const isWrongPassword = (error: unknown): error is Failure =>
  error instanceof Failure &&
  !(error instanceof Unreachable) &&
  (error.details.code === "AUTHENTICATION_FAILED" ||
    (error.details.code === undefined && error.details.httpStatus === 403));

/** Allows two mistyped passwords at a terminal. Passwords of programs are sent once. */
async function fetchByPassword(
  { connectAs, warn }: Context,
  { site, username, secret, canPrompt }: PreparedLogin,
): Promise<Login> {
  const server = connectAs(site);
  // Checks that the server answers before prompting for a password.
  if (canPrompt) await server.call(getServerSettings, {});
  for (let retries = canPrompt ? 2 : 0; ; retries--) {
    const password = await secret(`Password of ${username} on ${site.site}`);
    if (!password.reveal()) throw new Usage("no password given");
    try {
      const { api_key, email, user_id } = await server.call(fetchKey, { username, password: password.reveal() });
      return { email, key: new Secret(api_key), userId: user_id ?? null };
    } catch (error) {
      if (!isWrongPassword(error) || retries === 0) throw error;
      await warn(programLine(error.message));
    }
  }
}

/** The meaning of two global flags for new profiles. */
const profileNote =
  "--site names the organization, --profile the profile (default: the host of the site, with a number if another account has that name). At a terminal, zulipctl prompts for anything missing.";

export const fetchKeyVerb = rawCustomVerb({
  doc: "Get an API key with a password, and save it as a profile",
  operations: ["fetch-key"],
  asks: "sometimes",
  local: true,
  flags: fetchFlags,
  note: profileNote,
  examples: ["zulipctl fetch-key --site https://chat.example.com --username ada@example.com"],
  run: async () => fetch,
});

export const authNoun = noun("Credentials: which are used, and where they come from", {
  status: rawCustomVerb({
    doc: "Show the account in use, where its credentials come from, and whether the server accepts them",
    operations: ["users.me"],
    examples: ["zulipctl auth status"],
    run: async () => (await import("./auth/status.ts")).authStatus,
    organizations: true,
  }),

  login: rawCustomVerb({
    doc: "Create a profile from a password or an API key",
    operations: ["users.me", "fetch-key"],
    asks: "sometimes",
    local: true,
    flags: loginFlags,
    note: profileNote,
    examples: ["cat key | zulipctl auth login --with-key --site https://chat.example.com --username ada@example.com"],
    run: async () => login,
  }),

  import: rawCustomVerb({
    doc: "Create a profile from a zuliprc",
    operations: ["users.me"],
    local: true,
    asks: "sometimes",
    operands: { zuliprc: optionalOperand(withDefault("~/.zuliprc", path("the file", "zuliprc"))) },
    flags: { store, use },
    examples: ["zulipctl auth import ~/Downloads/zuliprc --profile work"],
    run: async () => importZuliprc,
  }),

  switch: {
    ...profileNoun.verbs.use,
    doc: "Switch to a profile: another name of profile use",
    examples: ["zulipctl auth switch work"],
  },

  logout: rawCustomVerb({
    doc: "Remove the current profile and its key",
    operations: ["users.me", "users.me.regenerate-key"],
    asks: "sometimes",
    local: true,
    flags: {
      revoke: toggle("make the key useless everywhere: replace it on the server, and do not save the new one"),
    },
    note: "Without --revoke, the key still works. At a terminal, zulipctl asks before it removes its only copy.",
    examples: ["zulipctl auth logout", "zulipctl auth logout --revoke"],
    run: async () => (await import("./profile/remove.ts")).logout,
  }),
});

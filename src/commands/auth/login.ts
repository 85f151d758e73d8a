import { getOwnUser } from "../../api/users.ts";
import { canAsk } from "../../argv/confirm.ts";
import type { Site } from "../../client/sending.ts";
import { fromZuliprc } from "../../credentials/accounts.ts";
import { keyOf } from "../../credentials/keyplace.ts";
import { agree, type Login, makeProfile, tryKeeping } from "../../credentials/login.ts";
import { profileName } from "../../credentials/profiles.ts";
import { type LoginOptions, prepareLogin, withoutPrompts } from "../../credentials/prompting.ts";
import { siteOf } from "../../credentials/site.ts";
import { NeedsLogin, Usage } from "../../errors.ts";
import { type Context, type LocalChange, local } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import type { Secret } from "../../world.ts";

/** Asks the server whether it accepts the key; throws `NeedsLogin` where it does not. */
export async function tryKey({ at }: Context, { site, tls }: Site, email: string, key: Secret): Promise<Login> {
  try {
    const { user_id } = await at({ site, tls, email, key: async () => key }).call(getOwnUser, {});
    return { email, key, userId: user_id };
  } catch (error) {
    // There is no account in use yet that auth status could tell of.
    if (error instanceof NeedsLogin)
      error.details.hint = `Nothing was saved. ${email} finds the key in the settings of the app, under Account & privacy.`;
    throw error;
  }
}

/** The same, for a dry run to show. */
export const trial = ({ at }: Context, { site, tls }: Site) => ({
  server: at({ site, tls }),
  call: call(getOwnUser, {}),
});

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
  const options: LoginOptions = {
    username,
    defaultUsername: world.env.ZULIP_EMAIL,
    usernamePrompt: "E-mail address",
    stdinFlag: withKey ? "--with-key" : undefined,
    missingSecret: () =>
      new Usage("missing required flag: --with-key", { hint: 'Run "zulipctl auth login --help" for usage.' }),
    store,
  };
  if (!withKey && !canAsk(world, flags)) throw options.missingSecret();
  return local(
    async () => {
      const { site, username: email, secret, canPrompt, keep } = await prepareLogin(context, options);
      const typed = await secret(`API key of ${email} on ${site.site}`);
      return keep(await tryKey(context, site, email, keyOf(typed.reveal(), canPrompt ? "what was typed" : "stdin")));
    },
    async () => trial(context, (await withoutPrompts(context, options)).site),
  );
}

export async function importZuliprc(
  context: Context,
  { store = "keychain" }: { store?: "keychain" | "file" },
  file?: string,
): Promise<LocalChange> {
  const { world, flags } = context;
  if (file !== undefined && flags.zuliprc !== undefined && file !== flags.zuliprc)
    throw new Usage(`${file} and --zuliprc ${flags.zuliprc} are two different files`, {
      hint: "Pass only one of them.",
    });
  const path = file ?? flags.zuliprc ?? `${world.places.home}/.zuliprc`;
  const account = await fromZuliprc(world, flags, path, "auth import");
  if (flags.site !== undefined && siteOf(flags.site, "--site") !== account.site)
    throw new Usage(`--site is ${flags.site}, but ${path} is for ${account.site}`, { hint: "Remove --site." });
  if (flags.profile !== undefined) profileName(flags.profile, "--profile");
  const make = async () => {
    const agreed = await agree(world, flags, account);
    await tryKeeping(world, store);
    const login = await tryKey(context, account, account.email, await account.key());
    return makeProfile(world, flags, account, store, login, agreed);
  };
  return local(make, async () => trial(context, account));
}

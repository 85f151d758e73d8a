/** Prompts at a terminal for what a new profile needs and no flag says. */

import { canPrompt } from "../argv/confirm.ts";
import type { Flags } from "../argv/global-flags.ts";
import { readStdinLine } from "../argv/read-text.ts";
import type { Site } from "../client/sending-types.ts";
import { Usage } from "../errors.ts";
import { programLine } from "../output/line.ts";
import { Secret, type World } from "../world/world.ts";
import { missingSite, newSite, siteFrom } from "./accounts.ts";
import type { KeyTarget } from "./key-location.ts";
import { confirmReplace, type Login, profileEmail, saveProfile, testStorage } from "./login.ts";
import { profileName } from "./profiles.ts";

interface PromptTerminal {
  world: World;
  flags: Flags;
  /** Prints a line on stderr. */
  warn(line: string): Promise<void>;
}

export interface LoginOptions {
  /** The value of `--username`. */
  username: string | undefined;
  /** Used if neither the flag nor the profile names the account. */
  defaultUsername?: string | undefined;
  /** The text of the prompt: `E-mail address`. */
  usernamePrompt: string;
  /** The flag that reads the secret from stdin, if it is set. */
  stdinFlag: string | undefined;
  /** Thrown without that flag where zulipctl cannot prompt. */
  missingSecret: () => Usage;
  /** Where the key is stored. Absent if it is not. */
  store?: KeyTarget["store"];
  /** Makes the profile the current one. */
  use?: boolean | undefined;
}

/** All but the secret. Nothing has been sent, and the place for the key works. */
export interface PreparedLogin {
  site: Site;
  username: string;
  /** Reads the secret from stdin, or prompts for it. */
  secret(question: string): Promise<Secret>;
  canPrompt: boolean;
  save(login: Login): ReturnType<typeof saveProfile>;
}

const attempts = 3;

/** Prompts until the answer is valid. */
export async function prompt<T>(
  { world, warn }: Pick<PromptTerminal, "world" | "warn">,
  question: string,
  use: (answer: string) => Promise<T> | T,
) {
  for (let left = attempts - 1; ; left--) {
    try {
      return await use((await world.prompts.text(question)).trim());
    } catch (error) {
      if (!(error instanceof Usage) || left === 0) throw error;
      await warn(programLine(error.message));
      if (error.details.hint) await warn(error.details.hint);
    }
  }
}

const checkUsername = (username: string | undefined): string => {
  if (username) return username;
  throw new Usage("missing required flag: --username", { hint: "Pass the account with --username." });
};

interface KnownLogin {
  site: Site | undefined;
  username: string | undefined;
}

/** Reads flags, profile and environment. */
async function readKnown({ world, flags }: PromptTerminal, options: LoginOptions): Promise<KnownLogin> {
  if (flags.profile !== undefined) profileName(flags.profile, "--profile");
  const site = await newSite(world, flags);
  return { site, username: options.username ?? (await profileEmail(world, flags, site)) ?? options.defaultUsername };
}

/** Throws `Usage` for what is missing: nobody is prompted. */
function requireComplete({ site, username }: KnownLogin): { site: Site; username: string } {
  if (!site) throw missingSite();
  return { site, username: checkUsername(username) };
}

export const passwordRequired = (): Usage =>
  new Usage("password required: stdin is not a terminal. Pass it on stdin with --password-stdin.");

/** Reads the first line of stdin. Throws `Usage` for a terminal, which would show the secret. */
export async function secretFromStdin(world: World, flag: string): Promise<string> {
  if (world.stdin.isTerminal)
    throw new Usage(`${flag} cannot read from this terminal: the secret would be shown as you type`, {
      hint: "Remove the flag to be asked, or redirect stdin from a file or a pipe.",
    });
  return readStdinLine(world, flag);
}

/** For a dry run, which does not prompt. */
export const withoutPrompts = async (terminal: PromptTerminal, options: LoginOptions) =>
  requireComplete(await readKnown(terminal, options));

/** Checks flags and environment first, then tries the place for the key, then prompts. */
export async function prepareLogin(terminal: PromptTerminal, options: LoginOptions): Promise<PreparedLogin> {
  const { world, flags } = terminal;
  const { stdinFlag, store } = options;
  const prompts = canPrompt(world, flags);
  const found = await readKnown(terminal, options);
  const confirmProfile = async ({ site }: Site, email: string) =>
    store ? confirmReplace(world, flags, { site, email }) : undefined;
  let stdinSecret: Secret | undefined;
  if (!prompts) {
    const { site, username } = requireComplete(found);
    if (!stdinFlag) throw options.missingSecret();
    await confirmProfile(site, username);
    stdinSecret = new Secret(await secretFromStdin(world, stdinFlag));
  }
  if (store) await testStorage(world, store);

  const site =
    found.site ??
    (await prompt(terminal, "Address of the organization", (typed) => siteFrom(world, flags, typed, "what was typed")));
  const username =
    found.username || (await prompt(terminal, `${options.usernamePrompt} on ${site.site}`, checkUsername));
  const confirmed = await confirmProfile(site, username);
  return {
    site,
    username,
    secret: async (question) => stdinSecret ?? world.prompts.password(question),
    canPrompt: prompts,
    save: (login) => saveProfile(world, flags, site, store!, login, { confirmed, use: options.use }),
  };
}

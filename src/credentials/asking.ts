/** The conversation that makes a profile: what no flag says is asked for at a terminal. */

import { canAsk } from "../argv/confirm.ts";
import type { Flags } from "../argv/flags.ts";
import { lineOf } from "../argv/text.ts";
import type { Site } from "../client/sending.ts";
import { Usage } from "../errors.ts";
import { Secret, type World } from "../world.ts";
import { newSite, noSite, siteTyped } from "./accounts.ts";
import type { OwnPlace } from "./keyplace.ts";
import { agree, knownEmail, type Login, makeProfile, tryKeeping } from "./login.ts";
import { profileName } from "./profiles.ts";

/** What the conversation is had with. */
interface Asking {
  world: World;
  flags: Flags;
  /** One line on stderr. */
  warn(line: string): Promise<void>;
}

/** How often an answer that cannot be is asked for again. */
const tries = 3;

/** Asks until the answer is usable. */
async function asked<T>({ world, warn }: Asking, question: string, use: (said: string) => Promise<T> | T): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await use((await world.prompts.text(question)).trim());
    } catch (error) {
      if (!(error instanceof Usage) || left === 0) throw error;
      await warn(`zulipctl: ${error.message}`);
      if (error.details.hint) await warn(error.details.hint);
    }
  }
}

export interface Wanted {
  /** Whose, of the flag. */
  username: string | undefined;
  /** Whose, where neither the flag nor the profile says it. */
  otherwise?: string | undefined;
  whose: { question: (site: string) => string; lacking: () => Usage };
  /** The flag that has the secret read from stdin, where it was given. */
  fromStdin: string | undefined;
  /** Where nobody can be asked and that flag is not there. */
  unasked: () => Usage;
  /** Where to keep the key; absent where it is not kept. */
  store?: OwnPlace["store"];
}

/** Everything but the secret, known or asked for. Nothing has been sent, and a place for the key has been tried. */
export interface Begun {
  site: Site;
  username: string;
  /** Reads the secret from stdin, or asks for it. */
  secret(question: string): Promise<Secret>;
  /** The secret can be asked for again. */
  asks: boolean;
  keep(login: Login): ReturnType<typeof makeProfile>;
}

interface Said {
  site: Site | undefined;
  username: string | undefined;
}

/** What flags, profile and environment say. Throws `Usage` for what is wrong, and lacks where nobody is asked. */
async function said({ world, flags }: Asking, wanted: Wanted, asks: boolean): Promise<Said> {
  if (flags.profile !== undefined) profileName(flags.profile, "--profile");
  const site = await newSite(world, flags);
  if (!site && !asks) throw noSite();
  const username = wanted.username ?? (await knownEmail(world, flags, site)) ?? wanted.otherwise;
  if (!username && !asks) throw wanted.whose.lacking();
  return { site, username };
}

/** For a dry run, which asks nothing. */
export const settled = async (context: Asking, wanted: Wanted) =>
  (await said(context, wanted, false)) as { site: Site; username: string };

/** What flags and environment say is wrong is found first; then the place for the key is tried; then questions come. */
export async function begin(context: Asking, wanted: Wanted): Promise<Begun> {
  const { world, flags } = context;
  const { fromStdin, store, whose } = wanted;
  const asks = canAsk(world, flags);
  const { site, username } = await said(context, wanted, asks);
  if (!fromStdin && !asks) throw wanted.unasked();
  if (fromStdin && !asks && world.stdin.isTerminal)
    throw new Usage(`${fromStdin} cannot read from this terminal: the secret would be shown as you type`, {
      hint: "Remove the flag to be asked, or redirect stdin from a file or a pipe.",
    });
  const agreed = async (site: Site, email: string) =>
    store ? agree(world, flags, { site: site.site, email }) : undefined;
  // Where nobody can be asked, that is known before anything is tried.
  if (!asks) await agreed(site!, username!);
  const given = asks ? undefined : new Secret(await lineOf(world, fromStdin!));
  if (store) await tryKeeping(world, store);

  const at = site ?? (await asked(context, "Address of the organization", (said) => siteTyped(world, flags, said)));
  const account = (said: string) => {
    if (!said) throw whose.lacking();
    return said;
  };
  const name = username || (await asked(context, whose.question(at.site), account));
  const replaced = await agreed(at, name);
  return {
    site: at,
    username: name,
    secret: async (question) => given ?? world.prompts.password(question),
    asks,
    keep: (login) => makeProfile(world, flags, at, store!, login, replaced),
  };
}

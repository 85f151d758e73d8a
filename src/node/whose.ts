/** Whose names a command line is about, as far as files tell it: completion asks no keychain and needs no key. */
import { readFileSync } from "node:fs";
import { siteOf } from "../credentials/site.ts";
import { parseZuliprc } from "../credentials/zuliprc.ts";
import type { Seer } from "../resolve/names-place.ts";

type Env = Record<string, string | undefined>;

interface Configuration {
  current?: string;
  profiles?: Record<string, Partial<Seer>>;
}

/** The value of a flag that stands on the line, the last one of several. */
function given(words: readonly string[], long: string, short?: string): string | undefined {
  let value: string | undefined;
  for (const [at, word] of words.entries()) {
    if (word === "--") break;
    if (word === long || word === short) value = words[at + 1];
    else if (word.startsWith(`${long}=`)) value = word.slice(long.length + 1);
    else if (short && word.startsWith(short) && !word.startsWith("--")) value = word.slice(short.length);
  }
  return value;
}

const seer = (given: Partial<Seer> | undefined): Seer | undefined =>
  given?.site && given.email ? { site: siteOf(given.site, ""), email: given.email.trim() } : undefined;

const fromZuliprc = (path: string): Seer | undefined => seer(parseZuliprc(readFileSync(path, "utf8"), path));

/** The order is that in which commands look for credentials. What cannot be read gives nobody: commands say why. */
export function whose(
  words: readonly string[],
  { env, home, settings }: { env: Env; home: string; settings: string },
): Seer | undefined {
  const configuration = (): Configuration => JSON.parse(readFileSync(settings, "utf8"));
  const named = (name: string): Seer | undefined => {
    const { profiles = {} } = configuration();
    return seer(Object.hasOwn(profiles, name) ? profiles[name] : undefined);
  };
  try {
    const profile = given(words, "--profile", "-p");
    if (profile !== undefined) return named(profile);
    const zuliprc = given(words, "--zuliprc");
    if (zuliprc !== undefined) return fromZuliprc(zuliprc);
    const { ZULIP_SITE: site, ZULIP_EMAIL: email, ZULIP_API_KEY: key, ZULIP_API_KEY_FILE: file } = env;
    if (site || email || key || file) return seer({ site: site ?? "", email: email ?? "" });
    if (env.ZULIPCTL_PROFILE) return named(env.ZULIPCTL_PROFILE);
    if (env.ZULIP_CONFIG) return fromZuliprc(env.ZULIP_CONFIG);
    const current = currentOf(configuration);
    return current === undefined ? fromZuliprc(`${home}/.zuliprc`) : named(current);
  } catch {
    return undefined;
  }
}

function currentOf(configuration: () => Configuration): string | undefined {
  try {
    return configuration().current;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

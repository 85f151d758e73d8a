/** Profiles in the configuration file: a name, a site, an e-mail address, and the place of the key. */

import * as v from "valibot";
import type { AccountId } from "../client/sending-types.ts";
import { membersOf } from "../common/object-members.ts";
import { didYouMean, similarNames } from "../common/suggestions.ts";
import { Usage } from "../errors.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { boolean, list, object, optional, string, typeError } from "../wire/types.ts";
import type { LoadedSettings, World } from "../world/world.ts";
import { checkAccess, isSameLocation, type KeyLocation, removeKey } from "./key-location.ts";
import { parseSite } from "./site.ts";

const common = {
  site: string,
  email: string,
  ca_file: optional(string),
  client_cert: optional(string),
  client_key: optional(string),
  read_only: optional(boolean),
};

const profile = v.variant(
  "store",
  [
    object({ ...common, store: v.literal("keychain"), account: string }),
    object({
      ...common,
      store: v.literal("file"),
      // Below the configuration directory, or absolute.
      key_file: v.pipe(string, v.regex(/^(?!.*(^|[/\\])\.\.([/\\]|$))./, "must be a file, without .. in its path")),
    }),
    object({
      ...common,
      store: v.literal("command"),
      key_command: v.pipe(list(string), v.minLength(1, "must name a program")),
    }),
  ],
  "must have a store: keychain, file or command",
);

/** Profiles are checked one by one: the library's records omit names such as `constructor`. */
const document = object({
  current: optional(string),
  profiles: optional(object({})),
  log: optional(boolean),
  record_previous: optional(boolean),
});

export type Profile = v.InferOutput<typeof profile>;

/** Where somebody has an account, and its address. */
export const belongsTo = (profile: AccountId, { site, email }: AccountId): boolean =>
  profile.site === site && profile.email.toLowerCase() === email.toLowerCase();

export interface ListedProfile {
  name: string;
  profile: Profile;
  current: boolean;
}

export interface Configuration {
  current: string | undefined;
  /** In the order of creation. */
  profiles: Map<string, Profile>;
}

type Configured = Pick<World, "settings" | "files" | "stderr" | "directories" | "clock" | "onExposedFile">;

/** The members of a profile, by the place of its key. */
const keyMembers: Readonly<Record<string, string>> = { keychain: "account", file: "key_file", command: "key_command" };

/**
 * Returns what is wrong with the names of the configuration's members, at any depth. A guard that is misspelled would be
 * off without a word.
 */
function unknownKeys(loaded: unknown): string[] {
  const unknown = (where: string, value: unknown, known: readonly string[]): string[] =>
    Object.keys(membersOf(value))
      .filter((key) => !known.includes(key))
      .map((key) => {
        const spelled = key
          .replace(/(?<=[a-z])[A-Z]/g, "_$&")
          .toLowerCase()
          .replaceAll("-", "_");
        const similar = known.includes(spelled) ? spelled : similarNames(spelled, known)[0];
        return `${where}unknown key "${key}"${similar === undefined ? "" : `; did you mean "${similar}"?`}`;
      });
  const { profiles } = membersOf(loaded);
  const top = [...Object.keys(document.entries)];
  return [
    ...unknown("", loaded, top),
    ...Object.entries(membersOf(profiles)).flatMap(([name, one]) => {
      const own = keyMembers[String(membersOf(one).store)];
      const known = [...Object.keys(common), "store", ...(own === undefined ? Object.values(keyMembers) : [own])];
      return unknown(`profiles.${name}: `, one, known);
    }),
  ];
}

/** Throws `Usage` for unknown keys, and for nothing else: commands that need no profile end here too. */
export function refuseUnknownKeys(path: string, loaded: unknown): void {
  const unknown = unknownKeys(loaded);
  if (unknown.length)
    throw new Usage(`invalid configuration file ${path}: ${unknown.join("; ")}`, {
      hint: `Correct ${unknown.length > 1 ? "them" : "it"} in ${path}, or remove ${unknown.length > 1 ? "them" : "it"} there.`,
      outcome: "not_sent",
    });
}

function parseConfiguration({ path }: World["settings"], loaded: unknown): Configuration {
  const invalid = (what: string) =>
    new Usage(`invalid configuration file ${path}: ${what}`, {
      hint: "Fix the file, or remove it and create the profiles again with: zulipctl fetch-key --site <url>",
    });
  // valibot accepts a list as an object.
  const stored: unknown = membersOf(loaded).profiles;
  if (Array.isArray(loaded) || Array.isArray(stored)) throw invalid("must be an object, not a list");
  refuseUnknownKeys(path, loaded);
  const documentError = typeError(document, loaded ?? {});
  if (documentError) throw invalid(documentError);
  const profiles = new Map<string, Profile>();
  for (const [name, one] of Object.entries(membersOf(stored))) {
    const where = ["profiles", name];
    if (!namePattern.test(name)) throw invalid(`invalid profile name "${name}"`);
    if (Array.isArray(one)) throw invalid("must be an object, not a list");
    const error = typeError(profile, one, where);
    if (error) throw invalid(error);
    const found = v.parse(profile, one);
    profiles.set(name, { ...found, site: parseSite(found.site, `site of profile ${name} in ${path}`) });
  }
  const { current } = v.parse(document, loaded ?? {});
  if (current !== undefined && !profiles.has(current)) throw invalid(`current is "${current}": profile not found`);
  return { current, profiles };
}

/** Refuses a file that others can write: it contains sites, key files and commands. */
async function checkedConfiguration(world: Configured, loaded: LoadedSettings | undefined): Promise<Configuration> {
  if (loaded) await checkAccess(world, world.settings.path, loaded.access);
  return parseConfiguration(world.settings, loaded?.document);
}

/** Messages omit its value where no profile exists: with other programs, -p takes a password. */
const flag = "--profile";

const namePattern = /^[a-z0-9:][a-z0-9._:@+-]{0,199}$/i;

/** Throws `Usage` for an invalid name. `origin`: the flag or argument. */
export function profileName(name: string, origin: string): string {
  if (namePattern.test(name)) return name;
  throw new Usage(origin === flag ? `${origin}: invalid profile name` : `${origin}: invalid profile name "${name}"`, {
    hint: "A name has letters, digits and . _ : @ + -, and begins with a letter or a digit.",
  });
}

/** Lists profiles in the order of creation. */
export async function listProfiles(world: Configured): Promise<ListedProfile[]> {
  const { profiles, current } = await checkedConfiguration(world, await world.settings.load());
  return [...profiles].map(([name, profile]) => ({ name, profile, current: name === current }));
}

/** Returns the profile with a name. Undefined if there is none. */
export const profileNamed = async (world: Configured, name: string | undefined): Promise<Profile | undefined> =>
  (await listProfiles(world)).find((listed) => listed.name === name)?.profile;

/** Throws `Usage` for an unknown name, with the known ones. */
export async function findProfile(world: Configured, name: string, origin: string): Promise<ListedProfile> {
  const all = await listProfiles(world);
  return all.find((listed) => listed.name === name) ?? throwNotFound(name, origin, all);
}

function throwNotFound(name: string, origin: string, all: readonly { name: string }[]): never {
  const names = all.map((listed) => listed.name);
  const isNamed = origin !== flag || (names.length > 0 && namePattern.test(name));
  const available = `Available: ${names.join(", ")}.`;
  const similar = didYouMean(name, names);
  throw new Usage(`${origin}: ${isNamed ? `profile "${name}" not found` : "profile not found"}`, {
    hint: names.length
      ? [similar, available].filter(Boolean).join(" ")
      : "Create one with: zulipctl fetch-key --site <url>",
  });
}

/** Runs `work` under a lock. It changes the configuration and calls `save`. */
export const editProfiles = <T>(
  world: Configured,
  work: (now: Configuration, save: () => Promise<void>) => Promise<T>,
): Promise<T> =>
  world.settings.edit(async (loaded, replace) => {
    const now = await checkedConfiguration(world, loaded);
    return work(now, () =>
      replace({
        ...membersOf(loaded?.document),
        current: now.current,
        profiles: Object.fromEntries(now.profiles),
      }),
    );
  });

export const useProfile = (world: Configured, name: string): Promise<void> =>
  editProfiles(world, (now, save) => {
    if (!now.profiles.has(name)) throwNotFound(name, "<name>", namesOf(now));
    now.current = name;
    return save();
  });

/** The key stays in its place. */
export const renameProfile = (world: Configured, old: string, name: string): Promise<void> =>
  editProfiles(world, (now, save) => {
    if (!now.profiles.has(old)) throwNotFound(old, "<old>", namesOf(now));
    if (now.profiles.has(name) && name !== old)
      throw new Usage(`profile "${name}" already exists`, {
        hint: `Remove it first with: zulipctl profile rm ${name}`,
      });
    now.profiles = new Map([...now.profiles].map(([other, profile]) => [other === old ? name : other, profile]));
    if (now.current === old) now.current = name;
    return save();
  });

/** Gives the profiles of an account its new address. Returns their names. */
export const moveProfiles = (world: Configured, of: AccountId, email: string): Promise<string[]> =>
  editProfiles(world, async (now, save) => {
    const names = [...now.profiles].flatMap(([name, profile]) => (belongsTo(profile, of) ? [name] : []));
    now.profiles = new Map(
      [...now.profiles].map(([name, profile]) => [name, names.includes(name) ? { ...profile, email } : profile]),
    );
    if (names.length) await save();
    return names;
  });

const namesOf = ({ profiles }: Configuration) => [...profiles.keys()].map((name) => ({ name }));

/** Removes a key that no profile uses. */
export async function removeUnused(
  world: World,
  now: Configuration,
  location: KeyLocation,
  hint: string,
): Promise<void> {
  if (![...now.profiles.values()].some((other) => isSameLocation(other, location)))
    await removeKey(world, location, hint);
}

/**
 * Removes the key, then the profile. If removing the key fails, the profile stays. Returns the names of the other
 * profiles if it was the current one.
 */
export const removeProfile = (world: World, name: string, origin: string): Promise<string[]> =>
  editProfiles(world, async (now, save) => {
    const profile = now.profiles.get(name) ?? throwNotFound(name, origin, namesOf(now));
    now.profiles.delete(name);
    await removeUnused(
      world,
      now,
      profile,
      `Unlock it and try again; or, to leave the key there, take profile ${name} out of ${world.settings.path}.`,
    );
    const wasCurrent = now.current === name;
    if (wasCurrent) now.current = undefined;
    await save();
    return wasCurrent ? [...now.profiles.keys()] : [];
  });

/** Returns a hint about choosing a profile. */
export const choiceHint = (names: readonly string[]): string =>
  `${names.length > 1 ? "There are the profiles" : "There is the profile"} ${sanitizeLine(names.join(", "))}; choose with: zulipctl profile use ${names[0]}`;

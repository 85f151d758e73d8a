/** Profiles: a name, a site, an e-mail address and where the key lives. They are kept in the configuration file. */
import { resolve } from "node:path";
import * as v from "valibot";
import { Usage } from "../errors.ts";
import { safe } from "../output/safe.ts";
import { departure, list, object, optional, record, string } from "../wire/types.ts";
import type { Secret, Tls, World } from "../world.ts";
import { dropKey, freePlace, type KeyPlace, keep, type OwnPlace } from "./keyplace.ts";

const common = {
  site: string,
  email: string,
  ca_file: optional(string),
  client_cert: optional(string),
  client_key: optional(string),
};

const profile = v.variant(
  "store",
  [
    object({ ...common, store: v.literal("keychain"), account: string }),
    object({ ...common, store: v.literal("file"), key_file: string }),
    object({
      ...common,
      store: v.literal("command"),
      key_command: v.pipe(list(string), v.minLength(1, "must name a program")),
    }),
  ],
  "must have a store: keychain, file or command",
);

const document = object({ current: optional(string), profiles: optional(record(profile)) });

export type Profile = v.InferOutput<typeof profile>;
type Document = v.InferOutput<typeof document>;

export interface Listed {
  name: string;
  profile: Profile;
  current: boolean;
}

type Configured = Pick<World, "settings">;

function checked({ settings }: Configured, loaded: unknown): Document {
  // valibot takes a list for an object.
  const lists = Array.isArray(loaded) || Array.isArray((loaded as Document | undefined)?.profiles);
  const wrong = lists ? "it has a list where an object must be" : departure(document, loaded ?? {});
  const bad = (what: string) =>
    new Usage(`the configuration file ${settings.path} is not valid: ${what}`, {
      hint: "Correct the file, or move it away and make the profiles again with zulipctl fetch-key.",
    });
  if (wrong) throw bad(wrong);
  const found = v.parse(document, loaded ?? {});
  const odd = Object.keys(found.profiles ?? {}).find((name) => !named.test(name));
  if (odd !== undefined) throw bad(`“${odd}” is no name for a profile`);
  if (found.current !== undefined && !Object.hasOwn(found.profiles ?? {}, found.current))
    throw bad(`current is “${found.current}”, and there is no such profile`);
  return found;
}

const named = /^[a-z0-9:][a-z0-9._:@+-]{0,199}$/i;

/** Throws `Usage` for what cannot name a profile. `given` names the flag or argument. */
export function profileName(name: string, given: string): string {
  if (named.test(name)) return name;
  throw new Usage(`${given}: “${name}” is no name for a profile`, {
    hint: "A name is of letters, digits and . _ : @ + -, and begins with a letter or digit.",
  });
}

/** In the order in which they were made. */
export async function listProfiles(world: Configured): Promise<Listed[]> {
  const { profiles = {}, current } = checked(world, await world.settings.load());
  return Object.entries(profiles).map(([name, profile]) => ({ name, profile, current: name === current }));
}

/** Throws `Usage` that lists the names there are where there is none of this one. */
export async function findProfile(world: Configured, name: string, given: string): Promise<Listed> {
  const all = await listProfiles(world);
  return all.find((listed) => listed.name === name) ?? refuse(name, given, all);
}

function refuse(name: string, given: string, all: readonly { name: string }[]): never {
  const names = all.map((listed) => listed.name).join(", ");
  throw new Usage(`${given}: there is no profile “${name}”`, {
    hint: names ? `There are: ${names}` : "Make one with: zulipctl fetch-key --site <url>",
  });
}

/** Changes the profiles under the lock of the configuration file. */
const edit = (world: Configured, change: (profiles: Record<string, Profile>, current?: string) => Document) =>
  world.settings.save((present) => {
    const all = checked(world, present);
    return { ...all, ...change(all.profiles ?? {}, all.current) };
  });

/** Throws what would stand in the way of saving a profile. */
export const tryProfiles = (world: Configured): Promise<void> => edit(world, () => ({}));

/** Where a new key for this name is to be kept. Throws `Usage` where the name differs from another's in case alone. */
export async function placeFor(world: Configured, name: string, site: string, store: OwnPlace["store"]) {
  const all = await listProfiles(world);
  const twin = all.find((other) => other.name !== name && other.name.toLowerCase() === name.toLowerCase());
  if (twin)
    throw new Usage(`the profile ${twin.name} differs from ${name} in case alone`, {
      hint: "Choose another --profile.",
    });
  const places = all.map(({ profile }) => profile);
  return freePlace(store, name, site, places);
}

export interface NewProfile {
  name: string;
  site: string;
  email: string;
  tls: Tls;
  place: OwnPlace;
}

/** Keeps the key, makes the profile the current one, and forgets the key that the name had before. */
export async function saveProfile(
  world: World,
  { name, site, email, tls, place }: NewProfile,
  key: Secret,
): Promise<void> {
  await keep(world, place, key);
  let before: KeyPlace | undefined;
  // The next run may start in another directory.
  const whole = (path: string | undefined) => path && resolve(path);
  const files = { ca_file: whole(tls.ca), client_cert: whole(tls.cert), client_key: whole(tls.key) };
  try {
    await edit(world, (profiles) => {
      before = profiles[name];
      return { current: name, profiles: { ...profiles, [name]: { site, email, ...place, ...files } } };
    });
  } catch (error) {
    // No profile names the key now, but what matters is why.
    await dropKey(world, place, "").catch(() => {});
    throw error;
  }
  if (!before) return;
  await dropKey(world, before, "").catch(({ message }: Error) =>
    world.stderr.write(`${safe(`zulipctl: warning: profile ${name} is saved, but of its former key: ${message}`)}\n`),
  );
}

export async function useProfile(world: Configured, name: string): Promise<void> {
  await edit(world, (profiles) => {
    if (!Object.hasOwn(profiles, name)) refuse(name, "profile use", namesOf(profiles));
    return { current: name };
  });
}

/** The key stays where it is. */
export async function renameProfile(world: Configured, old: string, name: string): Promise<void> {
  await edit(world, (profiles, current) => {
    if (!Object.hasOwn(profiles, old)) refuse(old, "profile rename", namesOf(profiles));
    const taken = Object.keys(profiles).find((other) => other !== old && other.toLowerCase() === name.toLowerCase());
    if (taken)
      throw new Usage(`there is a profile ${taken} already`, { hint: `Remove it first: zulipctl profile rm ${taken}` });
    const renamed = Object.entries(profiles).map(([other, profile]) => [other === old ? name : other, profile]);
    return { current: current === old ? name : current, profiles: Object.fromEntries(renamed) };
  });
}

const namesOf = (profiles: Record<string, Profile>) => Object.keys(profiles).map((name) => ({ name }));

/** Also removes the key from where it is kept, and first: while that fails, the profile stays. */
export async function removeProfile(world: World, name: string, given: string): Promise<void> {
  const { profile } = await findProfile(world, name, given);
  await dropKey(
    world,
    profile,
    `Unlock it and try again; or, to leave the key there, take profile ${name} out of ${world.settings.path}.`,
  );
  await edit(world, ({ [name]: _, ...profiles }, current) => ({
    current: current === name ? undefined : current,
    profiles,
  }));
}

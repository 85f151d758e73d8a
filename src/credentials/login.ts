/** Creates profiles. All errors are found before a key or password is used. */
import { resolve } from "node:path";
import { confirm } from "../argv/confirm.ts";
import type { Flags } from "../argv/global-flags.ts";
import type { AccountId, Site } from "../client/sending-types.ts";
import { Usage } from "../errors.ts";
import { type Changed, changed } from "../output/form.ts";
import { printLine, programLine } from "../output/line.ts";
import type { Pem } from "../world/peers.ts";
import type { Secret, World } from "../world/world.ts";
import {
  isRemovable,
  isSameLocation,
  type KeyTarget,
  keyLocationText,
  newLocation,
  removeKey,
  storeKey,
  tryStore,
} from "./key-location.ts";
import {
  belongsTo,
  type Configuration,
  editProfiles,
  listProfiles,
  type Profile,
  profileName,
  profileNamed,
  removeUnused,
} from "./profiles.ts";

type Store = KeyTarget["store"];
type Profiles = Configuration["profiles"];

export interface Login {
  email: string;
  key: Secret;
  userId: number | null;
}

const accountText = ({ email, site }: AccountId): string => `${email} on ${site}`;

/** Returns whether removing a profile removes the only copy of a key that zulipctl knows. */
export async function isOnlyCopy(world: World, name: string): Promise<boolean> {
  const all = await listProfiles(world);
  const profile = all.find((listed) => listed.name === name)?.profile;
  if (!profile || !isRemovable(profile)) return false;
  return !all.some((other) => other.name !== name && belongsTo(other.profile, profile));
}

/** Returns the names of the other profiles of an account. */
export const otherProfiles = async (world: World, name: string, who: AccountId): Promise<string[]> =>
  (await listProfiles(world))
    .filter((other) => other.name !== name && belongsTo(other.profile, who))
    .map((other) => other.name);

/** Returns the e-mail address of the profile of `--profile`, if it belongs to this site. */
export async function profileEmail(
  world: World,
  { profile }: Pick<Flags, "profile">,
  site: Site | undefined,
): Promise<string | undefined> {
  const known = await profileNamed(world, profile);
  return known && (!site || known.site === site.site) ? known.email : undefined;
}

const hostOf = ({ site }: AccountId): string => new URL(site).host.replace(/[[\]]/g, "");

/** Returns a name for the account, with a number if another account has the name. */
function freeName(profiles: Profiles, who: AccountId, base = hostOf(who)): string {
  for (let n = 1; ; n++) {
    const name = profileName(n > 1 ? `${base}-${n}` : base, "--profile");
    const holder = profiles.get(name);
    if (!holder || belongsTo(holder, who)) return name;
  }
}

/** Tries to store a key and to save profiles. */
export const testStorage = (world: World, store: Store): Promise<void> =>
  editProfiles(world, async (_, save) => {
    await tryStore(world, store);
    await save();
  });

/** Returns the profile of `--profile` if it belongs to another account. */
async function holderOf(world: World, { profile: name }: Flags, who: AccountId): Promise<Profile | undefined> {
  const holder = name === undefined ? undefined : await profileNamed(world, name);
  return holder && !belongsTo(holder, who) ? holder : undefined;
}

/**
 * Asks for confirmation if `--profile` names another account's profile. Returns that profile. A user name without `@`
 * may belong to any account of the site: only the server's answer can tell.
 */
export async function confirmReplace(
  world: World,
  flags: Flags,
  who: AccountId,
  sent = false,
): Promise<Profile | undefined> {
  const holder = await holderOf(world, flags, who);
  if (!holder || (!who.email.includes("@") && holder.site === who.site)) return undefined;
  const question = {
    question: `Give profile ${flags.profile} to ${who.email}`,
    consequence: `The profile belongs to ${accountText(holder)}, whose key is forgotten.`,
  };
  await confirm(
    world,
    flags,
    question,
    { host: new URL(who.site).host },
    {
      hint: "Or choose another name with --profile.",
      ...(sent && { declined: "canceled; nothing was saved" }),
    },
  );
  return holder;
}

/** Returns a profile name from the beginning of a bot's address. */
function botName(email: string): string {
  const name = email.split("@")[0]?.replace(/[^A-Za-z0-9._+-]/g, "-") ?? "";
  return /^[A-Za-z0-9]/.test(name) ? name : `bot-${name}`;
}

interface NewProfile {
  name: string;
  site: Site;
  store: Store;
  login: Login;
}

const warnOf =
  ({ stderr }: World, what = "") =>
  async ({ message }: Error): Promise<undefined> => {
    await printLine(stderr, programLine(`warning: ${what}${message}`));
  };

/** Returns the key file of a profile, if no other account has it. */
function ownFile(now: Configuration, profile: Profile | undefined, who: AccountId): KeyTarget | undefined {
  if (profile?.store !== "file") return undefined;
  const sharing = [...now.profiles.values()].filter((other) => isSameLocation(other, profile));
  return sharing.every((each) => belongsTo(each, who)) ? { store: "file", key_file: profile.key_file } : undefined;
}

/**
 * Stores the key in the file that the account's profile has, otherwise in a new place: an old key stays until the
 * profile names the new one.
 */
async function storeInProfile(
  world: World,
  now: Configuration,
  save: () => Promise<void>,
  { name, site: { site, tls }, store, login: { email, key, userId } }: NewProfile,
): Promise<Changed> {
  const who = { site, email };
  // The next run may start in another directory.
  const absolute = (pem: Pem | undefined) => pem && resolve(pem.path);
  const files = { ca_file: absolute(tls.ca), client_cert: absolute(tls.cert), client_key: absolute(tls.key) };
  const previous = now.profiles.get(name);
  const own = store === "file" ? ownFile(now, previous, who) : undefined;
  const isKept = own && (await storeKey(world, own, key).then(() => true, warnOf(world)));
  const location = isKept ? own : newLocation(store, name, site, [...now.profiles.values()]);
  // A new key does not lift the guard of its account.
  const guard = previous?.read_only && belongsTo(previous, who) && { read_only: true };
  now.profiles.set(name, { site, email, ...location, ...files, ...guard });
  try {
    if (!isKept) await storeKey(world, location, key);
    await save();
  } catch (error) {
    // No profile names a key in a new place.
    if (!isKept) await removeKey(world, location, "").catch(() => {});
    throw error;
  }
  if (previous)
    await removeUnused(world, now, previous, "").catch(warnOf(world, `profile ${name} is saved. Its old key stays: `));
  const replacement =
    previous && (belongsTo(previous, who) ? ", replacing the former key" : `, replacing ${accountText(previous)}`);
  return changed(
    `Profile ${name}: ${accountText(who)}, the key in ${keyLocationText(world, location)}${replacement ?? ""}.`,
    { profile: name, site, email, user_id: userId, store },
  );
}

/** Stores a bot's key in its profile or a new one. The current profile stays. */
export const saveBotKey = (world: World, site: Site, store: Store, login: Login): Promise<Changed> =>
  editProfiles(world, async (now, save) => {
    const who = { site: site.site, email: login.email };
    const known = [...now.profiles].find(([, profile]) => belongsTo(profile, who))?.[0];
    const name = known ?? freeName(now.profiles, who, botName(login.email));
    return storeInProfile(world, now, save, { name, site, store, login });
  });

interface SaveOptions {
  /** The profile of another account that the user agreed to replace. */
  confirmed?: Profile | undefined;
  /** Makes it the current profile, also if there is another. */
  use?: boolean | undefined;
}

/** Stores the key in a profile. It becomes the current one if there is none. */
export async function saveProfile(
  world: World,
  flags: Flags,
  site: Site,
  store: Store,
  login: Login,
  { confirmed, use = false }: SaveOptions,
): Promise<Changed> {
  const who = { site: site.site, email: login.email };
  const replaceable = confirmed ?? (await confirmReplace(world, flags, who, true));
  return editProfiles(world, async (now, save) => {
    const name = flags.profile ?? freeName(now.profiles, who);
    const before = now.profiles.get(name);
    // Another process may have taken the name meanwhile.
    if (before && !flags.yes && !belongsTo(before, who) && !(replaceable && belongsTo(before, replaceable)))
      throw new Usage(`profile ${name} now belongs to ${accountText(before)}; nothing was saved`);
    const previous = now.current;
    if (use) now.current = name;
    else now.current ??= name;
    const { current } = now;
    const saved = await storeInProfile(world, now, save, { name, site, store, login });
    const which =
      current === name
        ? `It is ${previous === name ? "" : "now "}the current profile.`
        : `The current profile is still ${current}; switch with: zulipctl profile use ${name}`;
    return { ...saved, sentence: `${saved.sentence} ${which}` };
  });
}

const replacingHint = "zulipctl fetch-key --profile <name> --store file keeps the key in a file of your own instead.";

/** Writes the current key again and reads it back. Throws a `Failure` if a new key could not be stored. */
export const testLocation = (world: World, location: KeyTarget, key: Secret): Promise<void> =>
  editProfiles(world, () => storeKey(world, location, key, replacingHint));

interface Replaced {
  /** Profiles with the new key. Another process may have renamed them. */
  profiles: string[];
  /** Profiles of the same account with the old key in another place. */
  others: string[];
}

/** Replaces the key in its place. */
export const replaceKey = (world: World, location: KeyTarget, who: AccountId, key: Secret): Promise<Replaced> =>
  editProfiles(world, async ({ profiles }) => {
    const all = [...profiles];
    const replaced = all.filter(([, profile]) => isSameLocation(profile, location)).map(([name]) => name);
    if (!replaced.length) throw new Error("no profile keeps its key there");
    await storeKey(world, location, key, replacingHint);
    const others = all.filter(([name, profile]) => !replaced.includes(name) && belongsTo(profile, who));
    return { profiles: replaced, others: others.filter(([, { store }]) => store !== "command").map(([name]) => name) };
  });

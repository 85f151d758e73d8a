/** Stores keys of profiles: in the OS keychain, or in a file with mode 0600. A command can also print one. */
import { dirname, isAbsolute, join, normalize } from "node:path";
import { Failure, NeedsLogin, Usage } from "../errors.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { type Access, KeychainFailure, type Ran, Secret, type World } from "../world.ts";

export type KeyPlace =
  | { store: "keychain"; account: string }
  /** Absolute, or below the configuration directory. */
  | { store: "file"; key_file: string }
  | { store: "command"; key_command: string[] };

/** Places that zulipctl can write to. */
export type OwnPlace = Exclude<KeyPlace, { store: "command" }>;

type Readable = Pick<World, "files" | "stderr">;
type Keys = Pick<World, "keychain" | "files" | "settings" | "run" | "stderr" | "clock">;

/** Milliseconds: a command may ask a person to unlock something. */
const commandLimit = 30_000;

const pathOf = ({ settings }: Keys, { key_file }: { key_file: string }): string =>
  isAbsolute(key_file) ? key_file : join(dirname(settings.path), key_file);

/**
 * A place that none of `taken` is. It differs from the place of an earlier key of the same profile, so that the old
 * key stays whole until the profile names the new one.
 */
export function freePlace(store: OwnPlace["store"], name: string, site: string, taken: readonly KeyPlace[]): OwnPlace {
  const made = (n: number): OwnPlace => {
    const suffix = n > 1 ? `-${n}` : "";
    if (store === "keychain") return { store, account: `${name}${suffix} (${new URL(site).host})` };
    return { store, key_file: join("keys", encodeURIComponent(`${name.toLowerCase()}${suffix}`)) };
  };
  for (let n = 1; ; n += 1) {
    const place = made(n);
    if (!taken.some((other) => samePlace(other, place))) return place;
  }
}

/** Some keychains and file systems ignore case. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const samePlace = (a: KeyPlace, b: KeyPlace): boolean =>
  a.store === "keychain" && b.store === "keychain"
    ? same(a.account, b.account)
    : a.store === "file" && b.store === "file" && same(normalize(a.key_file), normalize(b.key_file));

/** Describes the place: `the keychain`, `the file /home/ada/.config/zulipctl/keys/work`. */
export function inWords(world: Keys, place: KeyPlace): string {
  if (place.store === "keychain") return "the keychain";
  if (place.store === "file") return `the file ${pathOf(world, place)}`;
  return `the command ${place.key_command[0]}`;
}

/** Throws `NeedsLogin` where the key cannot be had. */
export async function readKey(world: Keys, place: KeyPlace, profile: string): Promise<Secret> {
  const again = `Get the key again with: zulipctl fetch-key --profile ${profile}`;
  const elsewhere = `If nobody can unlock it, keep the key in a file (zulipctl fetch-key --profile ${profile} --store file) or set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY_FILE.`;
  const text = await kept(world, place).catch((error: Error) => {
    if (error instanceof KeychainFailure) throw unkept(error, elsewhere);
    if (place.store !== "file" || error instanceof Failure) throw error;
    throw new NeedsLogin(`cannot read the key file of profile ${profile}: ${error.message}`, { hint: again });
  });
  if (text === undefined)
    throw new NeedsLogin(`the key of profile ${profile} is not in ${inWords(world, place)}`, { hint: again });
  return keyOf(text, inWords(world, place));
}

async function kept(world: Keys, place: KeyPlace): Promise<string | undefined> {
  if (place.store === "keychain") return (await world.keychain.get(place.account))?.reveal();
  if (place.store === "file") return guarded(world, pathOf(world, place));
  const [program] = place.key_command;
  const ran = await world.run(place.key_command, commandLimit).catch((error: Error) => {
    if (error instanceof Failure) throw error;
    throw new NeedsLogin(`cannot start the key command ${program}: ${error.message}`);
  });
  // Its stderr is not shown: it may contain secrets.
  const hint = `Run it by hand to see why: ${place.key_command.join(" ")}`;
  if (ran.code !== 0) throw new NeedsLogin(`the key command ${program} ${endOf(ran)}`, { hint });
  // Password managers print further lines after the first.
  return ran.stdout.split(/\r?\n/)[0];
}

function endOf({ code, ended }: Ran): string {
  if (code !== null) return `ended with ${code}`;
  if (ended === "timeout") return `did not end within ${commandLimit / 1000} seconds`;
  return ended === "output" ? "did not stop printing, and was ended after a megabyte" : `was ended by ${ended}`;
}

/** A key without the white space around it. Throws `Usage` for what cannot be one, without quoting it. */
export function keyOf(text: string, origin: string): Secret {
  const key = text.trim();
  if (!key) throw new Usage(`no API key found in ${origin}`);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Usage(`${origin} does not hold an API key`);
  return new Secret(key);
}

const warned = new WeakMap<World["files"], Set<string>>();

/** Throws `Usage` where somebody else may have written the file. */
export function refuseForeign({ owner, writable }: Access, path: string): void {
  if (!owner && !writable) return;
  throw new Usage(`refused to use ${path}: ${owner ? `it belongs to ${owner}` : "others can change it"}`, {
    hint: owner
      ? `Look at what it says, then make it yours: install -m 600 ${path} ${path}.mine && mv ${path}.mine ${path}`
      : `Look at what it says, then make it yours alone: chmod 600 ${path}`,
    outcome: "not_sent",
  });
}

export const warningOf = ({ readable }: Access, path: string): string | undefined =>
  readable ? `others can read ${path}; make it yours alone with: chmod 600 ${path}` : undefined;

/** Refuses a file that others could have written, and warns once a run of one that others can read. */
export async function checkAccess({ files, stderr }: Readable, path: string, access: Access): Promise<void> {
  refuseForeign(access, path);
  const warning = warningOf(access, path);
  if (!warning) return;
  const paths = warned.get(files) ?? new Set();
  warned.set(files, paths);
  if (paths.has(path)) return;
  paths.add(path);
  await stderr.write(`${sanitizeLine(`zulipctl: warning: ${warning}`)}\n`);
}

/** The text of a file that holds a key: refused where others could have written it, with a warning where they can read it. */
export async function guarded(world: Readable, path: string): Promise<string | undefined> {
  const found = await world.files.guarded(path);
  if (found) await checkAccess(world, path, found.access);
  return found?.text;
}

/** Names that no profile has, so no key is stored under them. */
const trialPlace = (store: OwnPlace["store"]): OwnPlace =>
  store === "keychain" ? { store, account: "(trial)" } : { store, key_file: join("keys", ".trial") };

/** Writes something beside the keys, reads it back and removes it. Throws what would stand in the way of a key. */
export async function tryStore(world: Keys, store: OwnPlace["store"]): Promise<void> {
  const place = trialPlace(store);
  await keepSurely(world, place, new Secret(`trial-${world.clock.now()}`), otherStore);
  await dropKey(world, place, otherStore);
}

const otherStore = "To keep the key in a file of your own instead, add --store file.";

/** Keeps the key, and reads it back. `hint` is what helps where that cannot be done. */
export async function keepSurely(world: Keys, place: OwnPlace, key: Secret, hint: string): Promise<void> {
  await keep(world, place, key, hint);
  const back = await kept(world, place).catch(storing(world, place, hint));
  if (back?.trim() !== key.reveal())
    throw new NeedsLogin(`${inWords(world, place)} does not keep what is written to it`, { hint, outcome: "not_sent" });
}

export async function keep(world: Keys, place: OwnPlace, key: Secret, hint = otherStore): Promise<void> {
  const writing =
    place.store === "keychain"
      ? world.keychain.set(place.account, key)
      : world.files.write(pathOf(world, place), `${key.reveal()}\n`);
  await writing.catch(storing(world, place, hint));
}

const storing =
  (world: Keys, place: OwnPlace, hint: string) =>
  (error: Error): never => {
    if (error instanceof KeychainFailure) throw unkept(error, hint);
    if (place.store === "keychain") throw error;
    throw new Usage(`cannot write ${inWords(world, place)}: ${error.message}`);
  };

const unkept = ({ message }: KeychainFailure, hint: string) => new NeedsLogin(message, { hint, outcome: "not_sent" });

/**
 * Removes the key from where it is kept; `NeedsLogin` where that cannot be done, with this hint. A file outside
 * the configuration directory is somebody else's to remove.
 */
export async function dropKey(world: Keys, place: KeyPlace, hint: string): Promise<void> {
  const removing =
    place.store === "keychain"
      ? world.keychain.forget(place.account)
      : place.store === "file" && !isAbsolute(place.key_file)
        ? world.files.remove(pathOf(world, place))
        : undefined;
  await removing?.catch((error: Error) => {
    if (error instanceof Failure) throw error;
    throw new NeedsLogin(`the key cannot be removed from ${inWords(world, place)}: ${error.message}`, { hint });
  });
}

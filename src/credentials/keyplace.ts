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

/** In milliseconds. A command may ask the user to unlock something. */
const commandLimit = 30_000;

const pathOf = ({ settings }: Keys, { key_file }: { key_file: string }): string =>
  isAbsolute(key_file) ? key_file : join(dirname(settings.path), key_file);

/**
 * Returns a place that is not in `taken`. It differs from the place of the profile's old key, so that the old key stays
 * until the profile names the new one.
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

/** Throws `NeedsLogin` if the key cannot be read. */
export async function readKey(world: Keys, place: KeyPlace, profile: string): Promise<Secret> {
  const again = `Get the key again with: zulipctl fetch-key --profile ${profile}`;
  const elsewhere = `If nobody can unlock it, keep the key in a file (zulipctl fetch-key --profile ${profile} --store file) or set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY_FILE.`;
  const text = await textIn(world, place).catch((error: Error) => {
    if (error instanceof KeychainFailure) throw keychainError(error, elsewhere);
    if (place.store !== "file" || error instanceof Failure) throw error;
    throw new NeedsLogin(`cannot read the key file of profile ${profile}: ${error.message}`, { hint: again });
  });
  if (text === undefined)
    throw new NeedsLogin(`the key of profile ${profile} is not in ${inWords(world, place)}`, { hint: again });
  return keyOf(text, inWords(world, place));
}

async function textIn(world: Keys, place: KeyPlace): Promise<string | undefined> {
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

/** Removes white space around a key. Throws `Usage` for an invalid key, without quoting it. */
export function keyOf(text: string, origin: string): Secret {
  const key = text.trim();
  if (!key) throw new Usage(`no API key found in ${origin}`);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Usage(`${origin} does not hold an API key`);
  return new Secret(key);
}

const warned = new WeakMap<World["files"], Set<string>>();

/** Throws `Usage` if somebody else could have written the file. */
export function refuseForeign({ owner, writable }: Access, path: string): void {
  if (!owner && !writable) return;
  throw new Usage(`refused to use ${path}: ${owner ? `it belongs to ${owner}` : "others can change it"}`, {
    hint: owner
      ? `Look at what it says, then make it yours with: install -m 600 ${path} ${path}.mine && mv ${path}.mine ${path}`
      : `Look at what it says, then make it private with: chmod 600 ${path}`,
    outcome: "not_sent",
  });
}

export const warningOf = ({ readable }: Access, path: string): string | undefined =>
  readable ? `others can read ${path}; make it private with: chmod 600 ${path}` : undefined;

/** Refuses a file that others could have written. Warns once if others can read it. */
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

/** Reads a file after `checkAccess`. */
export async function guarded(world: Readable, path: string): Promise<string | undefined> {
  const found = await world.files.guarded(path);
  if (found) await checkAccess(world, path, found.access);
  return found?.text;
}

/** A place that no profile has. */
const trialPlace = (store: OwnPlace["store"]): OwnPlace =>
  store === "keychain" ? { store, account: "(trial)" } : { store, key_file: join("keys", ".trial") };

/** Stores a trial key, reads it back, and removes it. Throws a `Failure` if a real key could not be stored. */
export async function tryStore(world: Keys, store: OwnPlace["store"]): Promise<void> {
  const place = trialPlace(store);
  await storeKey(world, place, new Secret(`trial-${world.clock.now()}`));
  await removeKey(world, place, otherStore);
}

const otherStore = "To keep the key in a file of your own instead, add --store file.";

/** Stores a key and reads it back. `hint`: another way if that fails. */
export async function storeKey(world: Keys, place: OwnPlace, key: Secret, hint = otherStore): Promise<void> {
  const writing =
    place.store === "keychain"
      ? world.keychain.set(place.account, key)
      : world.files.write(pathOf(world, place), `${key.reveal()}\n`);
  const stored = await writing
    .then(() => textIn(world, place))
    .catch((error: Error) => {
      if (error instanceof KeychainFailure) throw keychainError(error, hint);
      if (place.store === "keychain") throw error;
      throw new Usage(`cannot write ${inWords(world, place)}: ${error.message}`);
    });
  if (stored?.trim() !== key.reveal())
    throw new NeedsLogin(`${inWords(world, place)} does not keep what is written to it`, { hint, outcome: "not_sent" });
}

const keychainError = ({ message }: KeychainFailure, hint: string) =>
  new NeedsLogin(message, { hint, outcome: "not_sent" });

/**
 * Removes a key. Throws `NeedsLogin` with this hint if that fails. Files outside the configuration directory belong to
 * somebody else and stay.
 */
export async function removeKey(world: Keys, place: KeyPlace, hint: string): Promise<void> {
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

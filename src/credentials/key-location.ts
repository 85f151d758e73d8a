/** Stores keys of profiles: in the OS keychain, or in a file with mode 0600. A command can also print one. */
import { dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { Failure, NeedsLogin, Usage } from "../errors.ts";
import { printLine, programLine } from "../output/line.ts";
import type { Access } from "../world/file-access.ts";
import { KeychainFailure, type ProgramResult, Secret, type World } from "../world/world.ts";
import { refuseQuotes } from "./quotes.ts";

export type KeyLocation =
  | { store: "keychain"; account: string }
  /** Absolute, or below the configuration directory. */
  | { store: "file"; key_file: string }
  | { store: "command"; key_command: string[] };

/** Locations that zulipctl can write to. */
export type KeyTarget = Exclude<KeyLocation, { store: "command" }>;

type FileWorld = Pick<World, "files" | "stderr" | "directories" | "clock" | "onExposedFile">;
type KeyWorld = FileWorld & Pick<World, "keychain" | "settings" | "run">;

/** In milliseconds. A command may ask the user to unlock something. */
const commandTimeout = 30_000;

/** Returns the path of a key file. */
export const pathOf = ({ settings }: Pick<World, "settings">, { key_file }: { key_file: string }): string =>
  isAbsolute(key_file) ? key_file : join(dirname(settings.path), key_file);

/**
 * Returns a location that is not in `used`. It differs from that of the profile's old key, so that the old key stays
 * until the profile names the new one.
 */
export function newLocation(
  store: KeyTarget["store"],
  name: string,
  site: string,
  used: readonly KeyLocation[],
): KeyTarget {
  const nth = (n: number): KeyTarget => {
    const suffix = n > 1 ? `-${n}` : "";
    if (store === "keychain") return { store, account: `${name}${suffix} (${new URL(site).host})` };
    return { store, key_file: join("keys", encodeURIComponent(`${name.toLowerCase()}${suffix}`)) };
  };
  for (let n = 1; ; n += 1) {
    const location = nth(n);
    if (!used.some((other) => isSameLocation(other, location))) return location;
  }
}

/** Some keychains and file systems ignore case. */
const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const isSameLocation = (a: KeyLocation, b: KeyLocation): boolean =>
  a.store === "keychain" && b.store === "keychain"
    ? isSameText(a.account, b.account)
    : a.store === "file" && b.store === "file" && isSameText(normalize(a.key_file), normalize(b.key_file));

/** Describes the location: `the keychain`, `the file /home/ada/.config/zulipctl/keys/work`. */
export function keyLocationText(world: KeyWorld, location: KeyLocation): string {
  if (location.store === "keychain") return "the keychain";
  if (location.store === "file") return `the file ${pathOf(world, location)}`;
  return `the command ${location.key_command[0]}`;
}

/** Throws `NeedsLogin` if the key cannot be read. */
export async function readKey(world: KeyWorld, location: KeyLocation, profile: string): Promise<Secret> {
  const fetchHint = `Get the key again with: zulipctl fetch-key --profile ${profile}`;
  const unlockHint = `If nobody can unlock it, keep the key in a file (zulipctl fetch-key --profile ${profile} --store file) or set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY_FILE.`;
  const text = await readStored(world, location).catch(async (error: Error) => {
    if (error instanceof KeychainFailure) throw keychainError(error, unlockHint);
    if (location.store !== "file" || error instanceof Failure) throw error;
    const message = `cannot read the key file of profile ${profile}: ${error.message}`;
    const kind = await world.files.kind(pathOf(world, location));
    const Kind = kind === undefined || kind === "file" ? NeedsLogin : Usage;
    throw new Kind(message, { hint: fetchHint });
  });
  if (text === undefined)
    throw new NeedsLogin(`the key of profile ${profile} is not in ${keyLocationText(world, location)}`, {
      hint: fetchHint,
    });
  return parseKey(text, keyLocationText(world, location));
}

async function readStored(world: KeyWorld, location: KeyLocation): Promise<string | undefined> {
  if (location.store === "keychain") return (await world.keychain.get(location.account))?.reveal();
  if (location.store === "file") return readChecked(world, pathOf(world, location));
  const [program] = location.key_command;
  const result = await world.run(location.key_command, commandTimeout).catch((error: Error) => {
    if (error instanceof Failure) throw error;
    throw new NeedsLogin(`cannot start the key command ${program}: ${error.message}`);
  });
  // Its stderr is not shown: it may contain secrets.
  const hint = `Run it by hand to see why: ${location.key_command.join(" ")}`;
  if (result.code !== 0) throw new NeedsLogin(`the key command ${program} ${describeEnd(result)}`, { hint });
  // Password managers print further lines after the first.
  return result.stdout.split(/\r?\n/)[0];
}

function describeEnd({ code, endedBy }: ProgramResult): string {
  if (code !== null) return `ended with ${code}`;
  if (endedBy === "timeout") return `did not end within ${commandTimeout / 1000} seconds`;
  return endedBy === "output" ? "did not stop printing, and was ended after a megabyte" : `was ended by ${endedBy}`;
}

/** Removes white space around a key. Throws `Usage` for an invalid key, without quoting it. */
export function parseKey(text: string, origin: string): Secret {
  const key = text.trim();
  refuseQuotes(key, origin);
  if (!key) throw new Usage(`no API key found in ${origin}`);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Usage(`${origin} does not hold an API key`);
  return new Secret(key);
}

const warnedPaths = new WeakMap<World["files"], Set<string>>();

/** Throws `Usage` if somebody else could have written the file. */
export function requireOwnFile({ directoryFlaw, owner, writable }: Access, path: string): void {
  if (directoryFlaw)
    throw new Usage(`refused to use ${path}: ${directoryFlaw.reason}`, {
      hint: `Look at what the file says, then run: ${directoryFlaw.fix}`,
      outcome: "not_sent",
    });
  if (!owner && !writable) return;
  throw new Usage(`refused to use ${path}: ${owner ? `it belongs to ${owner}` : "others can change it"}`, {
    hint: owner
      ? `Look at what it says, then make it yours with: install -m 600 ${path} ${path}.mine && mv ${path}.mine ${path}`
      : `Look at what it says, then make it private with: chmod 600 ${path}`,
    outcome: "not_sent",
  });
}

export const accessWarning = ({ readable }: Access, path: string): string | undefined =>
  readable ? `others can read ${path}; make it private with: chmod 600 ${path}` : undefined;

/** Returns whether the warning about a file is the first of this day. A job that runs each minute would repeat it. */
async function isFirstToday({ files, directories, clock }: FileWorld, path: string): Promise<boolean> {
  const stamp = join(directories.state, "warned", encodeURIComponent(resolve(path)).slice(-200));
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const last = await files.read(stamp).catch(() => undefined);
  if (last?.trim() === today) return false;
  // Without a state directory the warning comes each time.
  await files.write(stamp, `${today}\n`).catch(() => undefined);
  return true;
}

/** Refuses a file that others could have written. Warns once a day if others can read it, unless `--quiet`. */
export async function checkAccess(world: FileWorld, path: string, access: Access): Promise<void> {
  requireOwnFile(access, path);
  const warning = accessWarning(access, path);
  const { files, stderr, onExposedFile } = world;
  if (!warning) return;
  if (onExposedFile) return onExposedFile(warning);
  const paths = warnedPaths.get(files) ?? new Set();
  warnedPaths.set(files, paths);
  if (paths.has(path)) return;
  paths.add(path);
  if (!(await isFirstToday(world, path))) return;
  await printLine(stderr, programLine(`warning: ${warning}`));
}

/** Reads a file after `checkAccess`. */
export async function readChecked(world: FileWorld, path: string): Promise<string | undefined> {
  const found = await world.files.readWithAccess(path);
  if (found) await checkAccess(world, path, found.access);
  return found?.text;
}

/** A location that no profile has. */
const trialLocation = (store: KeyTarget["store"]): KeyTarget =>
  store === "keychain" ? { store, account: "(trial)" } : { store, key_file: join("keys", ".trial") };

/** Stores a trial key, reads it back, and removes it. Throws a `Failure` if a real key could not be stored. */
export async function tryStore(world: KeyWorld, store: KeyTarget["store"]): Promise<void> {
  const location = trialLocation(store);
  await storeKey(world, location, new Secret(`trial-${world.clock.now()}`));
  await removeKey(world, location, otherStore);
}

const otherStore = "To keep the key in a file of your own instead, add --store file.";

/** Stores a key and reads it back. `hint`: another way if that fails. */
export async function storeKey(world: KeyWorld, location: KeyTarget, key: Secret, hint = otherStore): Promise<void> {
  const writing =
    location.store === "keychain"
      ? world.keychain.set(location.account, key)
      : world.files.write(pathOf(world, location), `${key.reveal()}\n`);
  const stored = await writing
    .then(() => readStored(world, location))
    .catch((error: Error) => {
      if (error instanceof KeychainFailure) throw keychainError(error, hint);
      if (location.store === "keychain") throw error;
      throw new Usage(`cannot write ${keyLocationText(world, location)}: ${error.message}`);
    });
  if (stored?.trim() !== key.reveal())
    throw new NeedsLogin(`${keyLocationText(world, location)} does not keep what is written to it`, {
      hint,
      outcome: "not_sent",
    });
}

const keychainError = ({ message, detail }: KeychainFailure, hint: string) =>
  new NeedsLogin(message, {
    hint: detail === undefined ? hint : `${hint} The system says: ${detail}`,
    outcome: "not_sent",
  });

/** Returns whether zulipctl removes the key with its profile. */
export const isRemovable = (location: KeyLocation): location is KeyTarget =>
  location.store === "keychain" || (location.store === "file" && !isAbsolute(location.key_file));

/**
 * Removes a key. Throws `NeedsLogin` with this hint if that fails. Files outside the configuration directory belong to
 * somebody else and stay.
 */
export async function removeKey(world: KeyWorld, location: KeyLocation, hint: string): Promise<void> {
  if (!isRemovable(location)) return;
  const removing: Promise<unknown> =
    location.store === "keychain"
      ? world.keychain.forget(location.account)
      : world.files.remove(pathOf(world, location));
  await removing.catch((error: Error) => {
    if (error instanceof Failure) throw error;
    throw new NeedsLogin(`the key cannot be removed from ${keyLocationText(world, location)}: ${error.message}`, {
      hint,
    });
  });
}

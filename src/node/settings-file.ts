/** The configuration file. Only writing uses conf, which is slow to load, and takes a lock. */
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { membersOf } from "../common/object-members.ts";
import { asError, Failure, Usage } from "../errors.ts";
import type { Files, LoadedSettings, Lock, Settings } from "../world/world.ts";

const repairHint = "Fix the file, or remove it and create the profiles again with: zulipctl fetch-key --site <url>";

/** In milliseconds. The holder may make several calls of the keychain, and a dead one is recognized after 30 s. */
const lockWait = 40_000;

/** `stop` ends the wait for the lock. */
export function settingsFile(path: string, files: Files, stop?: AbortSignal): Settings {
  const unusable = (what: string, error: unknown, hint = repairHint) =>
    new Usage(`the configuration file ${path} ${what}: ${asError(error).message}`, {
      hint,
      outcome: "not_sent",
      cause: error,
    });

  const taken = () =>
    new Usage(`the configuration file ${path} is being written by another process`, { outcome: "not_sent" });

  async function load(): Promise<LoadedSettings | undefined> {
    const found = await files.readWithAccess(path).catch((error) => {
      if (error instanceof Failure) throw error;
      throw unusable("cannot be read", error);
    });
    if (!found) return undefined;
    try {
      return { document: JSON.parse(found.text), access: found.access };
    } catch (error) {
      throw unusable("is not valid JSON", error);
    }
  }

  // The lock also shows whether the directory is writable. conf would try for a second.
  async function locked(): Promise<Lock> {
    const lock = await files.lock(path, lockWait, stop).catch((error) => {
      if (stop?.aborted) throw error;
      throw unusable("cannot be written", error, "ZULIPCTL_CONFIG_DIR names another directory for it.");
    });
    if (lock) return lock;
    throw taken();
  }

  async function replace(document: unknown): Promise<void> {
    // conf would write to the target of a link.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) await files.write(path, JSON.stringify(document));
    const { default: Conf } = await import("conf");
    const conf = new Conf<Record<string, unknown>>({
      cwd: dirname(path),
      configName: "config",
      projectSuffix: "",
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    conf.store = { ...membersOf(document) };
  }

  return {
    path,
    load,
    async edit(work) {
      const lock = await locked();
      try {
        return await work(await load(), async (document) => {
          if (!lock.isHeld()) throw taken();
          await replace(document);
        });
      } finally {
        await lock.release();
      }
    },
  };
}

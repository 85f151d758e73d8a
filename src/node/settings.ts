/** The configuration file: read plainly, because conf takes 30 ms to load; written through conf, under a lock. */
import { dirname } from "node:path";
import { Usage } from "../errors.ts";
import type { Files, Lock, Settings } from "../world.ts";

const mending = "Correct the file, or move it away and make the profiles again with zulipctl fetch-key.";

export function settings(path: string, files: Files): Settings {
  const unusable = (what: string, error: unknown, hint = mending) =>
    new Usage(`the configuration file ${path} ${what}: ${(error as Error).message}`, {
      hint,
      outcome: "not_sent",
      cause: error,
    });

  async function load(): Promise<unknown> {
    const text = await files.read(path).catch((error) => {
      throw unusable("cannot be read", error);
    });
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch (error) {
      throw unusable("is not valid JSON", error);
    }
  }

  // Making the lock also shows whether the directory can be written to: conf would try that for a second.
  async function locked(): Promise<Lock> {
    const lock = await files.lock(path, 5000).catch((error) => {
      throw unusable("cannot be written", error, "ZULIPCTL_CONFIG_DIR names another directory for it.");
    });
    if (lock) return lock;
    throw new Usage(`the configuration file ${path} is being written by another process`, { outcome: "not_sent" });
  }

  return {
    path,
    load,
    async save(change) {
      const lock = await locked();
      try {
        const changed = change(await load());
        const { default: Conf } = await import("conf");
        const conf = new Conf({
          cwd: dirname(path),
          configName: "config",
          projectSuffix: "",
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
        });
        conf.store = changed as Record<string, unknown>;
      } finally {
        await lock.release();
      }
    },
  };
}

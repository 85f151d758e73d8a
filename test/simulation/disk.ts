/** A disk that may fill up, and that may lose or tear unsynced data when the machine stops. */
import type { Files } from "../../src/world/world.ts";
import type { Chance } from "./chance.ts";
import type { Process } from "./process.ts";

interface File {
  content: Buffer;
  /** Bytes that survive a crash. */
  synced: number;
}

const missing = (path: string) => Object.assign(new Error(`no such file: ${path}`), { code: "ENOENT" });
const full = () => Object.assign(new Error("no space is left in the simulation"), { code: "ENOSPC" });
const broken = () => Object.assign(new Error("the disk is broken in the simulation"), { code: "EIO" });

/** Milliseconds of silence after which the holder of a lock counts as dead. */
const stale = 30_000;

export class Disk {
  readonly #files = new Map<string, File>();
  /** Each acquisition is a new object, so a lost lock does not come back. */
  readonly #locks = new Map<string, { by: Process }>();
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  text(path: string): string | undefined {
    return this.#files.get(path)?.content.toString("utf8");
  }

  /** Adds a file before anything runs. */
  put(path: string, text: string): void {
    const content = Buffer.from(text);
    this.#files.set(path, { content, synced: content.length });
  }

  /** The machine stops. A random part of the unsynced data survives. */
  lose(): void {
    const chance = this.#chance;
    for (const file of this.#files.values()) {
      const kept = chance.hits(0.3) ? file.content.length : chance.whole(file.synced, file.content.length);
      const content = file.content.subarray(0, kept);
      // Blocks that were allocated and never written.
      const empty = chance.hits(0.1) ? chance.whole(1, 9) : 0;
      file.content = Buffer.concat([content, Buffer.alloc(empty)]);
      file.synced = file.content.length;
    }
  }

  /**
   * Returns the disk for a process, which may die at each step. The disk is full from write number `writes` on, and
   * fails from sync number `syncs` on.
   */
  of(process: Process, { writes, syncs }: { writes: number; syncs: number }): Files {
    const files = this.#files;
    return {
      // Simulations upload no files and write no change log.
      open: (path) => Promise.reject(missing(path)),
      rollingLog: () => ({ add: async () => undefined, close: async () => undefined }),
      read: (path) => process.step(() => this.text(path)),
      stream: async function* (path) {
        const file = await process.step(() => files.get(path));
        if (!file) throw missing(path);
        // In pieces that split lines and characters.
        for (let from = 0; from < file.content.length; from += 1000)
          yield Buffer.from(file.content.subarray(from, from + 1000));
      },
      streamFromEnd: async function* (path) {
        const file = await process.step(() => files.get(path));
        if (!file) throw missing(path);
        yield file.content;
      },
      readWithAccess: (path) =>
        process.step(() => {
          const text = this.text(path);
          return text === undefined ? undefined : { text, access: { readable: false, writable: false } };
        }),
      write: (path, text) =>
        process.step(() => {
          const content = Buffer.from(text);
          files.set(path, { content, synced: content.length });
        }),
      createFile: async (path) => {
        const parts: Uint8Array[] = [];
        return {
          write: (bytes) =>
            process.step(() => {
              if (--writes <= 0) throw full();
              parts.push(bytes);
            }),
          complete: (replace) =>
            process.step(() => {
              if (files.has(path) && !replace) return false;
              const content = Buffer.concat(parts);
              files.set(path, { content, synced: content.length });
              return true;
            }),
          discard: async () => undefined,
        };
      },
      kind: (path) => process.step(() => (files.has(path) ? ("file" as const) : undefined)),
      remove: (path) => process.step(() => void files.delete(path)),
      sweep: async () => Promise.reject(new Error("no names are kept in a simulation")),
      list: (directory) =>
        process.step(() =>
          [...files.keys()].flatMap((path) =>
            path.startsWith(`${directory}/`) ? [path.slice(directory.length + 1)] : [],
          ),
        ),
      realPath: async (path) => path,
      identity: (path) => process.step(() => (files.has(path) ? { id: path, plain: true } : undefined)),
      append: async (path, { exclusive, truncateTo } = {}) => {
        const file = await process.step(() => {
          const found = files.get(path);
          if (found && exclusive) throw Object.assign(new Error(`${path} exists`), { code: "EEXIST" });
          const opened = found ?? { content: Buffer.alloc(0), synced: 0 };
          if (truncateTo !== undefined) opened.content = opened.content.subarray(0, truncateTo);
          opened.synced = Math.min(opened.synced, opened.content.length);
          files.set(path, opened);
          return opened;
        });
        let writing: Promise<void> = Promise.resolve();
        return {
          append: (text) => {
            const bytes = Buffer.from(text);
            const tear = () => {
              const written = bytes.subarray(0, this.#chance.whole(0, bytes.length));
              file.content = Buffer.concat([file.content, written]);
            };
            // In the order of the calls. A process that dies while writing leaves a torn line. After one failure, all writes fail.
            writing = writing.then(() =>
              process.step(() => {
                if (--writes <= 0) {
                  process.becomeUnreliable();
                  tear();
                  throw full();
                }
                file.content = Buffer.concat([file.content, bytes]);
              }, tear),
            );
            writing.catch(() => {});
            return writing;
          },
          sync: async () => {
            await writing;
            const length = file.content.length;
            await process.step(() => {
              if (--syncs <= 0) {
                process.becomeUnreliable();
                throw broken();
              }
              file.synced = Math.max(file.synced, length);
            });
          },
          close: () => process.step(() => undefined),
        };
      },
      temporary: (work) => work("/temporary"),
      lock: async (path) => {
        for (;;) {
          const taken = await process.step(() => {
            const holder = this.#locks.get(path)?.by;
            if (holder?.alive && holder.silence === 0) return "held";
            if (holder?.alive && holder.silence < stale) return "silent";
            this.unlock(path);
            const mine = { by: process };
            this.#locks.set(path, mine);
            const held = () => this.#locks.get(path) === mine;
            return { isHeld: held, release: async () => void (held() && this.#locks.delete(path)) };
          });
          if (taken === "held") return undefined;
          if (taken !== "silent") return taken;
        }
      },
    };
  }

  /** Removes the lock of its holder. That process writes nothing to disk from now on. */
  unlock(path: string): void {
    this.#locks.get(path)?.by.loseLock(path);
    this.#locks.delete(path);
  }
}

/** A disk on which what was not synced may be lost, torn or holed when the machine stops, and which may fill up. */
import type { Files } from "../../src/world.ts";
import type { Chance } from "./chance.ts";
import type { Process } from "./process.ts";

interface File {
  content: Buffer;
  /** Bytes that no crash takes away. */
  synced: number;
}

const missing = (path: string) => Object.assign(new Error(`no such file: ${path}`), { code: "ENOENT" });
const full = () => Object.assign(new Error("no space is left in the simulation"), { code: "ENOSPC" });
const broken = () => Object.assign(new Error("the disk is broken in the simulation"), { code: "EIO" });

/** Bytes that reach the disk together. Small, so that short files have several. */
const block = 64;

export class Disk {
  readonly #files = new Map<string, File>();
  readonly #locks = new Map<string, Process>();
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  text(path: string): string | undefined {
    return this.#files.get(path)?.content.toString("utf8");
  }

  /** The machine stops: of what was not synced, any beginning survives, and not always every block of it. */
  lose(): void {
    const chance = this.#chance;
    for (const file of this.#files.values()) {
      const kept = chance.hits(0.3) ? file.content.length : chance.whole(file.synced, file.content.length);
      const content = Buffer.from(file.content.subarray(0, kept));
      if (chance.hits(0.5))
        for (let from = file.synced; from < kept; from = (Math.floor(from / block) + 1) * block)
          if (chance.hits(0.4)) content.fill(0, from, Math.min(kept, (Math.floor(from / block) + 1) * block));
      // Blocks that were given to the file and never written.
      const empty = chance.hits(0.1) ? chance.whole(1, 9) : 0;
      file.content = Buffer.concat([content, Buffer.alloc(empty)]);
      file.synced = file.content.length;
    }
  }

  /**
   * The disk as a process sees it. Each step may be the last that the process takes. From the `writes`th write to a
   * journal on there is no space; from the `syncs`th on none of it is sure to be kept.
   */
  of(process: Process, { writes, syncs }: { writes: number; syncs: number }): Files {
    const files = this.#files;
    return {
      read: (path) => process.step(() => this.text(path)),
      stream: async function* (path) {
        const file = await process.step(() => files.get(path));
        if (!file) throw missing(path);
        // In pieces that cut lines and characters.
        for (let from = 0; from < file.content.length; from += 1000)
          yield Buffer.from(file.content.subarray(from, from + 1000));
      },
      exposed: async () => false,
      write: (path, text) =>
        process.step(() => {
          const content = Buffer.from(text);
          files.set(path, { content, synced: content.length });
        }),
      remove: (path) => process.step(() => void files.delete(path)),
      list: (directory) =>
        process.step(() =>
          [...files.keys()].flatMap((path) =>
            path.startsWith(`${directory}/`) ? [path.slice(directory.length + 1)] : [],
          ),
        ),
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
            // In the order of the calls, and torn where the process dies while it writes. After one that failed, all do.
            writing = writing.then(() =>
              process.step(() => {
                if (--writes <= 0) {
                  process.cease();
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
                process.cease();
                throw broken();
              }
              file.synced = Math.max(file.synced, length);
            });
          },
          close: () => process.step(() => undefined),
        };
      },
      lock: (path) =>
        process.step(() => {
          if (this.#locks.get(path)?.alive) return undefined;
          this.#locks.set(path, process);
          return async () => void (this.#locks.get(path) === process && this.#locks.delete(path));
        }),
    };
  }
}

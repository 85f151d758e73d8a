/** A disk on which what was not synced may be lost or torn when the machine stops. */
import type { Files } from "../../src/world.ts";
import type { Chance } from "./chance.ts";
import type { Process } from "./process.ts";

interface File {
  content: Buffer;
  /** Bytes that no crash takes away. */
  synced: number;
}

const missing = (path: string) => Object.assign(new Error(`no such file: ${path}`), { code: "ENOENT" });

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

  /** The machine stops: of what was not synced, any beginning survives. */
  lose(): void {
    for (const file of this.#files.values()) {
      const kept = this.#chance.whole(file.synced, file.content.length);
      file.content = file.content.subarray(0, kept);
      // Blocks that were given to the file and never written.
      if (this.#chance.hits(0.1)) file.content = Buffer.concat([file.content, Buffer.alloc(this.#chance.whole(1, 9))]);
      file.synced = file.content.length;
    }
  }

  /** The disk as a process sees it. Each step may be the last that the process takes. */
  of(process: Process): Files {
    const files = this.#files;
    return {
      read: (path) => process.step(() => this.text(path)),
      stream: async function* (path) {
        const file = await process.step(() => files.get(path));
        if (!file) throw missing(path);
        yield Buffer.from(file.content);
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
            // In the order of the calls, and torn where the process dies while it writes.
            writing = writing.then(() =>
              process.step(
                () => {
                  file.content = Buffer.concat([file.content, bytes]);
                },
                () => {
                  const written = bytes.subarray(0, this.#chance.whole(0, bytes.length));
                  file.content = Buffer.concat([file.content, written]);
                },
              ),
            );
            return writing;
          },
          sync: async () => {
            await writing;
            const length = file.content.length;
            await process.step(() => {
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
          return async () => void this.#locks.delete(path);
        }),
    };
  }
}

/** Writes the rows that were not done, in the form of the input. */
import { resolve } from "node:path";
import { asError, Usage } from "../errors.ts";
import type { Files } from "../world/world.ts";
import type { Log } from "../world/writing.ts";
import type { RowReader } from "./reader.ts";

/** Throws `Usage` if `--failed` would overwrite one of these files. */
export async function checkNotOverwritten(
  files: Files,
  failed: string,
  others: Record<string, string | undefined>,
): Promise<void> {
  const target = await files.identity(failed);
  for (const [name, path] of Object.entries(others)) {
    if (path === undefined) continue;
    const same = resolve(path) === resolve(failed) || (target?.plain && (await files.identity(path))?.id === target.id);
    if (same) throw new Usage(`--failed and ${name} are the same file`, { outcome: "not_sent" });
  }
}

export class FailedRows {
  /** Why it could not be written. */
  failure: Error | undefined;
  #isEmpty = true;

  private constructor(
    private readonly log: Log,
    private readonly reader: RowReader,
  ) {}

  /** Replaces the file. Throws `Usage` if it cannot be written. */
  static async open(files: Files, path: string, reader: RowReader): Promise<FailedRows> {
    try {
      const rows = new FailedRows(await files.append(path, { truncateTo: 0 }), reader);
      if (reader.head) await rows.log.append(reader.head);
      return rows;
    } catch (error) {
      throw new Usage(`--failed: cannot write ${path}: ${asError(error).message}`, { cause: error });
    }
  }

  async add(raw: string): Promise<void> {
    const text = this.reader.written(raw, this.#isEmpty);
    this.#isEmpty = false;
    await this.#attempt(() => this.log.append(text));
  }

  async close(): Promise<void> {
    const { tail } = this.reader;
    if (tail) await this.#attempt(() => this.log.append(tail));
    await this.#attempt(() => this.log.sync());
    await this.#attempt(() => this.log.close());
  }

  // An error here must not stop the changes.
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      if (!this.failure) await work();
    } catch (error) {
      this.failure = asError(error);
    }
  }
}

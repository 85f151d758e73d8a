/** What is in an export, compared with what must be in it. */
import { MiB } from "../common/unit-sizes.ts";
import { Usage } from "../errors.ts";
import { readJson } from "../notation/read-json.ts";
import type { Sink } from "./archive.ts";

/** Tables that some servers leave out. Without them less is known, and nothing is wrong. */
const optionalTables = new Set([
  "zerver_channelfolder",
  "zerver_groupgroupmembership",
  "zerver_realm",
  "zerver_realmexport",
  "zerver_useractivityinterval",
  "zerver_usergroupmembership",
  "zerver_userpresence",
  "zerver_userprofile_mirrordummy",
]);

const messagesFile = /^messages-(\d+)\.json$/;
const statisticsFile = "stats.json";
const largestStatistics = 16 * MiB;

export class Contents {
  readonly #files = new Set<string>();
  /** `realm.json zerver_stream` */
  readonly #tables = new Set<string>();
  /** The files of messages that the server counted. Undefined if it counted nothing. */
  #counted: readonly string[] | undefined;

  /** `required`: the needed tables by file. */
  constructor(private readonly required: Readonly<Record<string, object>>) {}

  kindOf(file: string): string {
    return messagesFile.test(file) ? "messages.json" : file;
  }

  /** Returns a reader for the server's statistics. */
  add(file: string): Sink | undefined {
    this.#files.add(file);
    return file === statisticsFile && "messages.json" in this.required ? this.#statistics() : undefined;
  }

  addTable(file: string, table: string): void {
    this.#tables.add(`${file} ${table}`);
  }

  /** Returns the first file or table that is missing. */
  missing(): string | undefined {
    for (const [kind, tables] of Object.entries(this.required)) {
      const files = kind === "messages.json" ? this.#messageFiles() : [kind];
      for (const file of files) {
        if (!this.#files.has(file)) return file;
        const table = Object.keys(tables).find(
          (each) => !optionalTables.has(each) && !this.#tables.has(`${file} ${each}`),
        );
        if (table !== undefined) return `table ${table} in ${file}`;
      }
    }
    return undefined;
  }

  /** The server counts all files of messages. Without its counts, there is at least one, and no number is left out. */
  #messageFiles(): readonly string[] {
    if (this.#counted) return this.#counted;
    const numbers = [...this.#files].map((file) => Number(messagesFile.exec(file)?.[1] ?? 0));
    return Array.from({ length: Math.max(1, ...numbers) }, (_, n) => `messages-${String(n + 1).padStart(6, "0")}.json`);
  }

  #statistics(): Sink {
    const parts: Uint8Array[] = [];
    let size = 0;
    const damaged = (why: string) => new Usage(`the export is damaged: ${statisticsFile}: ${why}`);
    return {
      push: (bytes) => {
        size += bytes.length;
        if (size > largestStatistics) throw damaged("it is too large");
        parts.push(Uint8Array.from(bytes));
      },
      end: () => {
        const read = readJson(Buffer.concat(parts).toString("utf8"));
        if ("error" in read) throw damaged(read.error);
        const { value } = read;
        if (typeof value !== "object" || value === null || !("realm" in value)) return;
        this.#counted = Object.keys(value)
          .map((name) => `${name}.json`)
          .filter((name) => messagesFile.test(name));
      },
    };
  }
}

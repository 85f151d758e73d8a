/** What a journal says was sent of each task, for a command that may have something else to send of it when it goes on. */
import type { Entry, Header } from "./journal.ts";
import type { Key } from "./task.ts";

export interface SentCall {
  readonly operation: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** By the number of a request. */
type Calls = Map<number, SentCall>;

export class SentRequests {
  readonly #keys = new Map<number, readonly Key[]>();
  /** By row, the requests of each of its changes. */
  readonly #rows = new Map<number, Calls[]>();

  learn(entry: Header | Entry): void {
    if ("sent" in entry) this.#sent(entry);
    else if ("returned" in entry) this.#forget(entry.returned);
    else if ("answered" in entry && entry.outcome === "split") this.#forget(entry.answered);
  }

  /** The requests of a task that may have done something, the latest last. */
  of(key: Key): SentCall[] {
    return [...this.#calls(key).values()];
  }

  /** How many changes of a row there are up to the last that was sent. */
  changesOf(row: number): number {
    return (this.#rows.get(row) ?? []).findLastIndex((calls) => calls?.size) + 1;
  }

  #calls(key: Key): Calls {
    const [row, part = 0] = String(key).split(".").map(Number) as [number, number?];
    const parts = this.#rows.get(row) ?? [];
    this.#rows.set(row, parts);
    parts[part] ??= new Map();
    return parts[part];
  }

  #sent({ sent, rows, operation, args }: Extract<Entry, { sent: number }>): void {
    this.#keys.set(sent, rows);
    for (const key of rows) this.#calls(key).set(sent, { operation, args });
  }

  #forget(sent: number): void {
    for (const key of this.#keys.get(sent) ?? []) this.#calls(key).delete(sent);
  }
}

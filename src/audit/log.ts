/** The rows of an export's log. They are kept packed: they come oldest first, and are needed newest first. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { LogRow } from "./rows.ts";
import type { Row } from "./tables.ts";

/** The number of rows that are packed together: so many pack to a tenth of their size. */
const together = 2048;

/** By event type, the list that a row holds as it is after the change, and the changed member. */
const lists: ReadonlyMap<number, { list: string; changed?: string; id: string }> = new Map([
  [218, { list: "realm_domains", id: "domain" }],
  [219, { list: "realm_domains", changed: "changed_domain", id: "domain" }],
  [220, { list: "realm_domains", id: "domain" }],
  [223, { list: "realm_linkifiers", id: "id" }],
  [224, { list: "realm_linkifiers", changed: "changed_linkifier", id: "id" }],
  [225, { list: "realm_linkifiers", id: "id" }],
  [228, { list: "realm_linkifiers", id: "id" }],
]);

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRow) : []);

export class Log {
  readonly #packs: Buffer[] = [];
  /** The newest rows, which are not packed yet. */
  #rest: LogRow[] = [];
  #newest = Number.NEGATIVE_INFINITY;
  /** Whether rows are sorted by time, as servers write them. */
  #inOrder = true;
  /** The lists as the last row about them had them. */
  readonly #before = new Map<string, readonly Row[]>();

  get size(): number {
    return this.#packs.length * together + this.#rest.length;
  }

  /** Takes the rows in the order of the export. */
  add(row: LogRow): void {
    if (row.event_time < this.#newest) this.#inOrder = false;
    this.#newest = row.event_time;
    this.#rest.push(this.#withBefore(row));
    if (this.#rest.length < together) return;
    this.#packs.push(deflateRawSync(JSON.stringify(this.#rest.map(Object.values)), { level: 1 }));
    this.#rest = [];
  }

  /** Adds the value before the change, if an earlier row has it. */
  #withBefore(row: LogRow): LogRow {
    const of = lists.get(row.event_type);
    if (!of) return row;
    const before = this.#before.get(of.list);
    this.#before.set(of.list, rowsIn(row.extra_data[of.list]));
    if (!before) return row;
    if (!of.changed) return row.event_type === 228 ? withMember(row, before) : row;
    const changed = row.extra_data[of.changed];
    const id = isRow(changed) ? changed[of.id] : undefined;
    return withMember(row, before.find((one) => one[of.id] === id) ?? null);
  }

  /** Returns the places of rows by time. Rows of one moment keep the order of the export. */
  #order(): Uint32Array {
    const times = Float64Array.from(
      this.#read((n) => n),
      ({ event_time }) => event_time,
    );
    return Uint32Array.from(times, (_, at) => at).sort((a, b) => times[a]! - times[b]! || a - b);
  }

  /** Visits rows from the newest to the oldest, or reversed. */
  rows({ oldestFirst = false } = {}): Generator<LogRow> {
    const order = this.#inOrder ? undefined : this.#order();
    const last = this.size - 1;
    return this.#read((n) => {
      const place = oldestFirst ? n : last - n;
      return order ? order[place]! : place;
    });
  }

  *#read(placeOf: (n: number) => number): Generator<LogRow> {
    let opened = -1;
    let rows: LogRow[] = [];
    for (let n = 0; n < this.size; n++) {
      const at = placeOf(n);
      const number = Math.floor(at / together);
      if (number !== opened) {
        opened = number;
        const packed = this.#packs[number];
        rows = packed ? JSON.parse(inflateRawSync(packed).toString()).map(rowOf) : this.#rest;
      }
      yield rows[at % together]!;
    }
  }
}

const withMember = (row: LogRow, before: unknown): LogRow => ({
  ...row,
  extra_data: { ...row.extra_data, before },
});

const members = [
  "id",
  "event_time",
  "event_type",
  "acting_user",
  "modified_user",
  "modified_stream",
  "modified_user_group",
  "extra_data",
] as const satisfies (keyof LogRow)[];

/** Packs hold values without names: names are a third of a row's JSON. */
const rowOf = (values: readonly unknown[]): LogRow =>
  Object.fromEntries(members.map((name, n) => [name, values[n]])) as unknown as LogRow;

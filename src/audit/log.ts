/** The rows of an export's log, kept packed, since they are wanted newest first and come oldest first. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { LogRow } from "./rows.ts";
import type { Row } from "./tables.ts";

/** Rows that are packed together: so many pack to a tenth of their size. */
const together = 2048;
/** Packs that stay open: rows of one moment may lie in two of them. */
const open = 2;

/** Lists that a row holds as they are after its change, by the type of the row, and what is changed in it. */
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
  /** The lines that are not packed yet; strings would outlive many collections of garbage, and so make the heap grow. */
  #lines = Buffer.alloc(256 * 1024);
  #used = 0;
  #size = 0;
  #newest = Number.NEGATIVE_INFINITY;
  /** Whether rows are sorted by time, as servers write them. */
  #inOrder = true;
  /** The lists as the last row about them had them. */
  readonly #before = new Map<string, readonly Row[]>();

  get size(): number {
    return this.#size;
  }

  /** Takes the rows in the order of the export. */
  add(row: LogRow): void {
    if (row.event_time < this.#newest) this.#inOrder = false;
    this.#newest = row.event_time;
    this.#size++;
    this.#write(`${textOf(this.#withBefore(row))}\n`);
    if (this.#size % together) return;
    this.#packs.push(deflateRawSync(this.#lines.subarray(0, this.#used), { level: 1 }));
    this.#used = 0;
  }

  #write(line: string): void {
    const length = Buffer.byteLength(line);
    if (this.#used + length > this.#lines.length)
      this.#lines = Buffer.concat([this.#lines], this.#lines.length * 2 + length);
    this.#used += this.#lines.write(line, this.#used);
  }

  /** The row with what was there before its change, if an earlier row has it. */
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

  /** The places of the rows by time; of one moment in the order of the export. */
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
    const last = this.#size - 1;
    return this.#read((n) => {
      const place = oldestFirst ? n : last - n;
      return order ? order[place]! : place;
    });
  }

  *#read(placeOf: (n: number) => number): Generator<LogRow> {
    const opened = new Map<number, Lines>();
    for (let n = 0; n < this.#size; n++) {
      const at = placeOf(n);
      const number = Math.floor(at / together);
      let lines = opened.get(number);
      if (!lines) {
        if (opened.size >= open) opened.delete(opened.keys().next().value!);
        const packed = this.#packs[number];
        lines = linesOf(
          packed ? inflateRawSync(packed, { chunkSize: 512 * 1024 }) : this.#lines.subarray(0, this.#used),
        );
        opened.set(number, lines);
      }
      yield rowOf(lineAt(lines, at % together));
    }
  }
}

const withMember = (row: LogRow, before: unknown): LogRow => ({
  ...row,
  extra_data: { ...row.extra_data, before },
});

/** The values without their names: a third of the row's JSON. */
const textOf = ({ id, event_time, event_type, acting_user, extra_data, ...of }: LogRow): string =>
  JSON.stringify([
    id,
    event_time,
    event_type,
    acting_user,
    of.modified_user,
    of.modified_stream,
    of.modified_user_group,
    extra_data,
  ]);

function rowOf(text: string): LogRow {
  const [id, event_time, event_type, acting_user, modified_user, modified_stream, modified_user_group, extra_data] =
    JSON.parse(text);
  return {
    id,
    event_time,
    event_type,
    acting_user,
    modified_user,
    modified_stream,
    modified_user_group,
    extra_data,
  };
}

interface Lines {
  readonly bytes: Buffer;
  /** The ends of lines. */
  readonly ends: Uint32Array;
}

function linesOf(bytes: Buffer): Lines {
  const ends = new Uint32Array(together);
  for (let n = 0, end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n", end + 1)) ends[n++] = end;
  return { bytes, ends };
}

const lineAt = ({ bytes, ends }: Lines, n: number): string =>
  bytes.toString("utf8", n === 0 ? 0 : ends[n - 1]! + 1, ends[n]!);

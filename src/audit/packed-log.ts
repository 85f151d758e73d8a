/** The rows of an export's log. They are packed, since an export lists the oldest first, and readers want the newest. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { membersOf } from "../common/object-members.ts";
import { everyKind } from "../model/kinds/index.ts";
import { auditActions } from "./actions.ts";
import type { LogRow } from "./rows.ts";

/** The number of rows in a pack, which takes a tenth of their size. */
const packSize = 2048;

/** By kind, the list that rows have as it is after the change, and the member that identifies an item. */
const lists = new Map<string, { list: string; id: string }>(
  everyKind.flatMap(([name, { id, key, log, registered }]) => {
    const [list] = registered?.lists ?? [];
    return list && log && "added" in log ? [[name, { list, id: id ?? key[0] }]] : [];
  }),
);

export class PackedLog {
  readonly #packs: Buffer[] = [];
  /** The newest rows, which are not packed yet. */
  #unpacked: LogRow[] = [];
  readonly #times: number[] = [];
  /** By name, the items of a list after the last row about it. */
  readonly #items = new Map<string, readonly unknown[]>();

  /** Call it in the order of the export. */
  add(row: LogRow): void {
    this.#times.push(row.event_time);
    this.#unpacked.push(this.#withOldValue(row));
    if (this.#unpacked.length < packSize) return;
    this.#packs.push(deflateRawSync(JSON.stringify(this.#unpacked), { level: 1 }));
    this.#unpacked = [];
  }

  /** Adds the value before the change as `before`, if an earlier row has it. */
  #withOldValue(row: LogRow): LogRow {
    const action = auditActions.get(row.event_type);
    const known = action && lists.get(action.kind);
    if (!known) return row;
    const { extra_data } = row;
    const { list, id } = known;
    const items = this.#items.get(list);
    const newItems = extra_data[list];
    this.#items.set(list, Array.isArray(newItems) ? newItems : []);
    const withBefore = (before: unknown): LogRow => ({ ...row, extra_data: { ...extra_data, before } });
    if (items && action.from === "before") return withBefore(items);
    if (!items || !action.thing?.startsWith("changed_") || action.subject) return row;
    const changedId = membersOf(extra_data[action.thing])[id];
    return withBefore(items.find((item) => membersOf(item)[id] === changedId) ?? null);
  }

  /** Yields rows by time, the newest first. Rows of one moment keep the order of the export. */
  *rows({ oldestFirst = false } = {}): Generator<LogRow> {
    const times = this.#times;
    const order = [...times.keys()].sort((a, b) => times[a]! - times[b]!);
    if (!oldestFirst) order.reverse();
    let openPack = -1;
    let rows: LogRow[] = [];
    for (const index of order) {
      const pack = Math.floor(index / packSize);
      if (pack !== openPack) {
        const packed = this.#packs[pack];
        rows = packed ? JSON.parse(inflateRawSync(packed).toString()) : this.#unpacked;
        openPack = pack;
      }
      yield rows[index % packSize]!;
    }
  }
}

/** The values of channels at a time: those in the export, with later changes undone. */
import { isPermissionName } from "../model/permission.ts";
import type { LogRow } from "./rows.ts";
import type { TableRow } from "./table-reader.ts";

const values = /^(invite_only|is_web_public|history_public_to_subscribers|message_retention_days)$/;

const created = 601;
const retentionChanged = 605;
/** Rows that name the changed property: another one than the retention, or a permission. */
const propertyChanged: ReadonlySet<number> = new Set([607, 608]);

export const isCreationRow = ({ event_type }: LogRow): boolean => event_type === created;

export class ChannelValues {
  readonly #channels = new Map<number, Record<string, unknown>>();

  add(id: number, channel: TableRow): void {
    this.#channels.set(
      id,
      Object.fromEntries(Object.entries(channel).filter(([name]) => values.test(name) || isPermissionName(name))),
    );
  }

  /** Sets what the row changed to its old value (`"1"`) or its new one (`"2"`). */
  replay({ event_type, modified_stream, extra_data }: LogRow, side: "1" | "2"): void {
    const property =
      event_type === retentionChanged
        ? "message_retention_days"
        : propertyChanged.has(event_type)
          ? extra_data.property
          : undefined;
    const channel = this.#channels.get(modified_stream ?? -1);
    if (channel && typeof property === "string" && property in channel) channel[property] = extra_data[side];
  }

  /** Returns the values at that time. Empty if the export does not have the channel. */
  of(id: number): Readonly<TableRow> {
    return this.#channels.get(id) ?? {};
  }
}

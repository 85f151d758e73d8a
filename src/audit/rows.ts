/** The rows of an export that are read. */

import * as v from "valibot";
import { membersOf } from "../common/object-members.ts";
import { Usage } from "../errors.ts";
import { integer, string, typeError } from "../wire/types.ts";
import type { TableRow } from "./table-reader.ts";

const optionalId = v.nullish(integer, null);
const timeText = "must be a time";
/** Seconds since 1970, within what dates can be. */
export const logTime = v.pipe(v.number(timeText), v.minValue(-8.64e12, timeText), v.maxValue(8.64e12, timeText));
/** True, or anything else. */
export const logFlag = v.fallback(v.boolean(), false);

/** Returns a reader of a table's rows. It throws `Usage` for a member that is missing or has another type. */
export function tableReader<E extends v.ObjectEntries>(table: string, entries: E) {
  const type = v.object(entries, "is missing");
  return (row: TableRow): v.InferOutput<typeof type> => {
    const { success, output } = v.safeParse(type, row, { abortEarly: true });
    if (success) return output;
    throw new Usage(`the export is damaged: ${table}, id ${JSON.stringify(row.id)}: ${typeError(type, row)}`);
  };
}

export const readLogRow = tableReader("zerver_realmauditlog", {
  id: integer,
  event_time: logTime,
  event_type: integer,
  acting_user: optionalId,
  modified_user: optionalId,
  modified_stream: optionalId,
  modified_user_group: optionalId,
  modified_channel_folder: optionalId,
  extra_data: v.pipe(
    v.unknown(),
    v.transform((value): TableRow => membersOf(value)),
  ),
});
export type LogRow = ReturnType<typeof readLogRow>;

export const readAccount = tableReader("zerver_userprofile", {
  id: integer,
  delivery_email: string,
  full_name: string,
  role: integer,
  is_active: logFlag,
  is_bot: logFlag,
  date_joined: logTime,
});
export type AuditAccount = ReturnType<typeof readAccount>;

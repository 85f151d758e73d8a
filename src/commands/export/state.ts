/** What has become of an export. */
import type { DataExport } from "../../api/exports.ts";
import { Refused } from "../../errors.ts";
import { when } from "../../output/when.ts";

/** In a word, or the link where there is one. */
export function stateOf({ pending, failed_timestamp, deleted_timestamp, export_url }: DataExport): string {
  if (pending) return "pending";
  if (failed_timestamp) return "failed";
  if (deleted_timestamp) return "deleted";
  return export_url ?? "";
}

const see = { hint: "List them with: zulipctl export list" };

/** Throws `Refused` where there is none of that id. */
export function exportOf(exports: readonly DataExport[], id: number): DataExport {
  const found = exports.find((each) => each.id === id);
  if (!found) throw new Refused(`export ${id} not found`, see);
  return found;
}

/** The link of one that is no longer pending; throws `Refused` where it has none. */
export function linkOf({ id, failed_timestamp, deleted_timestamp, export_url }: DataExport): string {
  if (failed_timestamp) throw new Refused(`export ${id} failed on the server (${when(failed_timestamp)})`, see);
  if (deleted_timestamp) throw new Refused(`the file of export ${id} was deleted (${when(deleted_timestamp)})`, see);
  if (!export_url) throw new Refused(`the server tells no link to the file of export ${id}`, see);
  return export_url;
}

import { type DataExport, getExports } from "../../api/exports.ts";
import type { Listing } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../shell/context.ts";
import { labels, showsColumn } from "../../shell/labels.ts";

const status = ({ pending, failed_timestamp, deleted_timestamp, export_url }: DataExport & Record<string, unknown>) => {
  if (pending) return "pending";
  if (failed_timestamp) return "failed";
  if (deleted_timestamp) return "deleted";
  return export_url ?? "";
};

export async function list(context: Context): Promise<Listing<DataExport>> {
  const { exports } = await context.ask(getExports, {});
  const asked = showsColumn(context, "BY") ? exports : [];
  const user = await labels(
    context,
    "user",
    asked.map(({ acting_user_id }) => acting_user_id),
  );
  return {
    kind: "listing",
    records: exports,
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "REQUESTED", value: ({ export_time }) => when(export_time) },
      { head: "BY", value: ({ acting_user_id }) => acting_user_id && user(acting_user_id) },
      { head: "RESULT", value: status },
    ],
  };
}

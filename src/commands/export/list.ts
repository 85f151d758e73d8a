import { type DataExport, getExports } from "../../api/exports.ts";
import type { Listing } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../shell/context.ts";

const status = ({ pending, failed_timestamp, deleted_timestamp, export_url }: DataExport & Record<string, unknown>) => {
  if (pending) return "pending";
  if (failed_timestamp) return "failed";
  if (deleted_timestamp) return "deleted";
  return export_url ?? "";
};

export async function list({ ask }: Context): Promise<Listing<DataExport>> {
  const { exports } = await ask(getExports, {});
  return {
    kind: "listing",
    records: exports,
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "REQUESTED", value: ({ export_time }) => when(export_time) },
      { head: "RESULT", value: status },
    ],
  };
}

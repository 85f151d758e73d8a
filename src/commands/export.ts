import { createExport, type DataExport, getExports } from "../api/exports.ts";
import { choice } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { changes, lists } from "../cli/verb.ts";
import { when } from "../output/when.ts";

/** What the flag says, in the words of the newest servers; `wire` turns them into what older ones expect. */
const types = { public: "public", standard: "full_with_consent" } as const;

const status = ({ pending, failed_timestamp, deleted_timestamp, export_url }: DataExport & Record<string, unknown>) => {
  if (pending) return "pending";
  if (failed_timestamp) return "failed";
  if (deleted_timestamp) return "deleted";
  return export_url ?? "";
};

export const dataExport = noun("Exports of the organization's data", {
  create: changes(createExport, {
    doc: "Ask for an export of the organization's data",
    flags: {
      type: choice(["public", "standard"], "public data only, or the private data of people who consented too", "type"),
    },
    binds: { type: "export_type" },
    args: ({ type }) => ({ export_type: type && types[type] }),
    target: ({ type = "public" }) => type,
    done: "Export {id} requested.",
    ids: "id",
    see: "export list",
    confirm: ({ type }) => (type === "standard" ? "This exports private data of the people who consented" : undefined),
    examples: ["zulipctl export create --type public"],
  }),

  list: lists(getExports, {
    doc: "Data exports that were asked for",
    records: "exports",
    id: "id",
    columns: {
      ID: "id",
      REQUESTED: { value: ({ export_time }) => when(export_time) },
      BY: { names: "user", ids: ({ acting_user_id }) => acting_user_id },
      RESULT: { value: status },
    },
    examples: ["zulipctl export list -o json"],
  }),
});

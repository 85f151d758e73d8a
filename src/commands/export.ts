import { type DataExport, getConsents, getExports, removeExport } from "../api/exports.ts";
import { acts, plans } from "../cli/conversation.ts";
import { choice, ids, number, offered, savingFlags, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { irreversible, questionAbout } from "../cli/question.ts";
import { changesEach, lists } from "../cli/verb.ts";
import { when } from "../output/when.ts";

/** In a word, or the link where there is one. */
function stateOf({ pending, failed_timestamp, deleted_timestamp, export_url }: DataExport): string {
  if (pending) return "pending";
  if (failed_timestamp) return "failed";
  if (deleted_timestamp) return "deleted";
  return export_url ?? "";
}

const waitTimeout = number("how many seconds to wait at most (default: 3600)", "seconds");

export const dataExport = noun("Exports of the organization's data", {
  create: plans({
    doc: "Request an export of the organization's data",
    flags: {
      type: choice(["public", "standard"], "public data only, or the private data of people who consented too", "type"),
      wait: toggle("wait until it is ready"),
      waitTimeout,
      to: { ...savingFlags.to, doc: "with --wait: then download it to this place" },
      overwrite: savingFlags.overwrite,
    },
    examples: ["zulipctl export create --type public", "zulipctl export create --wait --to organization.tar.gz"],
    run: async () => (await import("./export/fetch.ts")).create,
  }),

  list: lists(getExports, {
    doc: "Data exports",
    records: "exports",
    id: "id",
    columns: {
      ID: "id",
      REQUESTED: { value: ({ export_time }) => when(export_time), whole: true },
      BY: { names: "user", ids: ({ acting_user_id }) => acting_user_id },
      RESULT: { value: stateOf },
    },
    examples: ["zulipctl export list -o json"],
  }),

  wait: acts({
    doc: "Wait until an export is ready",
    operands: { id: offered("export", number("id of the export", "id")) },
    flags: { waitTimeout },
    examples: ["zulipctl export wait 1 --wait-timeout 7200"],
    run: async () => (await import("./export/fetch.ts")).wait,
  }),

  download: acts({
    doc: "Download an export",
    operands: { id: offered("export", number("id of the export", "id")) },
    flags: savingFlags,
    examples: ["zulipctl export download 1 --to organization.tar.gz"],
    run: async () => (await import("./export/fetch.ts")).download,
  }),

  rm: changesEach(removeExport, {
    doc: "Delete export files permanently; the list still shows the exports",
    things: ids("export", "ids of exports; - reads them from stdin"),
    args: (export_id) => ({ export_id }),
    done: "Deleted the file of export {target}.",
    see: "export list",
    confirm: (all) => ({
      question: all.length === 1 ? `Delete the file of export ${all[0]}` : `Delete the files of ${all.length} exports`,
      consequence: irreversible,
    }),
    question: questionAbout({
      async read(server) {
        const { exports } = await server.call(getExports, {});
        const times = new Map(exports.map(({ id, export_time }) => [id, `asked for ${when(export_time)}`]));
        return (id) => `${id} (${times.get(id) ?? "not found"})`;
      },
      one: (name) => `Delete the file of export ${name}`,
    }),
    examples: ["zulipctl export rm 1 --yes"],
  }),

  consents: lists(getConsents, {
    doc: "Who consented to the export of private data",
    records: "export_consents",
    id: "user_id",
    columns: {
      ID: "user_id",
      NAME: { names: "user", ids: ({ user_id }) => user_id },
      CONSENTS: {
        value: ({ consented }) => (consented ? "yes" : "no"),
        style: ({ consented }) => (consented ? "good" : "dim"),
      },
    },
    examples: ["zulipctl export consents --jq '.[] | select(.consented) | .user_id'"],
  }),
});

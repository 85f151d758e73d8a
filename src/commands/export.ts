import { register, registerPart } from "../api/events.ts";
import { createExport, type DataExport, getConsents, getExports, removeExport } from "../api/exports.ts";
import { outputForm } from "../argv/global-flags.ts";
import { deletion } from "../cli/destructive-question.ts";
import { noun } from "../cli/noun.ts";
import { type FlagValues, withDefault } from "../cli/parameter.ts";
import { choice, id, ids, number, path, savingFlags, toggle } from "../cli/value-parameters.ts";
import { changesEach, lists } from "../cli/verb.ts";
import { changingVerb, rawCustomVerb } from "../cli/verbs-with-code.ts";
import { change } from "../engine/change.ts";
import { Failure, Refused } from "../errors.ts";
import { type Changed, changed, type Result } from "../output/form.ts";
import { programLine } from "../output/line.ts";
import { timeCell, timeText } from "../output/when.ts";
import type { Conclusion, Context, Plan } from "../run/context.ts";
import { type Destination, destinationOf, type SavingFlags } from "../run/saving.ts";
import {
  defaultWait,
  downloadRequested,
  downloadTo,
  exportOf,
  onEarlierServer,
  waitForExport,
  waitForRequested,
} from "./export/download-export.ts";
import { exportTypeNames, exportTypeOf, exportTypeWords } from "./export/export-types.ts";

/** Returns a word, or the link to the file. */
function stateOf({
  pending,
  failed_timestamp,
  deleted_timestamp,
  export_url,
  export_from_prior_server,
}: DataExport): string {
  if (export_from_prior_server) return onEarlierServer;
  if (pending) return "pending";
  if (failed_timestamp) return "failed";
  if (deleted_timestamp) return "deleted";
  return export_url ?? "";
}

const waitTimeout = withDefault(String(defaultWait), number("how many seconds to wait at most", "seconds"));

const creation = {
  type: withDefault(
    "public",
    choice(
      exportTypeNames,
      "public data only; standard: the private data of people who consented too; full_without_consent: everything, if the server's operator allows it",
      "type",
      exportTypeWords,
    ),
  ),
  wait: toggle("wait until it is ready"),
  waitTimeout,
  to: path("with --wait: then download it to this place", "file|directory|-"),
  overwrite: savingFlags.overwrite,
};

const readyResult = (record: DataExport): Changed => ({
  ...changed(`Export ${record.id} is ready: ${record.export_url}`, record, [record.id]),
  onlyCopy: { what: `export ${record.id} is ready, but its link`, hint: "See it with: zulipctl export list" },
});

async function wait(
  context: Context,
  { waitTimeout = defaultWait }: { waitTimeout?: number },
  id: number,
): Promise<Result> {
  // A dry run shows the read, and does not wait.
  if (context.flags.dryRun) await context.ask(getExports, {});
  return readyResult(await waitForExport(context, id, waitTimeout));
}

async function download(context: Context, flags: SavingFlags, id: number): Promise<Conclusion | undefined> {
  const place = await destinationOf(context, flags);
  const { exports } = await (await context.server()).call(getExports, {});
  const record = exportOf(exports, id);
  if (record.pending)
    throw new Refused(`export ${id} is not ready yet`, { hint: `Wait for it with: zulipctl export wait ${id}` });
  return downloadTo(context, record, place);
}

/** Throws `Refused` if the server's operator does not allow exports without consent. */
async function checkFullAccess({ server }: Context): Promise<void> {
  const { realm_owner_full_content_access } = await (await server()).lookUp(register, registerPart("realm"));
  if (realm_owner_full_content_access !== true)
    throw new Refused("permission denied: owners of this organization have no access to all content", {
      hint: "Only the server's operator can allow it, with manage.py (owner_full_content_access).",
    });
}

async function create(context: Context, options: FlagValues<typeof creation>): Promise<Plan> {
  const { type, to, wait, waitTimeout = defaultWait } = options;
  const place = to === undefined ? undefined : await destinationOf(context, options);
  if (type)
    await context.checkSupported(createExport, [
      { param: "export_type", flag: `--type ${type}`, value: exportTypeWords[type] },
    ]);
  if (type === "full_without_consent") await checkFullAccess(context);
  const requested = change(
    createExport,
    { export_type: type && exportTypeWords[type] },
    {
      target: type ?? "public",
      done: "Requested export {id}.",
      ids: "id",
      verifyWith: "zulipctl export list",
      flags: type ? { export_type: "--type" } : {},
      confirm: type === undefined || type === "public" ? undefined : { question: "Export private data" },
    },
  );
  if (!wait) return { changes: [requested] };
  return { changes: [requested], next: (created) => complete(context, created, { seconds: waitTimeout, place }) };
}

/** Waits for a new export, and downloads it if there is a place for it. */
async function complete(
  context: Context,
  created: Changed,
  { seconds, place }: { seconds: number; place: Destination | undefined },
): Promise<Conclusion | undefined> {
  const id = Number(created.answer.id);
  await context.note(programLine(created.sentence));
  try {
    const record = await waitForRequested(context, id, seconds);
    return place ? await downloadRequested(context, record, place) : readyResult(record);
  } catch (error) {
    if (!(error instanceof Failure) || (place && place.path === undefined)) throw error;
    // The export was requested, so programs get its id. People have read it above.
    const isTold = outputForm(context.flags) === "table" && !context.flags.quiet;
    return { kind: "ended", failure: error, result: isTold ? undefined : created };
  }
}

export const exportNoun = noun("Exports of the organization's data", {
  create: changingVerb({
    operation: createExport,
    doc: "Request an export of the organization's data",
    asks: "sometimes",
    operations: ["events.register", "export.list", "export.file"],
    flags: creation,
    requires: [
      ["to", "wait"],
      ["waitTimeout", "wait"],
      ["overwrite", "wait"],
      ["overwrite", "to"],
    ],
    examples: ["zulipctl export create --type public", "zulipctl export create --wait --to organization.tar.gz"],
    run: async () => create,
  }),

  list: lists(getExports, {
    doc: "List data exports",
    operations: ["users.list"],
    records: ({ exports }) => exports,
    emptyFields: [
      "id",
      "acting_user_id",
      "export_time",
      "export_url",
      "deleted_timestamp",
      "failed_timestamp",
      "pending",
      "export_type",
      "export_from_prior_server",
    ],
    id: "id",
    columns: (_, all) => ({
      ID: "id",
      TYPE:
        !all.length || all.some(({ export_type }) => export_type !== undefined) ? { value: exportTypeOf } : undefined,
      REQUESTED: { value: ({ export_time }) => timeCell(export_time), whole: true },
      BY: { names: "user", ids: ({ acting_user_id }) => acting_user_id },
      RESULT: { value: stateOf },
    }),
    examples: ["zulipctl export list -o json"],
  }),

  wait: rawCustomVerb({
    doc: "Wait until an export is ready",
    operations: ["export.list"],
    operands: { id: id("export", "id of the export") },
    flags: { waitTimeout },
    examples: ["zulipctl export wait 1 --wait-timeout 7200"],
    run: async () => wait,
  }),

  download: rawCustomVerb({
    doc: "Download an export",
    operations: ["export.list", "export.file"],
    operands: { id: id("export", "id of the export") },
    flags: savingFlags,
    examples: ["zulipctl export download 1 --to organization.tar.gz"],
    run: async () => download,
  }),

  rm: changesEach(removeExport, {
    doc: "Delete export files permanently; the list still shows the exports",
    operations: ["export.list"],
    things: ids("export", "ids of exports; - reads them from stdin"),
    args: (export_id) => ({ export_id }),
    done: "Deleted the file of export {target}.",
    checkCommand: "export list",
    confirm: {
      ...deletion("export", async (server) =>
        (await server.call(getExports, {})).exports.map(({ id, export_time }) => [
          id,
          `${id} (requested ${timeText(export_time)})`,
        ]),
      ),
      verb: "Delete the file of",
    },
    examples: ["zulipctl export rm 1 --yes"],
  }),

  consents: lists(getConsents, {
    doc: "List who consented to the export of private data",
    records: ({ export_consents }) => export_consents,
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

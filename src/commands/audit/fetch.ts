import { basename } from "node:path";
import { createExport, type DataExport, exportTypeNumbers, getExports } from "../../api/exports.ts";
import { change } from "../../engine/change.ts";
import { asError, Partial, Usage, undefinedOnFailure } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import type { Conclusion, Context, Plan } from "../../run/context.ts";
import { type Destination, destinationOf, type SavingFlags } from "../../run/saving.ts";
import { defaultWait, downloadRequested, waitForRequested } from "../export/download-export.ts";
import { ageOf, keepExport, newPath, savedExports } from "./source.ts";

/** In seconds. */
const hour = 3600;

/** Requests a public export, waits for it, and saves it at `--to` or with the exports of the site. */
export async function fetchPublicExport(context: Context, options: SavingFlags): Promise<Plan | Conclusion> {
  const destination = options.to === undefined ? undefined : await destinationOf(context, options);
  if (!destination && options.overwrite) throw new Usage("--overwrite requires --to");
  // A server makes five exports a week. If it refuses, suggest the newest one.
  const { world, server, note } = context;
  const [newest] = await savedExports(world, (await server()).site);
  const unsaved = context.flags.dryRun ? undefined : await unsavedExport(context);
  if (unsaved) {
    await note(programLine(`export ${unsaved.id} of the last hour was not saved: using it`));
    return (
      (await saved(context, unsaved, destination)) ?? { kind: "listing", records: [], columns: [], id: () => undefined }
    );
  }
  if (newest) await note(programLine(`the newest saved export was fetched ${ageOf(world, newest.fetched)} ago`));
  const words = { target: "public", done: "Requested export {id}.", ids: "id", verifyWith: "zulipctl export list" };
  const request = change(createExport, { export_type: "public" }, words);
  return { changes: [request], next: (made) => download(context, made, destination) };
}

async function download(
  context: Context,
  requested: Changed,
  destination: Destination | undefined,
): Promise<Conclusion | undefined> {
  const { id } = requested.answer;
  if (typeof id !== "number")
    throw new Partial("an export was requested, but the server did not send its id", {
      hint: "Find it with: zulipctl export list",
    });
  return saved(context, await waitForRequested(context, id, defaultWait), destination);
}

/** Saves the file of an export. Undefined for stdout. */
async function saved(context: Context, found: DataExport, destination: Destination | undefined) {
  const { world } = context;
  const { site } = await context.server();
  const path = newPath(world, site, found.id);
  const result = await downloadRequested(context, found, destination ?? { path, overwrite: false }, basename(path));
  if (!destination)
    await keepExport(world, site, path).catch(async (error) => {
      const { message } = asError(error);
      await context.warn(programLine(`warning: cannot note that export ${found.id} is the newest one: ${message}`));
    });
  return result;
}

/**
 * Returns a public export of the last hour that this machine has not saved: each costs one of five in a week. Those that are
 * older than a saved one are left out: they were saved too, and removed since.
 */
async function unsavedExport({ world, server }: Context): Promise<DataExport | undefined> {
  const to = await server();
  const answer = await undefinedOnFailure(to.lookUp(getExports, {}));
  const now = world.clock.now() / 1000;
  const saved = (await savedExports(world, to.site)).map(({ name }) => Number(/-(\d+)\.tar\.gz$/.exec(name)?.[1] ?? 0));
  const newest = Math.max(0, ...saved);
  return answer?.exports.findLast(
    ({ id, pending, export_url, export_type, export_time }) =>
      !pending &&
      export_url &&
      (export_type === "public" || export_type === exportTypeNumbers.public) &&
      now - export_time < hour &&
      id > newest,
  );
}

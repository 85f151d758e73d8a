import { basename } from "node:path";
import { createExport } from "../../api/exports.ts";
import { change } from "../../engine/change.ts";
import { Unreachable, Usage } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import type { Conclusion, Context, Plan } from "../../run/context.ts";
import { type Destination, destinationOf, type SavingFlags } from "../../run/saving.ts";
import { defaultWait, downloadTo, waitForExport } from "../export/file.ts";
import { ageOf, keepExport, newPath, savedExports } from "./source.ts";

/** Requests a public export, waits for it, and saves it at `--to` or with the exports of the site. */
export async function fetch(context: Context, options: SavingFlags): Promise<Plan> {
  const destination = options.to === undefined ? undefined : await destinationOf(context, options);
  if (!destination && options.overwrite) throw new Usage("--overwrite requires --to");
  // A server makes five exports a week. If it refuses, suggest the newest one.
  const { world, server, note } = context;
  const [newest] = await savedExports(world, (await server()).site);
  if (newest) await note(`zulipctl: the newest saved export was fetched ${ageOf(world, newest.fetched)} ago`);
  const words = { target: "public", done: "Requested export {id}.", ids: "id", verifyWith: "zulipctl export list" };
  const request = change(createExport, { export_type: "public" }, words);
  return { changes: [request], next: (made) => download(context, made, destination) };
}

async function download(
  context: Context,
  requested: Changed,
  destination: Destination | undefined,
): Promise<Conclusion | undefined> {
  const { world } = context;
  const { id } = requested.answer;
  if (typeof id !== "number") throw new Unreachable("the server did not send the id of the new export");
  const found = await waitForExport(context, id, defaultWait);
  const { site } = await context.server();
  const path = newPath(world, site, id);
  const saved = await downloadTo(context, found, destination ?? { path, overwrite: false }, basename(path));
  if (!destination) await keepExport(world, site, path);
  return saved;
}

import { type DataExport, getExportFile, getExports } from "../../api/exports.ts";
import { Refused } from "../../errors.ts";
import { fileName } from "../../notation/file-name.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { type Place, pathIn, placeOf, type SavingFlags, save, savedResult } from "../../run/saving.ts";
import { call } from "../../wire/call.ts";
import { exportOf, linkOf } from "./state.ts";

/** The last part of a link's path, as it reads. */
function lastOf(link: string): string {
  const [path = ""] = link.split(/[?#]/);
  const last = path.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Fetches the file of an export that is ready; undefined where stdout has it. */
export async function fetched(context: Context, found: DataExport, place: Place): Promise<Conclusion | undefined> {
  const server = await context.server();
  const export_url = linkOf(found);
  const name = fileName(lastOf(export_url), `export-${found.id}`);
  const path = await pathIn(context, place, name);
  await context.showInstead([call(getExportFile, { export_url })]);
  const saved = await save(context, server.download(getExportFile, { export_url }, { name }), {
    path,
    overwrite: place.overwrite,
  });
  return saved && savedResult(`Export ${found.id}`, found.id, saved);
}

export async function download(context: Context, flags: SavingFlags, id: number): Promise<Conclusion | undefined> {
  const place = await placeOf(context, flags);
  const { exports } = await (await context.server()).call(getExports, {});
  const found = exportOf(exports, id);
  if (found.pending)
    throw new Refused(`export ${id} is not ready yet`, { hint: `Wait for it with: zulipctl export wait ${id}` });
  return fetched(context, found, place);
}

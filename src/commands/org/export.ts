import { outputOptions } from "../../argv/global-flags.ts";
import { Usage } from "../../errors.ts";
import { type ExportOptions, exportContent, organizationYaml } from "../../organization/export.ts";
import { fileSchema } from "../../organization/schema.ts";
import { changed } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { jsonText, sanitizeLine } from "../../output/sanitize.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { checkFree, saveText } from "../../run/saving.ts";
import { fetchSnapshot, readSnapshotFile, showReads } from "./read.ts";

interface ExportFlags {
  only?: ExportOptions["only"];
  without?: ExportOptions["without"];
  with?: readonly string[];
  complete?: boolean;
  from?: string;
  to?: string;
  overwrite?: boolean;
}

export async function exportFile(context: Context, flags: ExportFlags): Promise<Conclusion | undefined> {
  const { form, fields } = outputOptions(context.flags);
  const { only, without, from, overwrite = false } = flags;
  const to = flags.to === "-" ? undefined : flags.to;
  if (overwrite && flags.to === undefined) throw new Usage("--overwrite requires --to");
  const subscribers = flags.with?.includes("subscribers") ?? false;
  if (!["table", "yaml", "json", "none"].includes(form))
    throw new Usage(`org export supports YAML and JSON, not -o ${form}`);
  if (fields) throw new Usage("org export writes the whole file: remove --fields", { hint: "See --only." });
  if (subscribers && without?.includes("subscribers"))
    throw new Usage("--with subscribers cannot be combined with --without subscribers");
  // A device or a directory is never replaced.
  if (to !== undefined) await checkFree(context, to, overwrite);
  if (from === undefined) await showReads(context);
  const snapshot = from === undefined ? await fetchSnapshot(context) : await readSnapshotFile(context, from);
  const { value, omitted } = exportContent(snapshot, { only, without, subscribers, complete: flags.complete });
  for (const line of omitted) await context.warn(programLine(`skipped, unknown to this version: ${line}`));
  if (to !== undefined)
    return saved(
      context,
      { path: to, overwrite },
      form === "json" || /\.json$/i.test(to) ? `${jsonText(value, 2)}\n` : organizationYaml(value),
    );
  if (form === "json" || form === "none") return { kind: "single", record: value, columns: [] };
  await saveText(context, organizationYaml(value), { path: undefined, overwrite: false });
  return undefined;
}

/** Saves the file and reports its path. */
async function saved(context: Context, place: { path: string; overwrite: boolean }, text: string): Promise<Conclusion> {
  const file = await saveText(context, text, place);
  const path = file?.path ?? place.path;
  return changed(sanitizeLine(`Organization saved as ${path}.`), { file: path, ...(file && { size: file.size }) });
}

/** Prints the JSON Schema with a line for each member: people keep it in version control. */
export async function printSchema(context: Context): Promise<Conclusion | undefined> {
  const { form, fields } = outputOptions(context.flags);
  if (form !== "table" || fields) return { kind: "single", record: { ...fileSchema() }, columns: [] };
  await saveText(context, `${jsonText(fileSchema(), 2)}\n`, { path: undefined, overwrite: false });
  return undefined;
}

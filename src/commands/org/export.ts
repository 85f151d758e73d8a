import { outputOptions } from "../../argv/flags.ts";
import { Usage } from "../../errors.ts";
import { type ExportOptions, exportContent, organizationYaml } from "../../organization/export.ts";
import { schema as schemaOfFile } from "../../organization/schema.ts";
import { jsonText } from "../../output/sanitize.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { saveText } from "../../run/saving.ts";
import { fetchSnapshot, readSnapshotFile, showReads } from "./read.ts";

interface Flags {
  only?: ExportOptions["only"];
  without?: ExportOptions["without"];
  with?: readonly string[];
  from?: string;
}

export async function exportFile(context: Context, flags: Flags): Promise<Conclusion | undefined> {
  const { form, fields } = outputOptions(context.flags);
  const { only, without, from } = flags;
  const subscribers = flags.with?.includes("subscribers") ?? false;
  if (!["table", "yaml", "json", "none"].includes(form))
    throw new Usage(`org export supports YAML and JSON, not -o ${form}`);
  if (fields) throw new Usage("org export writes the whole file: remove --fields", { hint: "See --only." });
  if (subscribers && without?.includes("subscribers"))
    throw new Usage("--with subscribers cannot be combined with --without subscribers");
  if (from === undefined) await showReads(context);
  const snapshot = from === undefined ? await fetchSnapshot(context) : await readSnapshotFile(context, from);
  const { value, omitted } = exportContent(snapshot, { only, without, subscribers });
  for (const line of omitted) await context.warn(`zulipctl: skipped, unknown to this version: ${line}`);
  if (form === "json" || form === "none") return { kind: "single", record: value, columns: [] };
  await saveText(context, organizationYaml(value), { path: undefined, overwrite: false });
  return undefined;
}

/** Prints the JSON Schema with a line for each member: people keep it in version control. */
export async function schema(context: Context): Promise<Conclusion | undefined> {
  const { form, fields } = outputOptions(context.flags);
  if (form !== "table" || fields) return { kind: "single", record: { ...schemaOfFile() }, columns: [] };
  await saveText(context, `${jsonText(schemaOfFile(), 2)}\n`, { path: undefined, overwrite: false });
  return undefined;
}

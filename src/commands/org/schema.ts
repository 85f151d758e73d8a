import { formOf } from "../../argv/flags.ts";
import { schema as made } from "../../organization/schema.ts";
import { jsonText } from "../../output/sanitize.ts";
import type { Conclusion, Context } from "../../run/context.ts";

/** People keep it beside their file, where a line for each member makes a difference readable. */
export async function schema({ world, flags }: Context): Promise<Conclusion | undefined> {
  if (formOf(flags) !== "table" || flags.fields) return { kind: "single", record: { ...made() }, columns: [] };
  await world.stdout.write(`${jsonText(made(), 2)}\n`);
  return undefined;
}

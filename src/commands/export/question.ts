import { type DataExport, getExports } from "../../api/exports.ts";
import { Refused } from "../../errors.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";

/** As many are told by their time; more would hide the question. */
const most = 5;

/** The question with the times at which the exports were asked for; with ids alone where these cannot be read. */
export async function question({ server }: Context, ids: readonly number[], otherwise: string): Promise<string> {
  let exports: readonly DataExport[];
  try {
    exports = (await (await server()).call(getExports, {})).exports;
  } catch (error) {
    if (error instanceof Refused) return otherwise;
    throw error;
  }
  const told = ids.slice(0, most).map((id) => {
    const found = exports.find((each) => each.id === id);
    return found ? `${id} (asked for ${when(found.export_time)})` : `${id} (there is none)`;
  });
  if (ids.length === 1) return `This deletes the file of export ${told[0]} for good`;
  const more = ids.length > most ? ` and ${ids.length - most} more` : "";
  return `This deletes the files of ${ids.length} exports for good: ${told.join(", ")}${more}`;
}

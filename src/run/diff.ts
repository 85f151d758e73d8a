/** What `--diff` prints in place of sending anything. */
import { formOf } from "../argv/flags.ts";
import { counted } from "../counted.ts";
import type { Change } from "../engine/change.ts";
import { Difference } from "../errors.ts";
import { write } from "../output/buffered-writer.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { type Conclusion, requests } from "./conclusion.ts";
import { type Context, showRequest } from "./context.ts";

/** Whether the records of a dry run are printed, and not lines for people. */
export const asRecords = ({ flags }: Pick<Context, "flags">): boolean =>
  ["json", "ndjson", "yaml", "none"].includes(formOf(flags));

/** What it ends with where so many changes differ from what is there. */
export const differing = (count: number): Difference | undefined =>
  count ? new Difference(`${counted(count, "change")} would be made`) : undefined;

export async function printDiff({ world }: Pick<Context, "world">, changes: readonly Change[]): Promise<void> {
  for (const line of changes.flatMap(({ diff }) => diff?.lines ?? []))
    await write(world.stdout, `${sanitizeLine(line)}\n`);
}

export async function showDiff(context: Context, changes: readonly Change[]): Promise<Conclusion | undefined> {
  const failure = differing(changes.filter(({ diff }) => diff?.exitCode && diff.differs).length);
  if (asRecords(context)) {
    const server = await context.server();
    const left = changes.filter(({ unchanged }) => !unchanged);
    return { ...requests(await Promise.all(left.map((each) => showRequest(server, each, context.find)))), failure };
  }
  await printDiff(context, changes);
  return failure && { kind: "ended", failure };
}

/** Checks the lists that rows of a batch set as a whole. */
import type { ChangeAndResult } from "../../engine/result-summary.ts";
import type { Finished } from "../../engine/task.ts";
import type { Failure } from "../../errors.ts";
import type { Context } from "../../run/context.ts";
import type { RunRow } from "../../run/journal/row.ts";

/** Returns how a run reads the lists again that its rows set as a whole. */
export function verifiesLists(context: Context, rows: readonly RunRow[], run: string) {
  if (!rows.some(({ changes }) => changes.some(({ setLists }) => setLists))) return {};
  const made: ChangeAndResult[] = [];
  return {
    onFinished({ row, results }: Finished<RunRow>) {
      for (const [n, change] of row.changes.entries())
        if (change.setLists && results[n]) made.push({ change, result: results[n] });
    },
    async verify(failed: Failure | undefined) {
      const found = await (await import("../../run/members/verify.ts")).verifySetLists(context, made, run);
      return failed ?? found;
    },
  };
}

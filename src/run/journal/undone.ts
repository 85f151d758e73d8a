/** Whether an undo has taken back a run: a resumed run would say of these rows that they are done. */
import { Usage } from "../../errors.ts";
import { readRuns } from "../../log/read-runs.ts";
import { compareRuns, type RunRecord } from "../../log/runs.ts";
import type { World } from "../../world/world.ts";

/** Returns the last undo that changed something of a run and was not taken back as a whole. Undefined if there is none. */
export async function undoOf(world: Pick<World, "files" | "directories">, run: string): Promise<RunRecord | undefined> {
  const undos: RunRecord[] = [];
  for await (const record of readRuns(world)) if (record.undoes && record.changes !== 0) undos.push(record);
  const newestFirst = undos.sort((one, other) => compareRuns(other.run, one.run));
  const last = (name: string): RunRecord | undefined =>
    newestFirst.find(
      (undo) =>
        undo.undoes?.includes(name) && !newestFirst.some((redo) => redo.undoes?.includes(undo.run) && !redo.only),
    );
  return last(run);
}

/** Throws `Usage` if an undo has taken back a run that is resumed, unless its rows are sent again. */
export async function refuseUndone(
  world: Pick<World, "files" | "directories">,
  run: string,
  again: boolean | undefined,
): Promise<void> {
  const undo = await undoOf(world, run);
  if (again && !undo)
    throw new Usage(`--again: no undo has taken back run ${run}`, {
      outcome: "not_sent",
      hint: "Resume it without --again.",
    });
  if (!undo || again) return;
  throw new Usage(`changes of run ${run} were taken back by run ${undo.run}`, {
    outcome: "not_sent",
    hint: "Start a new run without --resume. To send its rows again, add: --again",
  });
}

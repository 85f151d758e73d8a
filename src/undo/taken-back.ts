/** Which of several runs were taken back already: they count, with their undos, as nothing. */
import type { LogEntry } from "../log/change-log.ts";
import type { RunRecord } from "../log/runs.ts";
import type { History } from "./history.ts";
import { againKeys, removalOf } from "./kind-steps.ts";
import { keysOf } from "./later-changes.ts";
import { changedSomething } from "./undoable.ts";

/** Returns what an undo changes too, if it takes an entry back. What is removed is made again with another id. */
const keysBack = (entry: LogEntry): readonly string[] => (removalOf(entry) ? againKeys(entry) : keysOf(entry));

/** Returns whether undos have taken back all that a run changed. */
async function isBack(history: History, run: string, lines: readonly LogEntry[]): Promise<boolean> {
  const undos = new Set<string>();
  // What an undo of several runs set may be what another one of them had found.
  const isUndo = ({ undoes }: RunRecord) => undoes?.length === 1 && undoes[0] === run;
  for (const record of history.runs)
    if (isUndo(record) && !(await history.isTakenBack(record.run))) undos.add(record.run);
  const back = new Set(
    lines.flatMap((entry) => (undos.has(entry.run) && entry.outcome === "done" ? keysOf(entry) : [])),
  );
  const own = lines.filter((entry) => entry.run === run && changedSomething(entry));
  return (
    own.length > 0 &&
    own.every((entry) => {
      const keys = keysBack(entry);
      return keys.length > 0 && keys.every((key) => back.has(key));
    })
  );
}

/** Returns the runs without those that were taken back, unless all were. */
export async function withoutTakenBack(history: History, runs: readonly string[]): Promise<readonly string[]> {
  if (runs.length < 2) return runs;
  const lines = await history.since(runs);
  const open: string[] = [];
  for (const run of runs) if (!(await isBack(history, run, lines))) open.push(run);
  return open.length ? open : runs;
}

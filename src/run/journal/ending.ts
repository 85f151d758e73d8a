/** How a run ends: its counts in words, and its failure with the command that resumes. */

import { counted } from "../../common/counted.ts";
import { takenTexts } from "../../effects/policy.ts";
import type { Tally } from "../../engine/result-summary.ts";
import { Cancelled, type Failure, joinHints, Partial } from "../../errors.ts";
import { programLine } from "../../output/line.ts";
import type { Context } from "../context.ts";
import type { LeftOut } from "./row.ts";
import { countTexts } from "./run-progress.ts";
import type { RunWork } from "./run-work.ts";

/** The numbers of rows that their results do not tell. */
export interface RowNumbers {
  /** With those left out. */
  all: number;
  readonly leftOut: Record<LeftOut, number>;
  /** How many took something from people. */
  taken: number;
}

interface Ending {
  readonly tally: Tally;
  readonly counts: RowNumbers;
  /** A table on a terminal has shown the rows. */
  readonly onScreen: boolean;
}

/** Returns `3 rows skipped: empty`, `1 row not selected`. */
export const leftOutTexts = ({ skipped, not_selected }: Record<LeftOut, number>): string[] => [
  ...(skipped ? [`${counted(skipped, "row")} skipped: empty`] : []),
  ...(not_selected ? [`${counted(not_selected, "row")} not selected`] : []),
];

/** Counts rows by result, in words. */
function summaryText(unit: string, tally: Tally, { all, leftOut, taken }: RowNumbers): string {
  const { done, ...failures } = tally.counts;
  const unchanged = tally.unchanged ? ` (${tally.unchanged} unchanged)` : "";
  const counts = [
    `${done} of ${counted(all - leftOut.skipped - leftOut.not_selected, unit)} done${unchanged}`,
    ...countTexts(failures),
    ...leftOutTexts(leftOut),
  ].join(", ");
  return [counts, ...(tally.partly ? [`${tally.partly} done in part`] : []), ...takenTexts(taken)].join("; ");
}

/** Returns the failure of the rows. */
function failureOfRows(
  { flags: { allowIgnored } }: Context,
  unit: string,
  { tally, onScreen }: Ending,
  summary: string,
): Failure | undefined {
  const { message, why, ignored, total } = tally;
  const failure = tally.failure();
  // The table already shows the rows.
  if (failure?.message === message && onScreen) failure.message = why ? `${summary}. Rest not sent: ${why}` : summary;
  if (failure instanceof Cancelled) failure.message = `${failure.message}: ${summary}`;
  if (failure || !ignored || allowIgnored) return failure;
  return new Partial(
    `${ignored} of ${counted(total, unit)} ${ignored === 1 ? "was" : "were"} done but for parameters that the server ignored: ${tally.ignoredNames}`,
    { hint: "Pass --allow-ignored to make this a warning." },
  );
}

/** Names the journal, and the command that resumes. */
function addHint({ details }: Failure, work: RunWork, { counts: { unknown, not_sent } }: Tally): void {
  const { run, withUnknown, resumeCommand, retryCommand, isPiped } = work;
  details.more = { ...details.more, journal: run.journalFile.path };
  if (!unknown && !not_sent) return;
  const how = isPiped ? "Resume with the same input" : "Resume with";
  const again = `Send what is unknown again with: ${retryCommand}`;
  const end = `If the change is there, remove the journal ${run.journalFile.path} to end the run. `;
  const next = unknown && retryCommand ? `${withUnknown ? end : ""}${again}` : `${how}: ${resumeCommand}`;
  details.hint = joinHints(details.hint, next);
}

/** Prints the counts, if the failure does not have them, and returns the failure to end with. */
export async function finishRun(context: Context, work: RunWork, ending: Ending): Promise<Failure | undefined> {
  const { flags, note, warn } = context;
  const { failed, unit = "row" } = work;
  const { tally } = ending;
  const summary = summaryText(unit, tally, ending.counts);
  if (tally.ignored && flags.allowIgnored)
    await warn(programLine(`the server ignored parameters of ${counted(tally.ignored, unit)}: ${tally.ignoredNames}`));
  const failure = failureOfRows(context, unit, ending, summary);
  const lostReport =
    failed?.failure && !failure
      ? new Partial(`the file of --failed could not be written: ${failed.failure.message}`)
      : undefined;
  const hasCounts = [summary, tally.message].some((counts) => failure?.message.includes(counts));
  if (!hasCounts) await note(programLine(summary));
  if (failure) addHint(failure, work, tally);
  return failure ?? lostReport;
}

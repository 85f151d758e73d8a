/** What the journals of earlier runs say: which there are, what they were for and how far they came. */
import type { Counts, RunKind } from "../engine/journal.ts";
import { type JournalReplay, replayJournal } from "../engine/journal-replay.ts";
import { Failure } from "../errors.ts";
import type { World } from "../world.ts";
import { journalOf, runsOf } from "./journal-place.ts";

/**
 * `finished`: it has told what became of every row, and nothing is left to be done with it. `unfinished`: rows of it were
 * not sent, or their outcome is not known, or it did not get to its end.
 */
export interface EarlierRun extends Counts {
  run: string;
  began?: string;
  command?: string;
  site?: string;
  account?: string;
  rows: number;
  state: "finished" | "unfinished" | "unreadable";
  /** Why it cannot be read. */
  error?: string;
  journal: string;
}

const none: Counts = { done: 0, refused: 0, unknown: 0, not_sent: 0, invalid: 0 };

const kinds: readonly RunKind[] = ["batch", "org apply"];

/** What is certain of the rows; the others were not sent, or were so already, which a journal does not tell. */
function countsOf(replay: JournalReplay): Counts {
  const counts = { ...none };
  for (const { outcome } of replay.rows().values()) counts[outcome]++;
  counts.not_sent = Math.max(0, (replay.header?.rows ?? 0) - counts.done - counts.refused - counts.unknown);
  return counts;
}

export async function earlierRun(
  { files }: Pick<World, "files">,
  run: string,
  path: string,
  kind: RunKind = "batch",
): Promise<EarlierRun & { replay: JournalReplay }> {
  const replay = await replayJournal(files, path, kind);
  const { began, command, site, account, rows = 0 } = replay.header ?? {};
  const counts = replay.ended ? { ...none, ...replay.ended } : countsOf(replay);
  // What an application of a file has not sent, the next plan of the file shows.
  const open = counts.unknown + (kind === "batch" ? counts.not_sent : 0);
  return {
    run,
    ...(began !== undefined && { began }),
    ...(command !== undefined && { command }),
    ...(site !== undefined && { site }),
    ...(account !== undefined && { account }),
    rows,
    ...counts,
    state: replay.ended && open === 0 ? "finished" : "unfinished",
    journal: path,
    replay,
  };
}

/** Of which command a run was whose journal lies in the state directory; `last` is the one that began last. */
export async function kindOf(world: Pick<World, "files" | "places">, run: string): Promise<RunKind | undefined> {
  const runs = await Promise.all(kinds.map(async (kind) => ({ kind, names: await runsOf(world, kind) })));
  if (run !== "last") return runs.find(({ names }) => names.includes(run))?.kind;
  const began = ({ names }: { names: string[] }) => names.at(-1)?.slice(0, 19) ?? "";
  return runs.reduce((one, other) => (began(other) > began(one) ? other : one)).kind;
}

/**
 * Every run in the state directory, those of batches and then those of `org apply`, the oldest first; one that cannot be
 * read is among them, with the reason.
 */
export async function* earlierRuns(world: Pick<World, "files" | "places">): AsyncGenerator<EarlierRun> {
  for (const kind of kinds)
    for (const run of await runsOf(world, kind)) {
      const journal = journalOf(world, run, kind);
      try {
        const { replay: _, ...found } = await earlierRun(world, run, journal, kind);
        yield found;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        yield { run, rows: 0, ...none, state: "unreadable", error: error.message, journal };
      }
    }
}

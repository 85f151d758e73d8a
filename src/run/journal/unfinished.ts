/** Finds runs that did not finish by the first and last line of their journals. Reading whole journals takes long. */
import { membersOf, membersOfJson } from "../../common/object-members.ts";
import { type JournalFile, type RunKind, runKinds } from "../../engine/journal.ts";
import { asError } from "../../errors.ts";
import type { World } from "../../world/world.ts";
import { isFinished, listJournals, newestFirst } from "./journal-files.ts";

interface UnfinishedRun {
  readonly run: string;
  readonly kind: RunKind;
  readonly began?: string;
  readonly site?: string;
  readonly rows?: number;
  /** What is open, in words. */
  readonly state: string;
}

/** Only so many of the newest runs are read. */
const newest = 10;

/** The last line is short: it has the counts. */
const longestEnd = 4096;

/** Returns the first and the last line of a file. */
async function endsOf(chunks: AsyncIterable<Uint8Array>): Promise<{ first: string; last: string }> {
  let head = "";
  let tail = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!head.includes("\n")) head += Buffer.from(chunk).toString();
    tail = Buffer.concat([tail, chunk.subarray(-longestEnd)]).subarray(-longestEnd);
  }
  return { first: head.split("\n", 1)[0] ?? "", last: tail.toString().trimEnd().split("\n").at(-1) ?? "" };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Undefined for a finished run. */
export async function unfinishedIn(
  { files }: Pick<World, "files">,
  { run, path, kind }: { run: string; path: string; kind: RunKind },
): Promise<UnfinishedRun | undefined> {
  const ends = await endsOf(files.stream(path)).catch(asError);
  if (ends instanceof Error) return { run, kind, state: `the journal cannot be read: ${ends.message}` };
  const { began, site, rows, journal } = membersOfJson(ends.first);
  // A line that was not written completely has no members.
  const { ended, counts } = membersOfJson(ends.last);
  const { unknown = 0, not_sent = 0 } = membersOf(counts);
  if (!isCount(unknown) || !isCount(not_sent)) return { run, kind, state: "the journal is damaged" };
  if (ended !== undefined && isFinished(kind, { unknown, not_sent })) return undefined;
  const parts = [unknown && `${unknown} unknown`, not_sent && `${not_sent} not sent`];
  return {
    // A path does not say which command has written the journal.
    ...{ run, kind: runKinds.find((each) => journal === `zulipctl ${each}`) ?? kind },
    ...{ began: textOf(began), site: textOf(site) },
    rows: isCount(rows) ? rows : undefined,
    state: ended === undefined ? "stopped before its end, or still running" : parts.filter(Boolean).join(", "),
  };
}

/** Returns the newest journals, the newest first. */
const newestJournals = async (world: Pick<World, "files" | "directories">): Promise<JournalFile[]> =>
  newestFirst(await listJournals(world)).slice(0, newest);

/** Returns the unfinished runs among the newest, the newest first. */
export async function unfinishedRuns(world: Pick<World, "files" | "directories">): Promise<UnfinishedRun[]> {
  const found = await Promise.all((await newestJournals(world)).map((journal) => unfinishedIn(world, journal)));
  return found.filter((run) => run !== undefined);
}

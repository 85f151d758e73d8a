/** Reads the runs of this machine back, the newest first. */

import { keyed, membersOfJson } from "../common/object-members.ts";
import { MiB } from "../common/unit-sizes.ts";
import { asError, Usage, unexpected } from "../errors.ts";
import { fits } from "../wire/fits.ts";
import { anything, boolean, integer, list, object, optional, record, string } from "../wire/types.ts";
import type { World } from "../world/world.ts";
import { entryMembers } from "./entry-members.ts";
import { rollingLines } from "./rolling-lines.ts";
import { type RunRecord, runsPath, runsSize, sendingPath, sendingSize } from "./runs.ts";

const maxLineBytes = MiB;

const hasMembersOfRun = fits(
  object({
    run: string,
    ...keyed(["began", "command", "job", "process", "site", "account", "journal", "path", "ended"], () =>
      optional(string),
    ),
    ...keyed(["isUndo", "isRead", "unlogged", "followsUnkept", "hasConflicts", "sends"], () => optional(boolean)),
    ...keyed(["undoes", "only"], () => optional(list(string))),
    ...keyed(["lines", "changes"], () => optional(integer)),
    made: optional(record(list(anything))),
  }),
);

const isSendingLine = fits(object({ run: string, open: entryMembers }));

const isSending = (value: unknown): value is Required<Pick<RunRecord, "run" | "open">> => isSendingLine(value);

const isRunLine = (value: unknown): value is RunRecord => hasMembersOfRun(value);

const unreadable = (cause: unknown): Usage =>
  new Usage(`cannot read the log of runs: ${unexpected(asError(cause)).message}`, { cause });

/**
 * Yields the runs as they began, the newest first. A damaged line stops nothing but itself. Throws `Usage` if a file cannot be
 * read.
 */
export async function* readRuns(world: Pick<World, "files" | "directories">): AsyncGenerator<RunRecord> {
  try {
    yield* runsOf(world);
  } catch (error) {
    throw unreadable(error);
  }
}

async function* runsOf({ files, directories }: Pick<World, "files" | "directories">): AsyncGenerator<RunRecord> {
  /** What later lines say of runs whose beginning is not read yet. */
  const later = new Map<string, RunRecord>();
  for await (const bytes of rollingLines({ files }, runsPath(directories.state), runsSize, maxLineBytes)) {
    const line: unknown = bytes && membersOfJson(bytes.toString("utf8"));
    if (!isRunLine(line)) continue;
    const known = { ...line, ...later.get(line.run) };
    if (line.began === undefined) {
      later.set(line.run, known);
      continue;
    }
    later.delete(line.run);
    yield known;
  }
  // Their beginnings are damaged, or no longer kept.
  yield* later.values();
}

/** Returns the last change that each run without a journal has sent. Throws `Usage` if a file cannot be read. */
export async function readSending({
  files,
  directories,
}: Pick<World, "files" | "directories">): Promise<ReadonlyMap<string, RunRecord["open"]>> {
  const sending = new Map<string, RunRecord["open"]>();
  try {
    for await (const bytes of rollingLines({ files }, sendingPath(directories.state), sendingSize, maxLineBytes)) {
      const line: unknown = bytes && membersOfJson(bytes.toString("utf8"));
      if (isSending(line) && !sending.has(line.run)) sending.set(line.run, line.open);
    }
  } catch (error) {
    throw unreadable(error);
  }
  return sending;
}

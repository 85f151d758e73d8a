/** Marks runs as finished that stopped before their end, when a later one has made the rest of their changes. */
import type { Server } from "../../client/server.ts";
import type { Header, RunKind } from "../../engine/journal.ts";
import { JournaledRun } from "../../engine/journaled-run.ts";
import { undefinedOnFailure } from "../../errors.ts";
import type { World } from "../../world/world.ts";
import { headerAccount, journalCounts, listJournals } from "./journal-files.ts";
import { unfinishedIn } from "./unfinished.ts";

/** `isMade`: all changes of that run are made. A journal in use, or one that cannot be read or written, stays as it is. */
export async function markFinished(
  world: World,
  kind: RunKind,
  server: Server,
  isMade: (header: Header) => boolean,
): Promise<void> {
  const { site, account } = headerAccount(server);
  for (const place of await listJournals(world, [kind])) {
    if (!(await unfinishedIn(world, place))) continue;
    const run = await undefinedOnFailure(JournaledRun.open(world, place, true));
    if (!run) continue;
    try {
      const { replay } = run;
      if (replay?.header?.site !== site || replay.header.account !== account || !isMade(replay.header)) continue;
      const { unknown, not_sent, ...counts } = { ...journalCounts(replay), ...replay.finalCounts };
      await undefinedOnFailure(run.endedLater({ ...counts, unknown: 0, not_sent: unknown + not_sent }));
    } finally {
      await run.close();
    }
  }
}

/** Finds in the log whom earlier runs have added to channels and groups. */

import { numbersIn } from "../../common/object-members.ts";
import { logPath } from "../../log/change-log.ts";
import { readLog } from "../../log/read-log.ts";
import { programLine } from "../../output/line.ts";
import type { Context } from "../context.ts";
import { oncePerRun } from "../once-per-run.ts";

type Added = ReadonlyMap<string, ReadonlySet<number>>;

const additions = new Set(["group.members", "channel.subscribe"]);
const removals = new Set(["group.members", "channel.unsubscribe"]);

/** A command line begins with flags of its own, if any. */
const isUndo = (command: string): boolean => /^zulipctl(?: -\S+(?: [^-\s]\S*)?)*? undo\b/.test(command);

const additionsInLog = oncePerRun(async (context: Context): Promise<Added> => {
  const { world, note } = context;
  const { site, email } = await context.server();
  const added = new Map<string, Set<number>>();
  if ((await world.files.kind(logPath(world.directories.state))) === undefined) {
    await note(programLine("--once: there is no log here, so everybody is added"));
    return added;
  }
  const undone = new Map<string, Set<number>>();
  const idsOf = (all: Map<string, Set<number>>, thing: string) => {
    const ids = all.get(thing) ?? new Set<number>();
    all.set(thing, ids);
    return ids;
  };
  const isOurs = (entry: { outcome: string; site: string; account: string | undefined }) =>
    entry.outcome === "done" && entry.site === site && entry.account === email;
  // The newest line comes first: an addition that was undone later does not count.
  for await (const { operation, thing, to = {}, command } of readLog(world, isOurs, () => undefined)) {
    if (thing === undefined) continue;
    if (isUndo(command)) {
      if (removals.has(operation)) for (const id of numbersIn(to.delete ?? to.principals)) idsOf(undone, thing).add(id);
    } else if (additions.has(operation))
      for (const id of numbersIn(to.add ?? to.principals)) if (!undone.get(thing)?.has(id)) idsOf(added, thing).add(id);
  }
  return added;
});

/** Returns whom earlier runs of this account have added, unless that was undone. `thing`: `group 7`. */
export async function addedEarlier(context: Context, thing: string): Promise<ReadonlySet<number>> {
  return (await additionsInLog(context)).get(thing) ?? new Set();
}

/** Looks whether a creation without an answer was made: a record says who created a thing, and when. */
import { membersOf } from "../common/object-members.ts";
import { commandLine } from "../common/shell-words.ts";
import type { LogEntry } from "../log/change-log.ts";
import { type Item, left } from "./item.ts";
import { creationOf, madeKey } from "./kind-steps.ts";
import { takeAway } from "./made-things.ts";
import type { Planning } from "./planning.ts";
import { reasonOf } from "./reasons.ts";
import { clockDifference } from "./state.ts";
import type { Thing } from "./thing.ts";

/** Takes it away if it was made. What may be another thing is left alone. */
export async function takeAwayIfMade(
  planning: Planning,
  thingOf: (id?: unknown) => Thing,
  entry: LogEntry,
): Promise<Item[]> {
  const { state } = planning;
  const { operation, to = {}, time } = entry;
  const update = creationOf(entry)?.update;
  // Subscribing people to a new channel makes it.
  const name = to.name ?? membersOf([to.subscriptions].flat()[0]).name;
  const look = (...words: string[]) => `look with: ${commandLine([operation.split(".")[0] ?? "", ...words])}`;
  const unknown = (...words: string[]) => [
    left(thingOf(), entry, "impossible", `${reasonOf(entry)}; ${look(...words)}`),
  ];
  const listed = update && (await state.listed(update));
  if (!listed || typeof name !== "string") return unknown("list");
  const found = listed.records.find((each) => each.name === name.trim());
  if (!found) return [];
  const { creator_id, date_created, [listed.id]: id } = found;
  if (typeof creator_id !== "number" || typeof date_created !== "number") return unknown("show", name);
  if (state.logged.madeLater.has(madeKey(entry, id)))
    return [left(thingOf(id), entry, "conflict", `a later run made it; ${look("show", name)}`)];
  const isThen = Math.abs(date_created * 1000 - Date.parse(time)) < clockDifference;
  if (creator_id === (await state.ownId()) && isThen)
    return takeAway(planning, thingOf(id), { ...entry, outcome: "done" }, id);
  const says = `it is unknown whether the run made it, or somebody else; ${look("show", name)}`;
  return [left(thingOf(), entry, "conflict", says)];
}

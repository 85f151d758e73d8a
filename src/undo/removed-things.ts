/** Makes again what runs removed. */
import { provisional } from "../engine/provisional-ids.ts";
import type { LogEntry } from "../log/change-log.ts";
import { fieldLabel } from "../model/field.ts";
import { kindNamed } from "../model/kinds/index.ts";
import { hasMasked, maskUrlsIn } from "../notation/url-secrets.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { changeOf, type Item, left } from "./item.ts";
import { againKeys, removalOf, type StepArgs } from "./kind-steps.ts";
import type { Planning } from "./planning.ts";
import type { State } from "./state.ts";
import type { Thing } from "./thing.ts";

/** Returns the arguments of the request that adds again what an entry removed. */
function argsAgain({ at, from }: LogEntry, { params }: AnyOperation): StepArgs {
  const all: StepArgs = { ...at, ...from };
  return Object.fromEntries(
    Object.keys(params).flatMap((name) => (all[name] === undefined || all[name] === null ? [] : [[name, all[name]]])),
  );
}

/** Returns why a thing that is not there stays away: somebody else has removed it since. */
function removedLater({ logged }: State, entry: LogEntry): string | undefined {
  const { run, isBack } = logged.later.of(againKeys(entry)[0] ?? "");
  if (run !== undefined) return `it was removed by run ${run} since`;
  return isBack ? "it was taken back already, and removed since" : undefined;
}

/** Returns what to say of a thing that is there. Nothing if it is the same. Drafts can be alike. */
function unlessSame(thing: Thing, entry: LogEntry, args: StepArgs, there: StepArgs): Item[] {
  const other = Object.keys(args).filter(
    (name) => there[name] !== undefined && JSON.stringify(maskUrlsIn(there[name])) !== JSON.stringify(args[name]),
  );
  const why = `there is another one now: ${other.map(fieldLabel).join(", ")} ${other.length === 1 ? "differs" : "differ"}`;
  return other.length && thing.kind !== "draft" ? [left(thing, entry, "conflict", why)] : [];
}

/** Adds a thing again that the runs removed. Nothing if it is there. */
export async function addAgain(planning: Planning, thing: Thing, entry: LogEntry): Promise<Item[]> {
  const { state, again, remade } = planning;
  const removal = removalOf(entry);
  if (!removal) return [];
  const { kind, operation, id } = removal;
  const args = argsAgain(entry, operation);
  const found = await state.found(kind, args);
  // Without an answer it may be there still, with what the runs set before.
  if (!found && entry.outcome === "unknown" && thing.id !== undefined && (await state.record(kind, thing.id)))
    return [left(thing, entry, "impossible", "it was not removed, and what was changed before is still so")];
  // The plan takes away before what the run added in its place.
  const isReplaced = found && planning.removed.has(`${thing.kind} ${found.id ?? thing.name}`);
  const { key } = kindNamed(kind);
  const isSameKey = (values: StepArgs) => key.every((name) => values[name] === args[name]);
  // Somebody else had added it again before a later one of the runs removed it.
  const next = remade.find((other) => other.kind === kind && isSameKey(other.values));
  const there = next ? next.values : isReplaced ? undefined : found;
  const isRemovedByOthers = planning.gone.some((other) => other.kind === thing.kind && isSameKey(other.values));
  if (!there && isRemovedByOthers) return [left(thing, entry, "conflict", "what replaced it is gone, or not visible")];
  const later = found ? undefined : removedLater(state, entry);
  if (later !== undefined) return [left(thing, entry, "conflict", later)];
  const isLinkifier = kind === "linkifier";
  const newId = there ? Number(there.id) : provisional(again.size + 1);
  if (isLinkifier) again.set(Number(entry.at?.filter_id), { id: newId, pattern: thing.name });
  if (there) return unlessSame(thing, entry, args, there);
  if (hasMasked(args)) return [left(thing, entry, "impossible", "it has a secret, which the log does not keep")];
  if (kind !== "draft") remade.push({ kind, values: { ...args, id: newId } });
  const says = "added again";
  const notes = id ? ["with a new id"] : [];
  const more = { ...(id && { ids: id }), ...(isLinkifier && { provisionalId: newId }) };
  return [{ ...thing, sign: "+", says, notes, changes: [changeOf(thing, { operation, args, says }, more)] }];
}

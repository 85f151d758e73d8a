/** Makes again what runs removed. */
import { provisional } from "../engine/provisional-ids.ts";
import type { LogEntry } from "../log/change-log.ts";
import { fieldLabel } from "../model/field.ts";
import { kindNamed } from "../model/kinds/index.ts";
import { hasMasked, maskUrlsIn } from "../notation/url-secrets.ts";
import { changeOf, type Item, left } from "./item.ts";
import { againKeys, removalOf, type StepArgs } from "./kind-steps.ts";
import type { Planning } from "./planning.ts";
import type { Thing } from "./thing.ts";

/** Adds a thing again that the runs removed. Nothing if it is there. */
export async function addAgain(planning: Planning, thing: Thing, entry: LogEntry): Promise<Item[]> {
  const { state, again, remade } = planning;
  const { from = {}, at = {} } = entry;
  const removal = removalOf(entry);
  if (!removal) return [];
  const { kind, operation, id } = removal;
  const all = { ...at, ...from };
  const args = Object.fromEntries(
    Object.keys(operation.params).flatMap((name) =>
      all[name] === undefined || all[name] === null ? [] : [[name, all[name]]],
    ),
  );
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
  const since = found ? undefined : state.logged.later.of(againKeys(entry)[0] ?? "");
  if (since?.run !== undefined) return [left(thing, entry, "conflict", `it was removed by run ${since.run} since`)];
  if (since?.isBack) return [left(thing, entry, "conflict", "it was taken back already, and removed since")];
  const isLinkifier = kind === "linkifier";
  const newId = there ? Number(there.id) : provisional(again.size + 1);
  if (isLinkifier) again.set(Number(at.filter_id), { id: newId, pattern: thing.name });
  if (there) {
    const other = Object.keys(args).filter(
      (name) =>
        there[name] !== undefined &&
        kind !== "draft" &&
        JSON.stringify(maskUrlsIn(there[name])) !== JSON.stringify(args[name]),
    );
    const why = `there is another one now: ${other.map(fieldLabel).join(", ")} ${other.length === 1 ? "differs" : "differ"}`;
    return other.length ? [left(thing, entry, "conflict", why)] : [];
  }
  if (hasMasked(args)) return [left(thing, entry, "impossible", "it has a secret, which the log does not keep")];
  // Drafts can be alike.
  if (kind !== "draft") remade.push({ kind, values: { ...args, id: newId } });
  const says = "added again";
  const notes = id ? ["with a new id"] : [];
  const more = { ...(id && { ids: id }), ...(isLinkifier && { provisionalId: newId }) };
  return [{ ...thing, sign: "+", says, notes, changes: [changeOf(thing, { operation, args, says }, more)] }];
}

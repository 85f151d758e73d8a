/** How an undo ends: what is left alone, and what is not back. */
import { joinFirst } from "../../common/counted.ts";
import { numbersIn } from "../../common/object-members.ts";
import { Conflict, type Failure, Partial, Refused } from "../../errors.ts";
import { whoIn } from "../../model/permission.ts";
import { programLine } from "../../output/line.ts";
import type { Context } from "../../run/context.ts";
import type { RunRow } from "../../run/journal/row.ts";
import { endVerified, notInEffect } from "../../run/journal/verified.ts";
import type { LoggedRun } from "../../undo/entries.ts";
import type { Item } from "../../undo/item.ts";
import { thingKey, titleOf } from "../../undo/thing.ts";
import { leftLines } from "./plan-text.ts";

/** What is left alone has a result without a request. */
export function withResult(row: RunRow, item: Item | undefined): RunRow {
  if (!item?.left) return row;
  const { kind, says } = item.left;
  const failure =
    kind === "conflict"
      ? new Conflict(says, { outcome: "not_sent" })
      : new Refused(`cannot be undone: ${says}`, { outcome: "not_sent" });
  const all = row.changes.length ? row.changes : item.changes;
  return { ...row, changes: all, knownResults: all.map(() => ({ outcome: "refused", failure })) };
}

/** Returns what the run ends with because of what is left alone. */
export function leftFailure(items: readonly Item[], { isIncomplete, left, title }: LoggedRun): Failure | undefined {
  const kinds = items.flatMap(({ left }) => left?.kind ?? []);
  if (!kinds.length && !isIncomplete) return undefined;
  const isConflict = !isIncomplete && kinds.every((kind) => kind === "conflict");
  const lines = [...leftLines(items, true), ...left];
  const message = `not all of ${title} can be undone: ${lines.slice(0, 10).join("; ")}`;
  return new (isConflict ? Conflict : Partial)(message, { outcome: "not_sent" });
}

/** Returns what the run ends with if nothing of it goes back. */
export function impossibility(items: readonly Item[], { title, isIncomplete }: LoggedRun): Failure | undefined {
  if (!items.length || items.some(({ left }) => !left)) return undefined;
  const message = `nothing of ${title} can be undone: ${leftLines(items, true).slice(0, 10).join("; ")}`;
  const isConflict = !isIncomplete && items.every(({ left }) => left?.kind === "conflict");
  return new (isConflict ? Conflict : Refused)(message, { outcome: "not_sent" });
}

/**
 * Returns what is not back: what another reading would still send, and whatever the plan sent that is now something else than
 * it should be.
 */
function notBack(planned: readonly Item[], fresh: readonly Item[]): Item[] {
  const sent = new Set(planned.filter(({ left }) => !left).map(thingKey));
  const leftBefore = new Set(planned.flatMap((item) => (item.left ? [`${thingKey(item)} ${item.left.says}`] : [])));
  return fresh.filter(
    (item) => !item.left || (sent.has(thingKey(item)) && !leftBefore.has(`${thingKey(item)} ${item.left.says}`)),
  );
}

/** Returns whether reading tells of all of a plan: lists and permissions do not show whom it deactivates. */
function isShownByReading(planned: readonly Item[]): boolean {
  const leaving = planned.filter(({ sign, kind }) => sign === "-" && /^(person|bot)$/.test(kind ?? ""));
  const hidden = new Set(leaving.map(({ id }) => id));
  const named = planned.flatMap(({ values = [] }) =>
    values.flatMap(({ now }) => [...numbersIn(now), ...whoIn(now).direct_members]),
  );
  return !named.some((id) => hidden.has(id));
}

/** Returns whether only refusals failed, and reading tells of them. */
const isRefusalAlone = (failed: Failure | undefined, planned: readonly Item[]): boolean =>
  (failed instanceof Refused || failed instanceof Partial) &&
  !failed.details.more?.not_sent &&
  planned.every(({ left }) => !left) &&
  isShownByReading(planned);

/**
 * Returns what a sent undo ends with. `planned`: the plan before it was sent, with what somebody changed meanwhile. `sent`: the
 * same with names. `fresh`: the plan, made again afterwards.
 */
export async function failureAfter(
  context: Context,
  { planned, sent, fresh }: Readonly<Record<"planned" | "sent" | "fresh", readonly Item[]>>,
  { isIncomplete, left }: LoggedRun,
  failed: Failure | undefined,
  /** Says that earlier undos are complete. */
  finish: () => Promise<void>,
): Promise<Failure | undefined> {
  const wrong = notBack(planned, fresh);
  if (!wrong.length) {
    await finish();
    const now = "everything that could go back is back";
    const incomplete = isIncomplete ? new Partial(left.join("; ")) : undefined;
    if (isRefusalAlone(failed, sent)) {
      await context.note(programLine(`${failed?.message}. Verified: ${now}`));
      return incomplete;
    }
    return failed || !incomplete ? endVerified(context, failed, now) : incomplete;
  }
  const titles = wrong.map(titleOf);
  if (!failed) return notInEffect(titles, "back");
  await context.note(programLine(`not back: ${joinFirst(titles, 10)}`));
  return failed instanceof Conflict ? new Partial(failed.message) : failed;
}

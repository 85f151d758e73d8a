/** Takes away what runs made, unless somebody else has changed or replaced it since. */

import { removeEmoji } from "../api/emoji.ts";
import { updateGroup } from "../api/groups.ts";
import { updateOrganization } from "../api/organization.ts";
import { removePlayground } from "../api/playgrounds.ts";
import { joinFirst } from "../common/counted.ts";
import { membersOf } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { fieldLabel } from "../model/field.ts";
import { isPermissionName } from "../model/permission.ts";
import { maskUrlsIn } from "../notation/url-secrets.ts";
import { desiredOf, differingIn } from "../resolve/desired.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { changeOf, type Item, left } from "./item.ts";
import { againKeys, creationOf, identified, madeKey, mayRemove, removalOf, type StepArgs } from "./kind-steps.ts";
import { thingKeyOf } from "./later-changes.ts";
import { unlessUsed } from "./later-content.ts";
import type { Planning } from "./planning.ts";
import { gone, replacedEmoji } from "./reasons.ts";
import { differsByItself, released } from "./release.ts";
import type { State } from "./state.ts";
import type { Thing } from "./thing.ts";

/** `id`: the id, or the name, of what was made. */
export async function takeAway(planning: Planning, thing: Thing, entry: LogEntry, id: unknown): Promise<Item[]> {
  const { state } = planning;
  const items: Item[] = [];
  for (const found of await removalsOf(planning, thing, entry, id)) {
    const item = planning.refusals.applyTo(found, entry);
    items.push(item.left ? item : await unlessUsed(state, entry, item, id));
  }
  // Archived folders stay in the order.
  const isRemoved = (says: string | undefined) => says === "removed" || thing.kind === "channel";
  const isGone = items.some(({ left }) => left?.says === gone) || (state.logged.isSent && !items.length);
  if (isGone) planning.gone.push({ kind: thing.kind, values: entry.to ?? {} });
  if (items.some(({ left, says }) => !left && isRemoved(says))) planning.removed.add(`${thing.kind} ${id}`);
  return items;
}

/** Returns what happened since to a thing that an entry made. */
const later = ({ logged }: State, entry: LogEntry, id: unknown) => logged.later.of(thingKeyOf(madeKey(entry, id)));

/** Returns the place of an entry. What the runs changed later of the thing has been added to it. -1 if it is not there. */
const placeOf = (entry: LogEntry, entries: readonly LogEntry[]): number =>
  entries.findIndex(({ run, n }) => run === entry.run && n !== undefined && n === entry.n);

/** Returns all entries if the place of the entry is not known. */
function entriesBefore(entry: LogEntry, entries: readonly LogEntry[]): readonly LogEntry[] {
  const place = placeOf(entry, entries);
  return place < 0 ? entries : entries.slice(0, place);
}

/** Returns what to say of a thing that is not there. Nothing if an undo took it away. */
function notThere(state: State, thing: Thing, entry: LogEntry, id: unknown): Item[] {
  const { isSent, isInterrupted, entries } = state.logged;
  const key = madeKey(entry, id);
  // What the runs removed before was another one of the name.
  if (entries.slice(placeOf(entry, entries) + 1).some((each) => mayRemove(each, key))) return [];
  const { isBack, wasBack, mayBeBack } = later(state, entry, id);
  // If that undo was taken back, only some kinds of things were added again.
  const isTakenAway = isSent || isInterrupted || mayBeBack || (againKeys(entry).length ? isBack : wasBack);
  return isTakenAway ? [] : [left(thing, entry, "conflict", gone)];
}

/** Whether something with a name, and no id, is as it was before the runs replaced it. */
function isAsBefore(state: State, entry: LogEntry, id: unknown, now: StepArgs | undefined): boolean {
  if (creationOf(entry)?.named === undefined || !now) return false;
  const key = madeKey(entry, id);
  const removed = entriesBefore(entry, state.logged.entries).find(
    (each) => each.thing === key && each.outcome === "done" && removalOf(each),
  );
  const { at, from } = removed ?? {};
  const before: StepArgs = { ...at, ...from };
  return from !== undefined && Object.keys(entry.to ?? {}).every((name) => now[name] === before[name]);
}

async function removalsOf(planning: Planning, made: Thing, entry: LogEntry, id: unknown): Promise<Item[]> {
  const { state } = planning;
  const { named, removed } = creationOf(entry) ?? {};
  const step = removed?.(id);
  if (!step) return [];
  // The plan removes what a later one of the runs has added under this name.
  if (named !== undefined && planning.removed.has(`${made.kind} ${id}`)) return [];
  const thing = await asNamed(state, made, entry, id);
  const { operation, args, says } = step;
  const now = await state.values(operation, args);
  if (isAsBefore(state, entry, id, now)) return [];
  const { changes: before, notes } = await released(planning, thing, step);
  const changes = [...before, changeOf(thing, step)];
  const language =
    operation === removePlayground
      ? (planning.settings.get("default_code_block_language") ?? (await state.codeBlockLanguage()))
      : undefined;
  if (language && language === now?.pygments_language) {
    const args = { default_code_block_language: language };
    const kept = { operation: updateOrganization, args, says: "kept", what: "default_code_block_language" };
    changes.push(changeOf({ name: "settings", run: entry.run }, kept));
  }
  const item: Item = { ...thing, sign: "-", says, notes, changes };
  const isGone = !now || !Object.hasOwn(now, Object.keys(entry.to ?? {})[0] ?? "");
  // Another one has the same name.
  const since = now && !isGone && named !== undefined ? later(state, entry, id) : undefined;
  if (since?.wasBack) return [left(thing, entry, "conflict", "it was taken back already, and added since")];
  if (since?.run !== undefined) return [left(thing, entry, "conflict", `it was changed by run ${since.run} since`)];
  if (!operation.before)
    return operation.previous && isGone ? notThere(state, thing, entry, id) : unlessChanged(entry, now, item);
  if (!now) return notThere(state, thing, entry, id);
  if (differingIn(operation, desiredOf({ operation, args }), now).length === 0) return [];
  return operation === removeEmoji ? unlessOther(state, entry, item, id) : unlessAdopted(state, entry, item, id);
}

const changedSince = (names: readonly string[]): string =>
  `${joinFirst(names, names.length)} ${names.length === 1 ? "was" : "were"} changed since`;

/** Returns the values that a run gave to a thing that it made, by the parameters of its updates. */
function valuesMade({ to = {} }: LogEntry, { params, renames = "name" }: AnyOperation): Record<string, unknown> {
  // Subscribing people to a new channel makes it.
  const { name, ...all } = Array.isArray(to.subscriptions) ? { ...to, ...membersOf(to.subscriptions[0]) } : to;
  const values: Record<string, unknown> = { ...(name !== undefined && { [renames]: name }), ...all };
  return Object.fromEntries(Object.entries(values).filter(([each]) => Object.hasOwn(params, each)));
}

/** Returns the values that something has now, and how its updates name them. */
async function currentValues(state: State, entry: LogEntry, id: unknown) {
  const update = creationOf(entry)?.update;
  const now = update && (await state.values(update, identified(update, id)));
  return now && { update, now };
}

/** Returns a thing with the name that it has now. People and bots have their address. */
async function asNamed(state: State, thing: Thing, entry: LogEntry, id: unknown): Promise<Thing> {
  if (thing.kind === "person" || thing.kind === "bot") return thing;
  const current = await currentValues(state, entry, id);
  const name = current?.now[current.update.renames ?? "name"];
  return typeof name === "string" ? { ...thing, name } : thing;
}

/** What has other values than the run gave it is somebody's by now. */
async function unlessAdopted(state: State, entry: LogEntry, item: Item, id: unknown): Promise<Item[]> {
  const current = await currentValues(state, entry, id);
  if (!current) return [item];
  const { update, now } = current;
  const given = valuesMade(entry, update);
  const all = desiredOf({ operation: update, args: given });
  const known = new Map([...all].filter(([name]) => now[name] !== undefined));
  const differing = differingIn(update, known, now);
  const isReleased = await Promise.all(
    differing.map(
      async (name) =>
        update === updateGroup && isPermissionName(name) && differsByItself(state, id, given[name], now[name]),
    ),
  );
  const changed = differing.filter((_, n) => !isReleased[n]).map(fieldLabel);
  return changed.length ? [left(item, entry, "conflict", changedSince(changed))] : [item];
}

/** An emoji of the name may be another one than the run added. */
async function unlessOther(state: State, entry: LogEntry, item: Item, id: unknown): Promise<Item[]> {
  const [all, ownId] = await Promise.all([state.emoji(), state.ownId()]);
  const named = all.filter(({ name }) => name === id);
  const found = named.find(({ deactivated }) => !deactivated);
  if (!found) return [];
  const conflict = (says: string) => [left(item, entry, "conflict", says)];
  const { entries } = state.logged;
  const key = madeKey(entry, id);
  if (entriesBefore(entry, entries).some((each) => mayRemove(each, key)))
    return [left(item, entry, "impossible", replacedEmoji)];
  if (typeof found.author_id !== "number") return conflict("the server does not say who added it");
  if (found.author_id !== ownId) return conflict("somebody else added an emoji of this name since");
  const isOne = named.filter(({ author_id }) => author_id === ownId).length === 1;
  return isOne ? [item] : conflict(`it may be another one of this name; remove it with: zulipctl emoji rm ${id}`);
}

/** Returns a value for comparison. Servers give drafts a time, and take blanks from their ends. */
function textOf(value: unknown): string {
  const [draft] = [value].flat().map(membersOf);
  return JSON.stringify(draft?.content === undefined ? value : [draft.topic, String(draft.content).trim()]);
}

/** What somebody else changed since is not removed. */
function unlessChanged(entry: LogEntry, now: StepArgs | undefined, item: Item): Item[] {
  const { to = {}, ids = [] } = entry;
  const made = Array.isArray(to.drafts) ? { drafts: [to.drafts[ids.indexOf(item.id)]] } : to;
  const names = Object.keys(made).filter((name) => now?.[name] !== undefined && now[name] !== null);
  const changed = names.filter((name) => textOf(maskUrlsIn(now?.[name])) !== textOf(membersOf(made)[name]));
  return changed.length ? [left(item, entry, "conflict", changedSince(changed.map(fieldLabel)))] : [item];
}

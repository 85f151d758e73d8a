/** Values of which a parameter holds several, and orders, with names for people. */
import { membersOf, numbersIn } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { optionsIn, optionTexts } from "../model/profile-field.ts";
import type { BackValue, Item } from "./item.ts";
import type { Planning } from "./planning.ts";
import { unanswered } from "./reasons.ts";
import type { State } from "./state.ts";
import { signIn } from "./values.ts";

/** Returns one value of somebody's profile, with the name of its field. */
async function profileValue(state: State, { now, back }: BackValue): Promise<BackValue> {
  const [old, current] = [back, now].map((all) => membersOf([all].flat()[0]));
  const id = old?.id ?? current?.id;
  const field = (await state.profileFields()).find((each) => each.id === id);
  const texts = field && optionTexts(field);
  const text = (value: unknown) => texts?.get(value) ?? value ?? null;
  const isPeople = [old, current].some((each) => Array.isArray(each?.value));
  const name = `profile ${field?.name ?? id}`;
  return { name, ...(isPeople && { of: "user" }), now: text(current?.value), back: text(old?.value) };
}

/** Returns a value as a plan shows it. `kind`: the kind of things whose order it is. */
export async function shownValue(
  { state, again }: Planning,
  value: BackValue,
  kind: string | undefined,
): Promise<BackValue> {
  const { name, now, back } = value;
  if (name === "profile_data") return profileValue(state, value);
  if (name === signIn) {
    const [[method, isOn] = []] = Object.entries(membersOf(back ?? now));
    return { name: `${name} ${method}`, now: Object.values(membersOf(now))[0] ?? null, back: isOn };
  }
  if (name === "field_data") {
    const [before = [], after = []] = [now, back].map((data) => optionsIn(data).map(({ text }) => text));
    if (before.length && after.length) return { name: "options", now: before, back: after };
  }
  if (kind === undefined) return value;
  const names = await state.names(kind);
  const added = new Map([...again.values()].map(({ id, pattern }) => [id, pattern]));
  const named = (ids: unknown) => numbersIn(ids).map((id) => names.get(id) ?? added.get(id) ?? String(id));
  return { name: "order", now: named(now), back: named(back) };
}

const textsOf = (data: unknown): string[] => optionsIn(data).map(({ text }) => text);

/** Marks what is there, although the run got no answer to it. */
export const withMark = (item: Item, changes: readonly { readonly entry: LogEntry }[]): Item =>
  item.left || changes.every(({ entry }) => entry.outcome !== "unknown")
    ? item
    : { ...item, notes: [...(item.notes ?? []), unanswered] };

/** Returns notes about options that come back. */
export function optionNotes({ name, now, back }: BackValue): string[] {
  const isBack = name === "field_data" && textsOf(back).some((text) => !textsOf(now).includes(text));
  return isBack ? ["values of people who had a deleted option do not come back"] : [];
}

/** Sets the old values of a thing again. Each is judged by itself. */
import { updateOrganization } from "../api/organization.ts";
import { updateDefaults } from "../api/user-settings.ts";
import { membersOf, numbersIn, valueNamed } from "../common/object-members.ts";
import { fieldLabel } from "../model/field.ts";
import { whoIn } from "../model/permission.ts";
import { hasMasked, maskUrlsIn } from "../notation/url-secrets.ts";
import { isTemporaryName } from "../organization/sections/requests.ts";
import { joinValues, sameValue } from "../resolve/desired.ts";
import { fieldOf, parametersOf, paramOf } from "../wire/call.ts";
import { type BackValue, changeOf, type Item, type Left, left } from "./item.ts";
import { type StepArgs, switched } from "./kind-steps.ts";
import type { ValuePart } from "./part.ts";
import type { Planning } from "./planning.ts";
import { deletedForGood, gone, noOldValue } from "./reasons.ts";
import { optionNotes, shownValue } from "./shown-values.ts";
import type { State } from "./state.ts";
import { switchItem } from "./switch.ts";
import type { Thing } from "./thing.ts";
import { ordered, signIn } from "./values.ts";

/** A value that goes back. `sent`: as the request has it. */
interface Sent {
  readonly value: BackValue;
  readonly sent: unknown;
}

const shown = (planning: Planning, { operation }: ValuePart, value: BackValue): Promise<BackValue> =>
  shownValue(planning, value, ordered.get(operation));

/** Returns how somebody else has changed a value since, after its name. Undefined if it is as the runs left it. */
function changedSince({ logged }: State, { id }: Thing, part: ValuePart, now: unknown): string | undefined {
  const { operation, name, to } = part;
  const param = paramOf(operation, name, to);
  // Values of the log have no secrets in their URLs.
  const seen = maskUrlsIn(now);
  const isNow = (value: unknown) => sameValue(param, seen, value);
  // An undo that was killed has left its temporary name.
  if (isTemporaryName(now, id)) return undefined;
  const { run, isBack, left } = logged.later.of(part.key);
  if (run !== undefined) return ` was changed by run ${run} since`;
  // An undo of some of these runs has left what another one of them had set.
  if (isBack) return isNow(left) && part.all.some(isNow) ? undefined : " was taken back already, and changed since";
  // Somebody may have added some, or removed some.
  const common = (ids: unknown, others: unknown) => numbersIn(ids).filter((id) => numbersIn(others).includes(id));
  const isLeft = ordered.has(operation)
    ? (end: unknown) => sameValue(param, common(now, end), common(end, now))
    : isNow;
  return part.ends.some(isLeft) ? undefined : " was changed since";
}

/** Returns groups and people of a permission that cannot be named any more. */
async function unnamable({ state, reactivated }: Planning, value: unknown): Promise<string[]> {
  const { direct_members, direct_subgroups } = whoIn(value);
  const groups = await state.groups();
  const users = await state.users();
  return [
    ...direct_subgroups
      .filter((id) => (!groups.has(id) || groups.get(id)?.deactivated) && !reactivated.has(`group ${id}`))
      .map((id) => `group ${groups.get(id)?.name ?? id}`),
    ...direct_members
      .filter((id) => (users.get(id)?.is_active ?? users.has(id)) === false && !reactivated.has(`user ${id}`))
      .map((id) => users.get(id)?.full_name ?? `user ${id}`),
  ];
}

/** Returns what goes back, or an item that says why it does not. Undefined if the value is back. */
async function compare(
  planning: Planning,
  thing: Thing,
  part: ValuePart,
  read: unknown,
): Promise<Sent | Item | undefined> {
  const { state, refusals, reactivated, madeFields } = planning;
  const { operation, name, to, entry } = part;
  const kind = ordered.get(operation);
  const order = kind === undefined ? undefined : planning.orders(kind, part.from, read);
  const now = order?.present ?? (await state.sendable(name, read));
  const back = order?.back ?? (await state.sendable(name, part.from));
  const param = paramOf(operation, name, to);
  const value: BackValue = { ...fieldOf(operation, name, to), now: maskUrlsIn(now), back };
  const stays = async (kind: Left["kind"], says: string, isOther = false): Promise<Item> => {
    const words = await shown(planning, part, value);
    return left(thing, entry, kind, `${fieldLabel(words.name)}${says}`, isOther ? words : undefined);
  };
  // Its values go with a field that the run made.
  if (name === "profile_data" && madeFields.has(membersOf([to].flat()[0]).id)) return undefined;
  if (part.from === undefined) {
    if (!operation.sets || entry.outcome !== "done") return stays("impossible", `: ${noOldValue}`);
    const isDeleted = await state.isDeleted(thing.id);
    return isDeleted ? undefined : left(thing, entry, "impossible", deletedForGood);
  }
  if (now === undefined) return stays("conflict", " cannot be read");
  if (sameValue(param, maskUrlsIn(now), back)) return undefined;
  const changed = changedSince(state, thing, part, now);
  if (changed !== undefined) return stays("conflict", changed, true);
  if (hasMasked(back)) return stays("impossible", ": the old value has a secret, which the log does not keep");
  const isWho = param?.of === "who";
  const missing = isWho ? await unnamable(planning, back) : [];
  if (missing.length) return stays("impossible", ` named ${missing.join(", ")}, which cannot be named now`);
  const refusal = refusals.of(thing, operation, name);
  if (refusal) return stays(refusal.kind, `: ${refusal.says}`);
  const expects = ![...reactivated].some((each) => each.startsWith("user "));
  return { value, sent: isWho ? { new: back, ...(expects && { old: now }) } : back };
}

/** Returns the value of a parameter that has several, or one. */
async function joined(state: State, { operation, name }: ValuePart, at: StepArgs, earlier: unknown, sent: unknown) {
  if (name !== signIn) return joinValues(earlier, sent);
  // Servers refuse a request that switches nothing on.
  const now = (await state.values(operation, at))?.[name];
  return { ...membersOf(earlier ?? now), ...membersOf(sent) };
}

/** Returns the arguments with those that the server would set beside them, or requires. */
async function withImplied(state: State, { operation }: ValuePart, at: StepArgs, args: StepArgs): Promise<StepArgs> {
  const implied = (operation.implies?.(args) ?? []).flatMap(({ name, avoidable }) => (avoidable ? [name] : []));
  const required = parametersOf(operation).flatMap(([name, { optional }]) => (optional ? [] : [name]));
  const now = (await state.values(operation, { ...at, ...args })) ?? {};
  const more = [...implied, ...required].filter(
    (name) => !Object.hasOwn(at, name) && args[name] === undefined && now[name] !== undefined,
  );
  return { ...at, ...args, ...Object.fromEntries(more.map((name) => [name, now[name]])) };
}

/** `parts`: of one operation on the thing. */
export async function valueItems(
  planning: Planning,
  thing: Thing,
  parts: readonly [ValuePart, ...ValuePart[]],
): Promise<Item[]> {
  const { state, settings } = planning;
  const [first] = parts;
  const { operation, entry } = first;
  const at = entry.at ?? {};
  const items: Item[] = [];
  const values: BackValue[] = [];
  const inWords: BackValue[] = [];
  const args: Record<string, unknown> = {};
  for (const part of parts) {
    const now = await state.values(operation, { ...at, [part.name]: part.to });
    if (!now) return [left(thing, entry, "conflict", gone)];
    const compared = await compare(planning, thing, part, valueNamed(now, part.name));
    if (!compared) continue;
    if ("sign" in compared) items.push(compared);
    else {
      values.push(compared.value);
      inWords.push({ ...(await shown(planning, part, compared.value)), param: part.name });
      args[part.name] = await joined(state, part, at, args[part.name], compared.sent);
    }
  }
  const [value] = values;
  if (!value) return items;
  const step = switched(value.name, value.back, at, thing.kind === "bot");
  if (step) return [...items, await switchItem(planning, thing, entry, step)];
  const what = inWords.map(({ name }) => fieldLabel(name)).join(", ");
  const update = { operation, args: await withImplied(state, first, at, args), says: "updated", what };
  if (operation === updateOrganization) for (const { name, back } of values) settings.set(name, back);
  const isSettings = operation === updateOrganization || operation === updateDefaults;
  const changes = [changeOf(thing, update, isSettings ? { target: what } : {})];
  return [...items, { ...thing, sign: "~", values: inWords, notes: values.flatMap(optionNotes), changes }];
}

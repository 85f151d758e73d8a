/** Compares a thing that exists already with the one that a request would create. */

import { nfc } from "../common/folding.ts";
import type { Fields } from "../common/object-members.ts";
import { commandLine } from "../common/shell-words.ts";
import { fieldLabel } from "../model/field.ts";
import { everyKind } from "../model/kinds/index.ts";
import { unambiguousName } from "../notation/name.ts";
import { type Call, type Field, fieldOf, type Spelling } from "../wire/call.ts";
import type { Existing, Membership, UncheckedCall } from "../wire/operation.ts";
import { desiredOf, differingIn } from "./desired.ts";

// biome-ignore lint/suspicious/noExplicitAny: stands for those of every operation.
type AnyExisting = Existing<any>;

/** A request that would create something. */
type CreatingCall = Call & Spelling;

export interface FieldDifference {
  readonly field: Field;
  readonly current: unknown;
  /** The current value for people, if the field does not say it. */
  readonly text?: string | undefined;
}

export interface ExistingThing {
  readonly existing: AnyExisting;
  readonly id: unknown;
  readonly thing: Fields;
  /** The call that would make everything as asked. */
  readonly update: UncheckedCall | undefined;
  /** The values that it would change. */
  readonly differing: readonly FieldDifference[];
  /** The values that no call can change. */
  readonly fixed: readonly FieldDifference[];
  /** The members that were asked for. */
  readonly members: readonly Membership[];
  readonly guardsMembers: boolean;
}

const indexes = new WeakMap<object, ReadonlyMap<string, Fields>>();

/** Returns the things of an answer by what no two of them share. */
function indexOf({ things, identity }: AnyExisting, answer: Record<string, unknown>): ReadonlyMap<string, Fields> {
  const known = indexes.get(answer);
  if (known) return known;
  const all = things(answer).map((thing) => [identity(thing), thing] as const);
  // The same spelling comes before another one of the same name.
  const index = new Map([...all.map(([key, thing]) => [nfc(key), thing] as const), ...all]);
  indexes.set(answer, index);
  return index;
}

/** Returns the arguments that somebody has typed. The others are defaults. */
const typedOf = ({ args, flags }: CreatingCall): Fields =>
  flags ? Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(flags, name))) : args;

/** Returns the values that differ. `compared`: the parameters to compare; by default all. */
function differencesIn(
  { operation, args }: UncheckedCall,
  current: Fields,
  compared = (_: string) => true,
): FieldDifference[] {
  const desired = new Map([...desiredOf({ operation, args })].filter(([name]) => compared(name)));
  return differingIn(operation, desired, current).map((name) => ({
    field: fieldOf(operation, name, desired.get(name)),
    current: current[name],
  }));
}

/** Finds the thing in an answer of `existing.read`. Undefined if it is not there. */
export function findExisting(
  creation: CreatingCall,
  existing: AnyExisting,
  answer: Record<string, unknown>,
): ExistingThing | undefined {
  const { args } = creation;
  const index = indexOf(existing, answer);
  const key = existing.identityOf(args);
  const thing = index.get(key) ?? index.get(nfc(key));
  if (!thing) return undefined;
  const { members = {} } = existing;
  const asked = typedOf(creation);
  const id = thing[existing.id];
  const fixed = existing.fixed?.(thing) ?? {};
  const update = existing.update?.(thing, asked, args);
  const current = update?.operation.before?.values(thing, update.args) ?? {};
  return {
    existing,
    id,
    thing,
    update,
    differing: (update ? differencesIn(update, current) : []).map((each) => ({
      ...each,
      text: existing.describe?.(each.field.name, thing),
    })),
    fixed: differencesIn(creation, fixed, (name) => Object.hasOwn(fixed, name) && Object.hasOwn(asked, name)),
    members: Object.entries(members).flatMap(([name, membership]) => {
      const ids = args[name];
      return Array.isArray(ids) && ids.length ? [membership(Number(id), ids)] : [];
    }),
    guardsMembers: existing.guardsMembers?.(thing) ?? false,
  };
}

/** Says what differs, and how to change it. `words`: the current values. */
export function describeDifferences(
  { existing: { kind, verb }, differing, fixed, id }: ExistingThing,
  name: string,
  words: (difference: FieldDifference) => string,
): string {
  const all = [...differing, ...fixed];
  const { noun, state: archiving, typedById = false } = everyKind.find(([, { one }]) => one === kind)?.[1] ?? {};
  const isArchiving = ({ field }: FieldDifference) => field.name === archiving?.member;
  const archived = all.some(isArchiving) ? archiving : undefined;
  const others = all
    .filter((each) => !isArchiving(each))
    .map((each) => {
      const label = fieldLabel(each.field.name);
      return typeof each.current === "boolean"
        ? `${label}: ${each.current ? "yes" : "no"}`
        : `another ${label} (${each.text ?? words(each)})`;
    });
  const state = [
    ...(archived ? [`is ${archived.events[0]}`] : []),
    ...(others.length ? [`with ${others.join(", ")}`] : []),
  ];
  const what = `${kind} "${name}" exists ${archived ? "and " : ""}${state.join(", ")}`;
  if (fixed.length && verb !== undefined) return `${what}, which cannot change`;
  const other = archived && !others.length ? `${noun} ${archived.restore}` : verb;
  const typed = typedById ? String(id) : unambiguousName(name);
  const command = other === undefined ? "" : `, or ${commandLine([...other.split(" "), typed])}`;
  return `${what}. To change it: --or-update${command}`;
}

/** Returns what the answer to the creation would have: the id under its own name, and as `id`. */
export const answerOf = ({ id }: ExistingThing, member = "id"): Record<string, unknown> =>
  typeof id === "number" ? { id, [member]: id } : {};

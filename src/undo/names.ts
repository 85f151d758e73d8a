/** Names that something else has by the time a plan gives them back: servers refuse a second thing of one name. */
import type { Change } from "../engine/change.ts";
import { everyKind, type KindName, kindNamed } from "../model/kinds/index.ts";
import type { KindCall } from "../model/kinds/kind.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { Item, Left } from "./item.ts";
import type { State } from "./state.ts";
import { identified, type StepArgs } from "./things.ts";

/** A change of a name that only one thing can have. The names are as servers compare them. */
export interface NameUse {
  readonly kind: KindName;
  readonly id: unknown;
  /** The parameter with the new name. Absent for what is archived, brought back or removed. */
  readonly param?: string;
  /** The name that another thing can have afterwards. */
  readonly frees?: string;
  readonly takes?: string;
  /** The name that it takes, as it is written. */
  readonly name: string;
}

type Found = readonly [{ item: Item; operation: AnyOperation; param?: string }, Left];

export const isCall = (called: KindCall | undefined, { name }: AnyOperation, args: StepArgs): boolean =>
  called?.operation === name && Object.entries(called.args ?? {}).every(([key, value]) => args[key] === value);

const statedOf = (kind: KindName) => {
  const { one, key, unique, fold, id: idMember = "id", state, ...calls } = kindNamed(kind);
  if (!unique) return undefined;
  const { member = key[0], param = member, among = one, isFreed = false, countsItself = false } = unique;
  const isArchived = (record: StepArgs | undefined) => state !== undefined && record?.[state.member] === state.value;
  return {
    ...{ ...calls, one, idMember, member, param, among, countsItself, isArchived, isFreed },
    fold: (unique.member === undefined && fold) || String,
  };
};

/** Returns the names of a kind that the changes of a plan give and free. Undefined if they give none. */
async function usesOf(kind: KindName, changes: readonly Change[], state: State) {
  const stated = statedOf(kind);
  if (!stated) return undefined;
  const { param, isFreed, update, archive, restore, remove, idMember, member, fold } = stated;
  const gives = ({ operation, args }: Change) => operation.name === update && typeof args[param] === "string";
  const restores = ({ operation, args }: Change) => isFreed && isCall(restore, operation, args);
  if (!changes.some((change) => gives(change) || restores(change))) return undefined;
  const records = new Map((await state.present.records(kind)).map((record) => [record[idMember], record]));
  const uses = new Map<Change, NameUse>();
  for (const change of changes) {
    const { operation, args } = change;
    const [id] = Object.values(args);
    const record = records.get(id);
    if (!record || Object.keys(identified(operation, id))[0] !== Object.keys(args)[0]) continue;
    const old = String(record[member]);
    const frees = isFreed && stated.isArchived(record) ? {} : { frees: fold(old) };
    if (gives(change)) {
      const name = String(args[param]);
      uses.set(change, { kind, id, param, name, ...frees, takes: fold(name) });
    } else if (restores(change)) uses.set(change, { kind, id, name: old, takes: fold(old) });
    else if ((isFreed && isCall(archive, operation, args)) || isCall(remove, operation, args))
      uses.set(change, { kind, id, name: old, ...frees });
  }
  return { ...stated, records, uses };
}

const sentIn = (items: readonly Item[]): Change[] => items.flatMap(({ left, changes }) => (left ? [] : changes));

/** Returns by change the names that it gives and frees. */
export async function nameUses(items: readonly Item[], state: State): Promise<ReadonlyMap<Change, NameUse>> {
  const changes = sentIn(items);
  const all = await Promise.all(everyKind.map(([kind]) => usesOf(kind, changes, state)));
  return new Map(all.flatMap((found) => [...(found?.uses ?? [])]));
}

async function takenOf(kind: KindName, items: readonly Item[], state: State): Promise<Found[]> {
  const stated = await usesOf(kind, sentIn(items), state);
  if (!stated) return [];
  const { records, uses, fold, member, isFreed, isArchived, countsItself, one, among } = stated;
  const holders = new Map<string, Set<unknown>>();
  const hold = (name: string, id: unknown) => holders.set(name, (holders.get(name) ?? new Set()).add(id));
  for (const [id, record] of records) if (!isFreed || !isArchived(record)) hold(fold(String(record[member])), id);
  for (const { frees = "", id } of uses.values()) holders.get(frees)?.delete(id);
  return items.flatMap((item) =>
    item.changes.flatMap((change): Found[] => {
      const { id, takes, frees, name, param } = uses.get(change) ?? {};
      if (takes === undefined) return [];
      const holder = [...(holders.get(takes) ?? [])].find((each) => each !== id);
      const isItself = param !== undefined && countsItself && frees === takes;
      if (holder === undefined && !isItself) {
        hold(takes, id);
        return [];
      }
      const state = isArchived(records.get(holder)) ? "archived " : "";
      const says = isItself
        ? `servers do not change the case of a ${one}'s name alone`
        : `another ${state}${among} is called "${name}" now`;
      return [
        [
          { item, operation: change.operation, ...(param !== undefined && { param }) },
          { kind: "conflict", says },
        ],
      ];
    }),
  );
}

/** Returns the changes that give a name back which something else has then. */
export async function takenNames(items: readonly Item[], state: State): Promise<Found[]> {
  const found: Found[] = [];
  for (const [kind] of everyKind) found.push(...(await takenOf(kind, items, state)));
  return found;
}

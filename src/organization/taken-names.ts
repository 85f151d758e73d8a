/** Names that something else has by the time changes give them: servers refuse a second thing of one name. */
import type { Fields } from "../common/object-members.ts";
import type { Present } from "../effects/present.ts";
import type { Change } from "../engine/change.ts";
import { everyKind, type KindName, kindNamed } from "../model/kinds/index.ts";
import type { KindCall } from "../model/kinds/kind.ts";
import { type AnyOperation, pathParameter } from "../wire/operation.ts";

type PresentRecords = Pick<Present, "records" | "accounts">;

/** A change of a name that only one thing can have. The names are as servers compare them. */
export interface NameUse {
  readonly kind: KindName;
  readonly id: unknown;
  /** The parameter with the new name. Absent for what is created, archived, brought back or removed. */
  readonly param?: string;
  /** The name that another thing can have afterwards. */
  readonly frees?: string;
  readonly takes?: string;
  /** The name that it takes, as it is written. */
  readonly name: string;
}

/** A change that servers refuse. `param`: for this argument. */
interface TakenName extends Pick<NameUse, "kind" | "param"> {
  readonly change: Change;
  readonly says: string;
}

export const isCall = (called: KindCall | undefined, { name }: AnyOperation, args: Fields): boolean =>
  called?.operation === name && Object.entries(called.args ?? {}).every(([key, value]) => args[key] === value);

function statedOf(kind: KindName) {
  const {
    one,
    key,
    unique,
    fold,
    id: idMember = "id",
    recordOf = kind,
    matches = () => true,
    state,
    ...calls
  } = kindNamed(kind);
  if (!unique) return undefined;
  const { member = key[0], param = member, among = one, isFreed = false, countsItself = false } = unique;
  const isArchived = (record: Fields | undefined) => state !== undefined && record?.[state.member] === state.value;
  return {
    ...{ ...calls, one, idMember, member, param, among, countsItself, isArchived, isFreed, recordOf, matches },
    fold: (unique.member === undefined && fold) || String,
  };
}

/** Returns all records among which a name is unique: bots and people share their names. */
const recordsAmong = async (kind: KindName, recordOf: string, present: PresentRecords): Promise<readonly Fields[]> =>
  recordOf === "user" ? [...(await present.accounts()).values()].map((each) => ({ ...each })) : present.records(kind);

/** Returns the names of a kind that changes give and free. Undefined if they give none. */
async function usesOf(kind: KindName, changes: readonly Change[], present: PresentRecords) {
  const stated = statedOf(kind);
  if (!stated) return undefined;
  const { param, isFreed, create, update, archive, restore, remove, idMember, member, fold, recordOf, matches } =
    stated;
  const creates = ({ operation, args }: Change) =>
    create.some((each) => each === operation.name) && typeof args[member] === "string";
  const gives = ({ operation, args }: Change) => operation.name === update && typeof args[param] === "string";
  const restores = ({ operation, args }: Change) => isFreed && isCall(restore, operation, args);
  if (!changes.some((change) => creates(change) || gives(change) || restores(change))) return undefined;
  const all = await recordsAmong(kind, recordOf, present);
  const records = new Map(all.map((record) => [record[idMember], record]));
  const uses = new Map<Change, NameUse>();
  for (const change of changes) {
    const { operation, args } = change;
    if (creates(change)) {
      const name = String(args[member]);
      uses.set(change, { kind, id: change, name, takes: fold(name) });
      continue;
    }
    const id = args[pathParameter(operation)];
    const record = records.get(id);
    if (!record || !matches(record)) continue;
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

/** Returns by change the names that it gives and frees. */
export async function nameUses(
  changes: readonly Change[],
  present: PresentRecords,
): Promise<ReadonlyMap<Change, NameUse>> {
  const all = await Promise.all(everyKind.map(([kind]) => usesOf(kind, changes, present)));
  return new Map(all.flatMap((found) => [...(found?.uses ?? [])]));
}

async function takenOf(kind: KindName, changes: readonly Change[], present: PresentRecords): Promise<TakenName[]> {
  const stated = await usesOf(kind, changes, present);
  if (!stated) return [];
  const { records, uses, fold, member, isFreed, isArchived, countsItself, one, among } = stated;
  const holders = new Map<string, Set<unknown>>();
  const hold = (name: string, id: unknown) => holders.set(name, (holders.get(name) ?? new Set()).add(id));
  for (const [id, record] of records) if (!isFreed || !isArchived(record)) hold(fold(String(record[member])), id);
  for (const { frees = "", id } of uses.values()) holders.get(frees)?.delete(id);
  return changes.flatMap((change): TakenName[] => {
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
    return [{ kind, change, says, ...(param !== undefined && { param }) }];
  });
}

/** Returns the changes that give a name which something else has then. */
export async function takenNames(changes: readonly Change[], present: PresentRecords): Promise<TakenName[]> {
  const all = await Promise.all(everyKind.map(([kind]) => takenOf(kind, changes, present)));
  return all.flat();
}

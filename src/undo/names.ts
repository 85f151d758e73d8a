/** Names that something else has by the time a plan gives them back: servers refuse a second thing of one name. */
import { everyKind, type KindName, kindNamed } from "../model/kinds/index.ts";
import type { KindCall } from "../model/kinds/kind.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { Item, Left } from "./item.ts";
import type { State } from "./state.ts";
import { identified, type StepArgs } from "./things.ts";

/** Who has which name while a plan is sent. */
class Names {
  readonly #holders = new Map<string, Set<unknown>>();
  readonly #names = new Map<unknown, string>();

  constructor(private readonly fold: (name: string) => string) {}

  take(id: unknown, name: string): void {
    this.free(id);
    this.#names.set(id, name);
    const key = this.fold(name);
    this.#holders.set(key, (this.#holders.get(key) ?? new Set()).add(id));
  }

  free(id: unknown): void {
    this.#holders.get(this.fold(this.#names.get(id) ?? ""))?.delete(id);
    this.#names.delete(id);
  }

  /** Returns another thing with the name. */
  holder(name: string, id: unknown): unknown {
    return [...(this.#holders.get(this.fold(name)) ?? [])].find((each) => each !== id);
  }

  isOwn(name: string, id: unknown): boolean {
    return this.#holders.get(this.fold(name))?.has(id) === true;
  }
}

type Found = readonly [{ item: Item; operation: AnyOperation; param?: string }, Left];

const isCall = (called: KindCall | undefined, { name }: AnyOperation, args: StepArgs): boolean =>
  called?.operation === name && Object.entries(called.args ?? {}).every(([key, value]) => args[key] === value);

async function takenOf(kind: KindName, items: readonly Item[], state: State): Promise<Found[]> {
  const { one, key, unique, fold, id: idMember = "id", state: archived, update, ...calls } = kindNamed(kind);
  if (!unique) return [];
  const { archive, restore, remove } = calls;
  const { member = key[0], param = member, among = one, isFreed = false, countsItself = false } = unique;
  const restores = (operation: AnyOperation, args: StepArgs) => isFreed && isCall(restore, operation, args);
  const isAbout = items.some(({ changes }) =>
    changes.some(
      ({ operation, args }) => (operation.name === update && args[param] !== undefined) || restores(operation, args),
    ),
  );
  if (!isAbout) return [];
  const records = new Map((await state.all(kind)).map((record) => [record[idMember], record]));
  const isArchived = (record: StepArgs | undefined) =>
    archived !== undefined && record?.[archived.member] === archived.value;
  const names = new Names((unique.member === undefined && fold) || String);
  for (const [id, record] of records) if (!isFreed || !isArchived(record)) names.take(id, String(record[member]));
  const found: Found[] = [];
  for (const item of items)
    for (const { operation, args } of item.changes) {
      const [id] = Object.values(args);
      const isOfKind = records.has(id) && Object.keys(identified(operation, id))[0] === Object.keys(args)[0];
      if (!isOfKind) continue;
      const isRename = operation.name === update && typeof args[param] === "string";
      const name = isRename ? String(args[param]) : String(records.get(id)?.[member]);
      if ((isFreed && isCall(archive, operation, args)) || isCall(remove, operation, args)) names.free(id);
      else if (isRename || restores(operation, args)) {
        const holder = names.holder(name, id);
        const isItself = isRename && countsItself && names.isOwn(name, id);
        if (holder === undefined && !isItself) names.take(id, name);
        else {
          const state = isArchived(records.get(holder)) ? "archived " : "";
          const says = isItself
            ? `servers do not change the case of a ${one}'s name alone`
            : `another ${state}${among} is called "${name}" now`;
          found.push([
            { item, operation, ...(isRename && { param }) },
            { kind: "conflict", says },
          ]);
        }
      }
    }
  return found;
}

/** Returns the changes that give a name back which something else has then. */
export async function takenNames(items: readonly Item[], state: State): Promise<Found[]> {
  const found: Found[] = [];
  for (const [kind] of everyKind) found.push(...(await takenOf(kind, items, state)));
  return found;
}

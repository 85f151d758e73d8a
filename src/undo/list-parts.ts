/** Joins the changes of each list to one: the members that the runs added and removed, at the end. */
import type { LogEntry } from "../log/change-log.ts";
import type { Membership } from "../wire/operation.ts";
import { type Between, memberKey } from "./later-changes.ts";
import type { ListPart, Overtaking, RunChange } from "./part.ts";

interface ListChanges extends Pick<ListPart, "position" | "entry" | "list" | "owner"> {
  /** By member, whether each change added it. */
  readonly adds: Map<number, readonly boolean[]>;
  readonly overtaken: Map<number, Overtaking>;
}

const isChanged = (all: readonly boolean[]): boolean => all[0] === all.at(-1);

function listPart({ adds, ...list }: ListChanges): ListPart {
  const idsOf = (isAdded: boolean) =>
    [...adds].flatMap(([id, all]) => (isChanged(all) && all[0] === isAdded ? id : []));
  const restored = [...adds].flatMap(([id, all]): [number, boolean][] => (isChanged(all) ? [] : [[id, !all[0]]]));
  return { ...list, kind: "list", added: idsOf(true), removed: idsOf(false), restored: new Map(restored) };
}

export class ListParts {
  readonly #lists = new Map<string, ListChanges>();
  /** By key, the line that changed a member last. */
  readonly #lasts = new Map<string, LogEntry>();

  constructor(private readonly between: Between) {}

  get all(): ListPart[] {
    return [...this.#lists.values()].map(listPart);
  }

  add(change: RunChange, memberships: readonly Membership[]): void {
    for (const membership of memberships)
      for (const id of [...membership.added, ...membership.removed]) this.#addMember(change, membership, id);
  }

  #addMember({ position, entry, line }: RunChange, membership: Membership, id: number): void {
    const { list: key, name, owner, added } = membership;
    const list = this.#lists.get(key) ?? { position, entry, list: name, owner, adds: new Map(), overtaken: new Map() };
    this.#lists.set(key, list);
    const isAdded = added.includes(id);
    const earlier = list.adds.get(id) ?? [];
    const last = memberKey(key, id);
    const by = this.between(last, this.#lasts.get(last), line)?.run;
    list.adds.set(id, by === undefined ? [...earlier, isAdded] : [isAdded]);
    if (by !== undefined && earlier[0] !== isAdded) list.overtaken.set(id, { by, isAdded: !isAdded });
    this.#lasts.set(last, line);
  }
}

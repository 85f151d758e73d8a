/** The members of lists. Each list is read once, and changes of earlier rows count. */
import type { Server } from "../client/server.ts";
import type { MemberList } from "../wire/operation.ts";

/** The changes that earlier rows make to lists. */
export interface EarlierMembers {
  /** The members that they add or remove, by id. */
  membersOf(list: string): ReadonlyMap<number, { added: boolean }> | undefined;
}

export interface CurrentMembers {
  has(id: number): boolean;
  /** All members. */
  ids(): number[];
}

/** Returns the lists of the run, or of this command. */
export const memberListsOf = (context: { memberLists?: MemberLists; server(): Promise<Server> }): MemberLists =>
  (context.memberLists ??= new MemberLists(context.server));

export class MemberLists {
  /** The members in each answer. */
  readonly #members = new WeakMap<object, ReadonlySet<number>>();

  constructor(
    private readonly server: () => Promise<Server>,
    private readonly earlier?: EarlierMembers,
  ) {}

  /** Throws the `Failure` of the read, the same each time. */
  async of({ list, read, args, members }: MemberList): Promise<CurrentMembers> {
    const answer = await (await this.server()).lookUp(read, args);
    const current = this.#members.get(answer) ?? new Set(members(answer));
    this.#members.set(answer, current);
    const changed = () => this.earlier?.membersOf(list) ?? new Map<number, { added: boolean }>();
    return {
      has: (id) => changed().get(id)?.added ?? current.has(id),
      ids: () => {
        const all = new Set(current);
        for (const [id, { added }] of changed()) added ? all.add(id) : all.delete(id);
        return [...all];
      },
    };
  }
}

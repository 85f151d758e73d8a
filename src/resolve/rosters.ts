/** The members of lists. Each list is read once, and changes of earlier rows count. */
import type { Server } from "../client/server.ts";
import type { MemberList } from "../wire/membership.ts";

/** The changes of earlier rows to a list: true for added members, false for removed ones. */
export interface Earlier {
  says(list: string, id: number): boolean | undefined;
  all(list: string): Iterable<readonly [id: number, added: boolean]>;
}

export interface Roster {
  has(id: number): boolean;
  /** All members. */
  ids(): number[];
}

const nothing: Earlier = { says: () => undefined, all: () => [] };

/** Returns the lists of the run, or of this command. */
export const rostersOf = (context: { rosters?: Rosters; server(): Promise<Server> }): Rosters =>
  (context.rosters ??= new Rosters(context.server));

export class Rosters {
  readonly #server: () => Promise<Server>;
  readonly #earlier: Earlier;
  readonly #read = new Map<string, Promise<ReadonlySet<number>>>();

  constructor(server: () => Promise<Server>, earlier: Earlier = nothing) {
    this.#server = server;
    this.#earlier = earlier;
  }

  async #once({ list, read, args, members }: MemberList): Promise<ReadonlySet<number>> {
    const reading =
      this.#read.get(list) ??
      this.#server()
        .then((server) => server.call(read, args))
        .then((answer) => new Set(members(answer)));
    this.#read.set(list, reading);
    return reading;
  }

  /** Throws the `Failure` of the read, the same each time. */
  async of(wanted: MemberList): Promise<Roster> {
    const there = await this.#once(wanted);
    const { list } = wanted;
    return {
      has: (id) => this.#earlier.says(list, id) ?? there.has(id),
      ids: () => {
        const all = new Set(there);
        for (const [id, added] of this.#earlier.all(list)) added ? all.add(id) : all.delete(id);
        return [...all];
      },
    };
  }
}

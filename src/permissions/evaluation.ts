import { channelsOf, everybodyOf, type Person, peopleById, type Snapshot } from "../organization/snapshot.ts";
import type { Cell } from "./cell.ts";
import { type AccountSets, decisionsOf } from "./decide.ts";
import { missingFor, type PermissionPath, pathsTo } from "./explain.ts";
import { type Facts, factsOf, type Scope, type Target } from "./facts.ts";
import { rulesOf } from "./rules.ts";

export { type Cell, groupsInSetting } from "./cell.ts";
export type { PermissionPath } from "./explain.ts";
export type { Scope } from "./facts.ts";

export interface AccountCounts {
  /** Guests count as people, bots do not. */
  people: number;
  guests: number;
  bots: number;
}

/**
 * Everything that `permissions` answers, as a function of a snapshot alone.
 *
 *     const evaluation = evaluate(snapshot);
 *     const posting = evaluation.cell("channel", 7, "post");
 *     evaluation.isAllowed(10, posting); // true, false, or undefined where the snapshot cannot decide
 *     evaluation.paths(10, posting); // [{ groups: [11, 40], names: ["role:members", "designers"], settings: […] }, { reason: "public" }]
 *     evaluation.missing(12, posting); // ["not in designers, nor in any group in it (can_send_message_group)"]
 */
export class Evaluation {
  readonly facts: Facts;
  readonly #cells = new Map<string, Cell>();

  constructor(
    readonly snapshot: Snapshot,
    /** All accounts, also bots and deactivated people. */
    readonly accounts: readonly Person[] = everybodyOf(snapshot),
  ) {
    this.facts = factsOf(snapshot, accounts);
    const rules = {
      organization: rulesOf(this.facts, "organization"),
      channel: rulesOf(this.facts, "channel"),
      group: rulesOf(this.facts, "group"),
    };
    const add = (target: Target, about: Pick<Cell, "target_id" | "name" | "isInactive">) => {
      const { scope } = target;
      const decisions = decisionsOf(this.facts, rules[scope], target);
      for (const [permission, rule] of Object.entries(rules[scope])) {
        const granted_to = rule.setting === null ? null : (this.facts.value(target, scope, rule.setting) ?? null);
        const cell = { scope, ...about, permission, rule, granted_to, decisions };
        this.#cells.set(`${scope} ${about.target_id} ${permission}`, cell);
      }
    };
    add({ scope: "organization" }, { target_id: null, name: null, isInactive: false });
    for (const channel of channelsOf(snapshot)) {
      const { stream_id, name, is_archived = false } = channel;
      add({ scope: "channel", channel }, { target_id: stream_id, name, isInactive: is_archived });
    }
    for (const group of this.facts.groups.values()) {
      const { id, name, deactivated = false } = group;
      add({ scope: "group", group }, { target_id: id, name, isInactive: deactivated });
    }
  }

  /** Returns all cells: of the organization, each channel and each group. */
  cells(): IterableIterator<Cell> {
    return this.#cells.values();
  }

  findCell(scope: Scope, target: number | null, permission: string): Cell | undefined {
    return this.#cells.get(`${scope} ${target} ${permission}`);
  }

  /** Throws unless the snapshot has the target, and the server the permission. */
  cell(scope: Scope, target: number | null, permission: string): Cell {
    const cell = this.findCell(scope, target, permission);
    if (!cell) throw new Error(`no permission ${permission} of ${scope} ${target}`);
    return cell;
  }

  /** Throws unless the snapshot has the account. */
  account(id: number): Person {
    const account = this.accounts[this.facts.indexOf(id)];
    if (!account) throw new Error(`no account ${id}`);
    return account;
  }

  /** Returns the indexes in `accounts` of those who certainly may, and of those who possibly may. */
  holderSets(cell: Cell): AccountSets {
    return cell.decisions.permission(cell.permission);
  }

  /** Undefined if the snapshot cannot decide. False for unknown accounts. */
  isAllowed(id: number, cell: Cell): boolean | undefined {
    const place = this.facts.indexOf(id);
    const { sure, possible } = this.holderSets(cell);
    return sure.has(place) || (possible.has(place) ? undefined : false);
  }

  /** Returns who may, with bots, in the order of `accounts`. */
  holders(cell: Cell): Person[] {
    return this.facts.people(this.holderSets(cell).sure);
  }

  /** Returns the accounts that the snapshot cannot decide about. */
  undecided(cell: Cell): Person[] {
    const { sure, possible } = this.holderSets(cell);
    return this.facts.people(possible.without(sure));
  }

  counts(cell: Cell): AccountCounts {
    const { sure } = this.holderSets(cell);
    const { bots, guests } = this.facts;
    const people = sure.without(bots);
    return { people: people.count, guests: people.and(guests).count, bots: sure.count - people.count };
  }

  /** Returns paths to the permission, the shortest first, at most so many for each setting. */
  paths(id: number, cell: Cell, most?: number): PermissionPath[] {
    return this.isAllowed(id, cell) ? pathsTo(cell, id, most) : [];
  }

  /** Returns the shortest path. Undefined without the permission. */
  path(id: number, cell: Cell): PermissionPath | undefined {
    return this.paths(id, cell, 1)[0];
  }

  /** Returns what is missing. */
  missing(id: number, cell: Cell): string[] {
    return this.isAllowed(id, cell) === false ? missingFor(cell, id) : [];
  }

  /** Returns why the snapshot cannot decide. Undefined if it can. */
  whyUnknown(id: number, cell: Cell): string | undefined {
    return this.isAllowed(id, cell) === undefined ? missingFor(cell, id).join("; ") : undefined;
  }
}

export const evaluate = (snapshot: Snapshot): Evaluation => new Evaluation(snapshot);

/** Evaluates two states of one organization with the same `accounts` order. `isIncluded`: for whom. */
export function evaluateBoth(
  before: Snapshot,
  after: Snapshot,
  isIncluded: (id: number) => boolean = () => true,
): readonly [Evaluation, Evaluation] {
  const [one, other] = [peopleById(before), peopleById(after)];
  const ids = [...new Set([...one.keys(), ...other.keys()])].filter(isIncluded);
  const merged = (first: typeof one, second: typeof one) => ids.flatMap((id) => first.get(id) ?? second.get(id) ?? []);
  return [new Evaluation(before, merged(one, other)), new Evaluation(after, merged(other, one))];
}

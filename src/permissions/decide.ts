/** Evaluates a rule: who certainly has the permission, and who possibly has it. */
import type { Bits } from "./bits.ts";
import { type Facts, memoize, type Target } from "./facts.ts";
import type { Holders, Rule, Term } from "./term.ts";

/** Sets of accounts. The snapshot cannot decide about those in `possible` alone. */
export interface AccountSets {
  readonly sure: Bits;
  readonly possible: Bits;
}

const certain = (set: Bits): AccountSets => ({ sure: set, possible: set });

const combine =
  (join: (a: Bits, b: Bits) => Bits) =>
  (one: AccountSets, other: AccountSets): AccountSets => {
    const sure = join(one.sure, other.sure);
    const isCertain = one.sure === one.possible && other.sure === other.possible;
    return { sure, possible: isCertain ? sure : join(one.possible, other.possible) };
  };
const intersection = combine((a, b) => a.and(b));
const union = combine((a, b) => a.or(b));

/** Decides the permissions of one channel or group, or of the organization. */
export function decisionsOf(facts: Facts, rules: Readonly<Record<string, Rule>>, target: Target) {
  const { everyone, nobody, active, actors, level } = facts;
  const rule = (name: string): Rule => rules[name]!;
  const permission = memoize((name: string): AccountSets => {
    const { webhooks } = rule(name);
    return intersection(term(rule(name).term), certain(webhooks ? active : actors));
  });
  const term: (term: Term) => AccountSets = memoize(decide);

  function setsOf(holders: Holders): AccountSets {
    if (holders === undefined) return { sure: nobody, possible: everyone };
    return certain(holders === true ? everyone : holders === false ? nobody : holders);
  }

  function decide(part: Term): AccountSets {
    switch (part.kind) {
      case "fact":
        return setsOf(part.holders(facts, target));
      case "in":
        return setsOf(facts.grantees(target, part));
      case "owner in": {
        const owners = facts.grantees(target, part);
        return setsOf(owners && facts.botsOf(owners));
      }
      case "permission":
        return permission(part.permission);
      case "any":
        return part.of.map(term).reduce(union, certain(nobody));
      case "when":
        return part.requires.map(term).reduce(intersection, term(part.grant));
      case "levels":
        return level >= part.from && level < part.below ? term(part.term) : certain(nobody);
      case "uncertain":
        return { sure: nobody, possible: term(part.term).possible };
      default:
        return part satisfies never;
    }
  }

  return { facts, target, rule, permission, term };
}

export type Decisions = ReturnType<typeof decisionsOf>;

/** Yields the facts and settings that give the permission of a term to some of these accounts, and to whom. */
export function* grants(decisions: Decisions, term: Term, among: Bits): Generator<{ term: Term; to: Bits }> {
  const to = decisions.term(term).sure.and(among);
  if (!to.count) return;
  switch (term.kind) {
    case "permission":
      return yield* grants(decisions, decisions.rule(term.permission).term, to);
    case "any":
      for (const each of term.of) yield* grants(decisions, each, to);
      return;
    case "when":
      return yield* grants(decisions, term.grant, to);
    case "levels":
      return yield* grants(decisions, term.term, to);
    default:
      yield { term, to };
  }
}

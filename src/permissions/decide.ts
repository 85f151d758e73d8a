/** Evaluates a rule: for whom it certainly holds, and for whom possibly. */
import type { Bits } from "./bits.ts";
import { type Facts, memoize, type Target } from "./facts.ts";
import type { Rule, Term } from "./term.ts";

/** The snapshot cannot decide about accounts that are possible but not sure. */
export interface Verdict {
  readonly sure: Bits;
  readonly possible: Bits;
}

const certain = (set: Bits): Verdict => ({ sure: set, possible: set });

const combine =
  (join: (a: Bits, b: Bits) => Bits) =>
  (one: Verdict, other: Verdict): Verdict => {
    const sure = join(one.sure, other.sure);
    if (one.sure === one.possible && other.sure === other.possible) return certain(sure);
    return { sure, possible: join(one.possible, other.possible) };
  };
const intersection = combine((a, b) => a.and(b));
const union = combine((a, b) => a.or(b));

/** Decides the permissions of one channel or group, or of the organization. */
export function decisionsOf(facts: Facts, rules: Readonly<Record<string, Rule>>, target: Target) {
  const { everyone, nobody, active, actors, level } = facts;
  const rule = (name: string): Rule => rules[name]!;
  const permission = memoize((name: string): Verdict => {
    const { webhooks } = rule(name);
    return intersection(term(rule(name).term), certain(webhooks ? active : actors));
  });
  const term: (term: Term) => Verdict = memoize(decide);

  function verdictOf(holds: boolean | Bits | undefined): Verdict {
    if (holds === undefined) return { sure: nobody, possible: everyone };
    return certain(holds === true ? everyone : holds === false ? nobody : holds);
  }

  function decide(of: Term): Verdict {
    switch (of.kind) {
      case "fact":
        return verdictOf(of.holders(facts, target));
      case "in":
        return verdictOf(facts.grantees(target, of));
      case "owner in": {
        const owners = facts.grantees(target, of);
        return verdictOf(owners && facts.botsOf(owners));
      }
      case "permission":
        return permission(of.permission);
      case "any":
        return of.of.map(term).reduce(union, certain(nobody));
      case "when":
        return of.requires.map(term).reduce(intersection, term(of.grant));
      case "levels":
        return level >= of.from && level < of.below ? term(of.term) : certain(nobody);
      case "uncertain":
        return { sure: nobody, possible: term(of.term).possible };
      default:
        return of satisfies never;
    }
  }

  return { facts, target, rule, permission, term };
}

export type Decisions = ReturnType<typeof decisionsOf>;

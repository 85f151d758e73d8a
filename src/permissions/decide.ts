/** Evaluates a rule: for whom it certainly holds, and for whom possibly. */
import type { Bits } from "./bits.ts";
import { type Facts, remembered, type Target } from "./facts.ts";
import type { Rule, Term } from "./term.ts";

/** The snapshot cannot decide about accounts that are possible but not sure. */
export interface Allowed {
  readonly sure: Bits;
  readonly possible: Bits;
}

const same = (set: Bits): Allowed => ({ sure: set, possible: set });

const joined =
  (join: (a: Bits, b: Bits) => Bits) =>
  (one: Allowed, other: Allowed): Allowed => {
    const sure = join(one.sure, other.sure);
    if (one.sure === one.possible && other.sure === other.possible) return same(sure);
    return { sure, possible: join(one.possible, other.possible) };
  };
const both = joined((a, b) => a.and(b));
const either = joined((a, b) => a.or(b));

/** Decides the permissions of one channel or group, or of the organization. */
export function decisionsOf(facts: Facts, rules: Readonly<Record<string, Rule>>, target: Target) {
  const { everyone, nobody, active, acting, level } = facts;
  const rule = (name: string): Rule => rules[name]!;
  const permission = remembered((name: string): Allowed => {
    const { webhooks } = rule(name);
    return both(term(rule(name).term), same(webhooks ? active : acting));
  });
  const term: (term: Term) => Allowed = remembered(decide);

  function known(holds: boolean | Bits | undefined): Allowed {
    if (holds === undefined) return { sure: nobody, possible: everyone };
    return same(holds === true ? everyone : holds === false ? nobody : holds);
  }

  function decide(of: Term): Allowed {
    switch (of.kind) {
      case "fact":
        return known(of.holds(facts, target));
      case "in":
        return known(facts.granted(target, of));
      case "owner in": {
        const owners = facts.granted(target, of);
        return known(owners && facts.botsOf(owners));
      }
      case "may":
        return permission(of.permission);
      case "any":
        return of.of.map(term).reduce(either, same(nobody));
      case "when":
        return of.needs.map(term).reduce(both, term(of.grant));
      case "levels":
        return level >= of.from && level < of.below ? term(of.term) : same(nobody);
      case "uncertain":
        return { sure: nobody, possible: term(of.term).possible };
      default:
        return of satisfies never;
    }
  }

  return { facts, target, rule, permission, term };
}

export type Decisions = ReturnType<typeof decisionsOf>;

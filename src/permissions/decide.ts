/** For whom a rule holds: certainly, and possibly. */
import type { Bits } from "./bits.ts";
import type { Facts, Target } from "./facts.ts";
import { nevers } from "./rules/fact.ts";
import { type Rule, type Rules, type Term, when } from "./term.ts";

/** Of accounts that are possible and not sure the snapshot does not say enough. */
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

const terms = new WeakMap<Rule, Term>();

/** A rule as one term; the same one each time, so that its decision is kept. */
export function termOf(rule: Rule): Term {
  const { never = [], needs = [], by, besides = [] } = rule;
  const term =
    terms.get(rule) ?? when([...never.map((word) => nevers[word]), ...needs], ...(by ? [by] : []), ...besides);
  terms.set(rule, term);
  return term;
}

/** Who may do what with one channel or group, or in the organization. */
export class Decisions {
  readonly facts: Facts;
  readonly target: Target;
  readonly #rules: Rules;
  readonly #permissions = new Map<string, Allowed>();
  readonly #terms = new Map<Term, Allowed>();

  constructor(facts: Facts, rules: Rules, target: Target) {
    this.facts = facts;
    this.#rules = rules;
    this.target = target;
  }

  rule(name: string): Rule {
    const rule = this.#rules[name];
    if (!rule) throw new TypeError(`missing rule for ${name}`);
    return rule;
  }

  permission(name: string): Allowed {
    const known = this.#permissions.get(name);
    if (known) return known;
    const rule = this.rule(name);
    const { active, acting } = this.facts;
    const made = both(this.term(termOf(rule)), same(rule.webhooks ? active : acting));
    this.#permissions.set(name, made);
    return made;
  }

  term(term: Term): Allowed {
    const known = this.#terms.get(term);
    if (known) return known;
    const made = this.#decide(term);
    this.#terms.set(term, made);
    return made;
  }

  #decide(term: Term): Allowed {
    const { nobody } = this.facts;
    switch (term.kind) {
      case "fact":
        return this.#known(term.holds(this.facts, this.target));
      case "in":
        return this.#known(this.facts.granted(this.target, term));
      case "owner in": {
        const owners = this.facts.granted(this.target, term);
        return this.#known(owners && this.facts.botsOf(owners));
      }
      case "may":
        return this.permission(term.permission);
      case "any":
        return term.of.map((each) => this.term(each)).reduce(either, same(nobody));
      case "when":
        return term.needs.map((each) => this.term(each)).reduce(both, this.term(term.grant));
      case "levels": {
        const { level } = this.facts;
        return level >= term.from && level < term.below ? this.term(term.term) : same(nobody);
      }
      case "doubt":
        return { sure: nobody, possible: this.term(term.term).possible };
      default:
        return term satisfies never;
    }
  }

  #known(holds: boolean | Bits | undefined): Allowed {
    const { everyone, nobody } = this.facts;
    if (holds === undefined) return { sure: nobody, possible: everyone };
    return same(holds === true ? everyone : holds === false ? nobody : holds);
  }
}

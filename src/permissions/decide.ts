/** For whom a rule holds: for sure, and perhaps. */
import type { Bits } from "./bits.ts";
import type { Facts, Target } from "./facts.ts";
import { nevers } from "./rules/fact.ts";
import { given, type Rule, type Rules, type Term } from "./term.ts";

/** Whoever is possible and not sure, nobody knows of. */
export interface Verdict {
  readonly sure: Bits;
  readonly possible: Bits;
}

const same = (set: Bits): Verdict => ({ sure: set, possible: set });

function both(one: Verdict, other: Verdict): Verdict {
  const sure = one.sure.and(other.sure);
  if (one.sure === one.possible && other.sure === other.possible) return same(sure);
  return { sure, possible: one.possible.and(other.possible) };
}

function either(one: Verdict, other: Verdict): Verdict {
  const sure = one.sure.or(other.sure);
  if (one.sure === one.possible && other.sure === other.possible) return same(sure);
  return { sure, possible: one.possible.or(other.possible) };
}

const terms = new WeakMap<Rule, Term>();

/** A rule as one term; the same one each time, so that what is decided of it is kept. */
export function termOf(rule: Rule): Term {
  const { never = [], needs = [], by, besides = [] } = rule;
  const term =
    terms.get(rule) ?? given([...never.map((word) => nevers[word]), ...needs], ...(by ? [by] : []), ...besides);
  terms.set(rule, term);
  return term;
}

/** What is decided of one channel, group, or the organization. */
export class Decisions {
  readonly #facts: Facts;
  readonly #rules: Rules;
  readonly #target: Target;
  readonly #permissions = new Map<string, Verdict>();
  readonly #terms = new Map<Term, Verdict>();

  constructor(facts: Facts, rules: Rules, target: Target) {
    this.#facts = facts;
    this.#rules = rules;
    this.#target = target;
  }

  rule(name: string): Rule {
    const rule = this.#rules[name];
    if (!rule) throw new TypeError(`there is no rule for ${name}`);
    return rule;
  }

  permission(name: string): Verdict {
    const known = this.#permissions.get(name);
    if (known) return known;
    const rule = this.rule(name);
    const { active, acting } = this.#facts;
    const made = both(this.term(termOf(rule)), same(rule.webhooks ? active : acting));
    this.#permissions.set(name, made);
    return made;
  }

  term(term: Term): Verdict {
    const known = this.#terms.get(term);
    if (known) return known;
    const made = this.#decide(term);
    this.#terms.set(term, made);
    return made;
  }

  #decide(term: Term): Verdict {
    const { nobody } = this.#facts;
    switch (term.kind) {
      case "fact":
        return this.#told(term.holds(this.#facts, this.#target));
      case "in":
        return this.#told(this.#facts.granted(this.#target, term));
      case "owner in": {
        const owners = this.#facts.granted(this.#target, term);
        return this.#told(owners && this.#facts.botsOf(owners));
      }
      case "may":
        return this.permission(term.permission);
      case "any":
        return term.of.map((each) => this.term(each)).reduce(either, same(nobody));
      case "given":
        return term.needs.map((each) => this.term(each)).reduce(both, this.term(term.grant));
      case "levels": {
        const { level } = this.#facts;
        return level >= term.from && level < term.below ? this.term(term.term) : same(nobody);
      }
      case "doubt":
        return { sure: nobody, possible: this.term(term.term).possible };
      default:
        return term satisfies never;
    }
  }

  #told(told: boolean | Bits | undefined): Verdict {
    const { everyone, nobody } = this.#facts;
    if (told === undefined) return { sure: nobody, possible: everyone };
    return same(told === true ? everyone : told === false ? nobody : told);
  }
}

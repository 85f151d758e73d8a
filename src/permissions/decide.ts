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
export class Decisions {
  constructor(
    readonly facts: Facts,
    readonly rules: Readonly<Record<string, Rule>>,
    readonly target: Target,
  ) {}

  rule(name: string): Rule {
    return this.rules[name]!;
  }

  readonly permission = remembered((name: string): Allowed => {
    const { term, webhooks } = this.rule(name);
    return both(this.term(term), same(webhooks ? this.facts.active : this.facts.acting));
  });

  readonly term = remembered((term: Term): Allowed => this.#decide(term));

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

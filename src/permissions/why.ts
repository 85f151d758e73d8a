/** Explains a count: who has a permission without being in its setting, and who is in it without the permission. */
import type { Bits } from "./bits.ts";
import { grants } from "./decide.ts";
import type { Cell } from "./evaluation.ts";
import type { Reason, Term } from "./term.ts";

const reasons: Readonly<Record<Reason, string>> = {
  subscriber: "subscribers",
  public: "everybody but guests, because the channel is public",
  "web-public": "everybody, because the channel is web-public",
  administrator: "administrators",
  owner: "owners",
  "bot-owner": "bots of the people in it",
  always: "always",
};

/** Returns `more: …` for what gives the permission besides its setting, and `fewer: …` for what is required besides it. */
export function whyCount({ decisions, permission, scope, rule, granted_to }: Cell): string[] {
  const { facts } = decisions;
  const { sure, possible } = decisions.permission(permission);
  const { active, nobody, guests, webhooks } = facts;
  const listed = granted_to === null ? nobody : facts.accountsIn(granted_to, true);

  /** Returns what gives the permission in words. Undefined for a fact that only others need. */
  function sourceOf(term: Term): string | undefined {
    if (term.kind === "fact") return term.reason && reasons[term.reason];
    if (term.kind === "owner in") return reasons["bot-owner"];
    if (term.kind !== "in") return undefined;
    return term.scope === scope ? term.setting : `${term.setting} of the ${term.scope}`;
  }

  function more(): string[] {
    const says: string[] = [];
    let left = sure.without(listed);
    const all = [...grants(decisions, rule.term, left)].sort((one, other) => other.to.count - one.to.count);
    for (const { term, to } of all) {
      const source = sourceOf(term);
      if (source === undefined || !to.and(left).count) continue;
      says.push(`more: ${source}`);
      left = left.without(to);
    }
    return says;
  }

  /** Returns a requirement that some of these accounts do not meet, and who these are. */
  function unmet(term: Term, among: Bits): { says: string; by: Bits } | undefined {
    const by = among.without(decisions.term(term).possible);
    if (!by.count) return undefined;
    switch (term.kind) {
      case "fact":
        return { says: term.missing, by };
      case "permission":
        return unmet(decisions.rule(term.permission).term, by);
      case "any": {
        // The alternative that most accounts have says more than one that nobody has.
        const count = (each: Term) => decisions.term(each).possible.count;
        const [widest] = [...term.of].sort((one, other) => count(other) - count(one));
        return widest && unmet(widest, by);
      }
      case "when":
        return [...term.requires, term.grant].map((each) => unmet(each, by)).find((found) => found);
      case "levels":
        return unmet(term.term, by);
      case "in": {
        const excluded = facts.allowsGuests(term.scope, term.setting) ? nobody : by.and(guests);
        if (excluded.count) return { says: `guests never have ${term.setting}`, by: excluded };
        return { says: `not in ${term.setting}`, by };
      }
      default:
        return undefined;
    }
  }

  function fewer(): string[] {
    let left = listed.and(active).without(possible);
    const says: string[] = [];
    const idle = rule.webhooks ? nobody : left.and(webhooks);
    if (idle.count) says.push("fewer: incoming webhooks only send messages");
    left = left.without(idle);
    for (let found = unmet(rule.term, left); found; found = unmet(rule.term, left)) {
      says.push(`fewer: ${found.says}`);
      left = left.without(found.by);
    }
    return says;
  }

  return [...more(), ...fewer()];
}

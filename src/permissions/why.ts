/** Explains a count: who has a permission without being in its setting, and who is in it without the permission. */
import type { Bits } from "./bits.ts";
import type { Cell } from "./cell.ts";
import { type Decisions, grants } from "./decide.ts";
import type { Reason, Term } from "./term.ts";

/** Returns `more: …` for what gives the permission besides its setting, and `fewer: …` for what is required besides it. */
export function whyCount(cell: Cell): string[] {
  return [
    ...otherSources(cell).map((source) => `more: ${source}`),
    ...unmetRequirements(cell).map((requirement) => `fewer: ${requirement}`),
  ];
}

function accountsInSetting({ decisions: { facts }, granted_to }: Cell): Bits {
  return granted_to === null ? facts.nobody : facts.accountsIn(granted_to, true);
}

/** Returns what gives the permission to accounts that are not in its setting. The source with the most accounts is first. */
function otherSources(cell: Cell): string[] {
  const { decisions, permission, scope, rule } = cell;
  const sources: string[] = [];
  let unexplained = decisions.permission(permission).sure.without(accountsInSetting(cell));
  const all = [...grants(decisions, rule.term, unexplained)].sort((one, other) => other.to.count - one.to.count);
  for (const { term, to } of all) {
    const source = sourceText(term, scope);
    if (source === undefined || !to.and(unexplained).count) continue;
    sources.push(source);
    unexplained = unexplained.without(to);
  }
  return sources;
}

const reasons: Readonly<Record<Reason, string>> = {
  subscriber: "subscribers",
  public: "everybody but guests, because the channel is public",
  "web-public": "everybody, because the channel is web-public",
  administrator: "administrators",
  owner: "owners",
  "bot-owner": "bots of the people in it",
  always: "always",
};

/** Returns what gives the permission, in words. Undefined for a fact that gives none. */
function sourceText(term: Term, scope: Cell["scope"]): string | undefined {
  switch (term.kind) {
    case "fact":
      return term.reason && reasons[term.reason];
    case "owner in":
      return reasons["bot-owner"];
    case "in":
      return term.scope === scope ? term.setting : `${term.setting} of the ${term.scope}`;
    default:
      return undefined;
  }
}

/** Returns the requirements that accounts in the setting do not meet. */
function unmetRequirements(cell: Cell): string[] {
  const { decisions, permission, rule } = cell;
  const { active, nobody, webhooks } = decisions.facts;
  const texts: string[] = [];
  let unexplained = accountsInSetting(cell).and(active).without(decisions.permission(permission).possible);
  const refusedWebhooks = rule.webhooks ? nobody : unexplained.and(webhooks);
  if (refusedWebhooks.count) texts.push("incoming webhooks only send messages");
  unexplained = unexplained.without(refusedWebhooks);
  for (;;) {
    const unmet = firstUnmet(decisions, rule.term, unexplained);
    if (!unmet) return texts;
    texts.push(unmet.text);
    unexplained = unexplained.without(unmet.accounts);
  }
}

interface UnmetRequirement {
  readonly text: string;
  /** Who does not meet it. */
  readonly accounts: Bits;
}

/** Returns the first requirement of a term that some of these accounts do not meet. */
function firstUnmet(decisions: Decisions, term: Term, among: Bits): UnmetRequirement | undefined {
  const accounts = among.without(decisions.term(term).possible);
  if (!accounts.count) return undefined;
  switch (term.kind) {
    case "fact":
      return { text: term.missing, accounts };
    case "in":
      return settingUnmet(decisions, term, accounts);
    case "permission":
      return firstUnmet(decisions, decisions.rule(term.permission).term, accounts);
    case "levels":
      return firstUnmet(decisions, term.term, accounts);
    case "any": {
      const widest = widestAlternative(decisions, term.of);
      return widest && firstUnmet(decisions, widest, accounts);
    }
    case "when":
      for (const each of [...term.requires, term.grant]) {
        const unmet = firstUnmet(decisions, each, accounts);
        if (unmet) return unmet;
      }
      return undefined;
    default:
      return undefined;
  }
}

/** Returns why accounts are not in a setting. Guests are named alone, because the setting never includes them. */
function settingUnmet(
  { facts }: Decisions,
  { scope, setting }: Extract<Term, { kind: "in" }>,
  accounts: Bits,
): UnmetRequirement {
  const guests = facts.allowsGuests(scope, setting) ? facts.nobody : accounts.and(facts.guests);
  if (guests.count) return { text: `guests never have ${setting}`, accounts: guests };
  return { text: `not in ${setting}`, accounts };
}

/** Returns the alternative that most accounts have. It says more than one that nobody has. */
function widestAlternative(decisions: Decisions, alternatives: readonly Term[]): Term | undefined {
  const count = (each: Term) => decisions.term(each).possible.count;
  return [...alternatives].sort((one, other) => count(other) - count(one))[0];
}

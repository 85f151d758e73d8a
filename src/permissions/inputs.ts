/** What a permission is decided from. Where nothing of it differs between two states, the permission does not either. */
import { whoIn } from "../model/permission.ts";
import type { Cell } from "./cell.ts";
import type { Decisions } from "./decide.ts";
import type { Evaluation } from "./evaluation.ts";
import type { Facts, Target } from "./facts.ts";
import type { Holders, Rule, Term } from "./term.ts";

type RuleInput = Extract<Term, { kind: "fact" | "in" | "owner in" }>;

/** Yields the facts and settings that a term looks at. */
function* inputsOf(decisions: Decisions, term: Term): Generator<RuleInput> {
  switch (term.kind) {
    case "permission":
      return yield* inputsOf(decisions, decisions.rule(term.permission).term);
    case "any":
      for (const each of term.of) yield* inputsOf(decisions, each);
      return;
    case "when":
      for (const each of [term.grant, ...term.requires]) yield* inputsOf(decisions, each);
      return;
    case "levels":
    case "uncertain":
      return yield* inputsOf(decisions, term.term);
    default:
      yield term;
  }
}

const sameHolders = (one: Holders, other: Holders): boolean =>
  one === other || (typeof one === "object" && typeof other === "object" && one.equals(other));

/** Returns whether all accounts are the same apart from their groups. */
const sameAccounts = (one: Facts, other: Facts): boolean =>
  (["active", "actors", "guests", "bots", "administrators", "owners", "roleMembers", "fullMembers"] as const).every(
    (name) => one[name].equals(other[name]),
  ) && one.accounts.every(({ bot_owner_id }, n) => bot_owner_id === other.accounts[n]?.bot_owner_id);

/** Returns a test whether a permission can differ between two states. It evaluates nothing. */
export function inputComparison(before: Evaluation, after: Evaluation): (was: Cell, is: Cell) => boolean {
  const [one, other] = [before.facts, after.facts];
  const settingsOf = ({ snapshot }: Evaluation) => snapshot.organization.server_supported_permission_settings;
  const isSameServer = one.level === other.level && settingsOf(before) === settingsOf(after);
  if (!isSameServer || !sameAccounts(one, other)) return () => true;
  const groups = [...new Set([...one.groups.keys(), ...other.groups.keys()])];
  const changed = new Set(groups.filter((id) => !one.members(id).equals(other.members(id))));
  const inputs = new Map<Rule, readonly RuleInput[]>();
  const inputsIn = ({ rule, decisions }: Cell): readonly RuleInput[] => {
    const known = inputs.get(rule) ?? [...inputsOf(decisions, rule.term)];
    inputs.set(rule, known);
    return known;
  };
  const differs = (input: RuleInput, was: Target, is: Target): boolean => {
    if (input.kind === "fact") return !sameHolders(input.holders(one, was), input.holders(other, is));
    const { scope, setting } = input;
    const value = other.value(is, scope, setting);
    const isSame = JSON.stringify(one.value(was, scope, setting)) === JSON.stringify(value);
    return !isSame || whoIn(value).direct_subgroups.some((id) => changed.has(id));
  };
  return (was, is) => inputsIn(is).some((input) => differs(input, was.decisions.target, is.decisions.target));
}

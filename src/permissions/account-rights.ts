/** What one account may do in a snapshot, and why it may not do the rest. */
import { keyBy } from "../common/group-by.ts";
import { ownersOnly } from "../model/person.ts";
import { channelsOf, peopleById, type Snapshot } from "../organization/snapshot.ts";
import { decisionsOf } from "./decide.ts";
import { missingFor } from "./explain.ts";
import { factsOf, memoize, type Scope } from "./facts.ts";
import type { Need, Right } from "./needs.ts";
import { actionText } from "./permission-text.ts";
import { messageAccess } from "./rules/channel.ts";
import { anybody, notArchived } from "./rules/fact.ts";
import { rulesOf } from "./rules.ts";
import { permission, type Rule, ruleOf } from "./term.ts";

/** The largest number of reasons that a refusal names. */
const mostReasons = 3;

/** Acts that no setting names alone. Owners of bots do not count for messages that are moved. */
const acts: Readonly<Record<string, Rule>> = {
  act_on_messages: ruleOf("channel", "act_on_messages", {
    action: "change messages of {}",
    setting: null,
    requires: messageAccess,
    alternatives: [anybody],
  }),
  receive_messages: ruleOf("channel", "receive_messages", {
    action: "move messages to {}",
    setting: "can_send_message_group",
    requires: [permission("read"), notArchived],
    webhooks: true,
  }),
};

const cannotSubscribe =
  "this account does not read the private channel, and servers let it subscribe nobody there; somebody who reads it can";

/** By permission, the roles that have it. */
const rolesWith: Readonly<Record<string, string>> = {
  own_organization: "owners",
  administer_organization: "administrators and owners",
};

/** Returns why the calling account does not have what a call needs. Undefined if it has it, or if nobody can know. */
export function accountRights(snapshot: Snapshot): (need: Need) => string | undefined {
  const { organization } = snapshot;
  const me = organization.user_id;
  const everybody = peopleById(snapshot);
  const own = everybody.get(me);
  if (!own) return () => undefined;
  const owner = everybody.get(own.bot_owner_id ?? 0);
  // Sets of all accounts of a large organization would cost much for each channel.
  const ownFacts = factsOf(snapshot, owner ? [own, owner] : [own]);
  const facts = { ...ownFacts, fullName: (id: number) => everybody.get(id)?.full_name };
  const rules = memoize((scope: Scope) => ({ ...rulesOf(facts, scope), ...(scope === "channel" && acts) }));
  const channels = keyBy(channelsOf(snapshot), ({ stream_id }) => stream_id);
  const decisions = memoize((key: string) => {
    const [scope, id] = key.split(" ");
    const channel = channels.get(Number(id));
    const group = facts.groups.get(Number(id));
    if (scope === "organization") return decisionsOf(facts, rules(scope), { scope });
    if (scope === "channel") return channel && decisionsOf(facts, rules(scope), { scope, channel });
    return group && decisionsOf(facts, rules("group"), { scope: "group", group });
  });
  const nameOf = ({ scope, target }: Right): string | null =>
    (scope === "channel" ? channels.get(target ?? 0)?.name : facts.groups.get(target ?? 0)?.name) ?? null;

  function missing(right: Right, does = "do this"): string | undefined {
    const { scope, target, permission } = right;
    const found = decisions(`${scope} ${target}`);
    // A newer or older server has another permission, or the thing is hidden.
    if (!found || !Object.hasOwn(rules(scope), permission)) return undefined;
    const { possible } = found.permission(permission);
    if (possible.has(facts.indexOf(me))) return undefined;
    const isReader =
      permission !== "can_add_subscribers_group" || found.permission("read").possible.has(facts.indexOf(me));
    if (!isReader) return cannotSubscribe;
    const who = rolesWith[permission];
    if (who !== undefined) return ownersOnly(does, who);
    const cell = { ...right, rule: found.rule(permission), name: nameOf(right), decisions: found };
    const reasons = missingFor(cell, me);
    const act = actionText(cell);
    return `permission denied: this account may not ${act}: ${reasons.slice(0, mostReasons).join("; ")}`;
  }

  return ({ anyOf, does }) => {
    const all = anyOf.map((right) => missing(right, does));
    return all.includes(undefined) ? undefined : all[0];
  };
}

/**
 * Returns what an account lacks before a plan, and still lacks when the rest of the plan is made. `without`: the organization
 * after the plan without what is denied.
 */
export function lastingDenials<T extends { readonly need: Need }>(
  required: readonly T[],
  before: Snapshot,
  without: (denied: readonly T[]) => Snapshot,
): (T & { readonly says: string })[] {
  const rights = accountRights(before);
  let denied = required.filter(({ need }) => rights(need) !== undefined);
  for (let count = -1; denied.length && denied.length !== count; ) {
    count = denied.length;
    const later = accountRights(without(denied));
    denied = denied.filter(({ need }) => later(need) !== undefined);
  }
  return denied.map((one) => ({ ...one, says: rights(one.need) ?? "" }));
}

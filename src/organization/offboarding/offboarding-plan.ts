/** Plans how people leave: takes or hands over what they have, then deactivates them. */

import { updateBot } from "../../api/bots.ts";
import { updateMembers } from "../../api/groups.ts";
import { deactivateUser } from "../../api/people.ts";
import { subscribe } from "../../api/subscriptions.ts";
import { userAddress } from "../../api/users.ts";
import { groupBy } from "../../common/group-by.ts";
import type { Allowed } from "../../engine/change.ts";
import type { ChangeEffect } from "../../model/effect.ts";
import { deactivatedPerson } from "../../model/loss.ts";
import { roles } from "../../model/person.ts";
import type { AnyOperation, ArgsOf } from "../../wire/operation.ts";
import { type Difference, type FieldChange, marksOf } from "../difference.ts";
import { type GroupMembership, groupMembershipIn } from "../group-members.ts";
import { judgedViolations } from "../guards.ts";
import { nobodyIn, permissionValue, same, sorted } from "../id-values.ts";
import { judgePlan } from "../judge-plan.ts";
import { messagesOf, type OrganizationPlan } from "../make-plan.ts";
import { inStartOrder, orderRequests, type RequestStep } from "../order.ts";
import { predict } from "../prediction.ts";
import { differenceTitle, sections } from "../section-registry.ts";
import { withoutUndefined } from "../sections/requests.ts";
import { callerRole, type Person, type Snapshot } from "../snapshot.ts";
import { refusedWho } from "../unsupported.ts";
import { isLost, rotateKeyCommand, whomToAsk } from "./remaining.ts";
import {
  permissionOf,
  type Responsibility,
  type ResponsibilityInThing,
  responsibilitiesOf,
  type ThingWithPeople,
} from "./responsibilities.ts";

interface DataDeletion {
  readonly actions: NonNullable<ArgsOf<typeof deactivateUser>["actions"]>;
  /** What becomes of an account without its profile. */
  readonly ofProfile?: string | undefined;
}

export interface Offboarding {
  readonly people: ReadonlySet<number>;
  /** The person who takes their place. */
  readonly to?: number | undefined;
  /** The text for the e-mail to them. */
  readonly comment?: string | undefined;
  /** What is deleted of them. */
  readonly deletion?: DataDeletion | undefined;
}

const nameOf = (person: Person): string => userAddress(person) ?? `id:${person.user_id}`;

const administratorPermission = "can_administer_channel_group";
/** What only people who can read a channel can change. */
export const needsReading: ReadonlySet<string> = new Set([
  "can_add_subscribers_group",
  "can_subscribe_group",
  "subscribers",
]);

/** Returns why the calling account cannot make a change. Undefined if it can. */
function obstacleTo(
  { snapshot, caller }: GroupMembership,
  thing: ThingWithPeople,
  { field, to }: FieldChange,
): string | undefined {
  const refused = refusedWho(snapshot, thing.section, field, to);
  if (refused !== undefined) return `servers do not accept ${refused} for it`;
  if (thing.section === "channels")
    return needsReading.has(field) && !caller.reads(thing.id)
      ? "only people who can read the channel can change it"
      : undefined;
  if (thing.section === "groups")
    return caller.manages(thing.id) ? undefined : "this account does not manage the group";
  return callerRole(snapshot) !== roles.owner && sections.settings.members[field]?.owner
    ? "only owners can change it"
    : undefined;
}

/** Returns the change of a permission or list. Undefined if nothing changes. */
function changeIn(
  snapshot: Snapshot,
  { people, to }: Offboarding,
  responsibility: ResponsibilityInThing,
): FieldChange | undefined {
  const { thing, field, isNamed, isLast } = responsibility;
  const successor = to === undefined ? [] : [to];
  const change = (from: unknown, after: unknown) => (same(from, after) ? undefined : { field, from, to: after });
  const withoutLeaving = (all: Iterable<number>) => [...all].filter((id) => !people.has(id));
  if (thing.section === "groups" && responsibility.kind === "membership")
    return change(sorted(thing.record.members), sorted(withoutLeaving(thing.record.members)));
  if (thing.section === "channels" && responsibility.kind === "subscription") {
    const subscribers = thing.record.subscribers ?? [];
    return change(sorted(subscribers), sorted([...subscribers, ...successor]));
  }
  const value = permissionOf(snapshot, thing, field);
  if (value === undefined) return undefined;
  const from = permissionValue(value, nobodyIn(snapshot));
  const added = isNamed || (isLast && field === administratorPermission) ? successor : [];
  return change(from, { ...from, users: sorted([...withoutLeaving(from.users), ...added]) });
}

/** What offboarding does, of each person who leaves. */
class LeavingEffects {
  readonly #byPerson: ReadonlyMap<number, ChangeEffect[]>;

  constructor(people: Iterable<number>) {
    this.#byPerson = new Map([...people].map((person) => [person, []]));
  }

  add(people: Iterable<number>, text: string, more: Partial<ChangeEffect> = {}): void {
    for (const person of new Set(people))
      this.#byPerson.get(person)?.push({ kind: "access_lost", text, people: 1, who: [person], ...more });
  }

  of(person: number): readonly ChangeEffect[] {
    return this.#byPerson.get(person) ?? [];
  }
}

const deletedMessages = { kind: "messages_deleted", irreversible: true } as const;

/** Adds what happens to the accounts themselves. */
function addAccountEffects(effects: LeavingEffects, { people, deletion }: Offboarding): void {
  effects.add(people, deactivatedPerson.effect.says);
  if (deletion?.ofProfile !== undefined) effects.add(people, deletion.ofProfile);
}

/** Adds what happens to the bots and invitations of people. */
function addEffectsOnOwned(
  effects: LeavingEffects,
  all: readonly Responsibility[],
  { to, deletion }: Offboarding,
): void {
  for (const each of all) {
    const owner = [each.person];
    if (each.kind === "invitation") effects.add(owner, `revokes invitation ${each.name}`);
    if (each.kind !== "bot") continue;
    if (to === undefined) {
      if (deletion) effects.add(owner, `deletes the same of bot ${each.name}`, deletedMessages);
    } else
      effects.add(owner, `leaves the key of bot ${each.name} as it is, and it still works: ${rotateKeyCommand(each)}`);
  }
}

type InOneField = readonly [ResponsibilityInThing, ...ResponsibilityInThing[]];

/** Adds what happens to a permission or list that people have. `reason`: why it stays as it is. */
function addFieldEffects(
  effects: LeavingEffects,
  membership: GroupMembership,
  { people }: Offboarding,
  all: InOneField,
  { thing, field, kind, isLast }: ResponsibilityInThing,
  { isTaken, reason }: { isTaken: boolean; reason: string | undefined },
): void {
  const channel = thing.section === "channels" ? thing.record : undefined;
  const isUnreadable = channel && !membership.caller.reads(channel.stream_id);
  const asking = isUnreadable ? `; ${whomToAsk(membership, channel, people)}` : "";
  const suffix = reason === undefined ? "" : `: ${reason}${asking}`;
  const title = differenceTitle({ ...thing, action: "update" });
  const target = thing.section === "settings" ? field : `${field} of ${title}`;
  const persons = all.map(({ person }) => person);
  if (kind === "subscription" && !isTaken) {
    // The judgment names a channel that nobody can read.
    if (!channel || !isLost(membership, channel, people))
      effects.add(persons, `leaves ${title} without subscribers${suffix}`);
  } else if (kind !== "subscription" && reason !== undefined)
    effects.add(persons, `leaves ${target} as it is${suffix}`);
  if (kind === "permission" && isLast && !isTaken) effects.add(persons, `leaves ${target} to nobody`);
}

/** Returns the changes of the permissions and lists that people have, and adds their effects. */
function changesInThings(
  membership: GroupMembership,
  offboarding: Offboarding,
  all: readonly ResponsibilityInThing[],
  effects: LeavingEffects,
): Difference[] {
  const changeOf = (inField: InOneField): FieldChange[] => {
    // People who are named hand over their place, even if others are in it too.
    const first = inField.find(({ isNamed }) => isNamed) ?? inField[0];
    const change = changeIn(membership.snapshot, offboarding, first);
    const reason = change && obstacleTo(membership, first.thing, change);
    const made = change && reason === undefined ? [change] : [];
    const isTaken = offboarding.to !== undefined && made.length > 0;
    addFieldEffects(effects, membership, offboarding, inField, first, { isTaken, reason });
    return made;
  };
  return [...groupBy(all, ({ thing }) => thing)].flatMap(([thing, inThing]): Difference[] => {
    const fields = [...groupBy(inThing, ({ field }) => field).values()].flatMap(changeOf);
    const { section, name } = thing;
    const id = section === "settings" ? {} : { id: thing.id };
    return fields.length ? [{ section, name, ...id, action: "update", fields }] : [];
  });
}

/** Returns the changes that give the bots of people another owner. */
const newOwners = (all: readonly Responsibility[], to: number | undefined): Difference[] =>
  all.flatMap((each): Difference[] => {
    if (each.kind !== "bot" || to === undefined) return [];
    const fields = [{ field: "owner", from: each.person, to }];
    return [{ section: "bots", name: each.name, id: each.id, action: "update", fields }];
  });

/** Returns all changes that are needed for people to leave. */
export function offboardingDifferences(membership: GroupMembership, offboarding: Offboarding): Difference[] {
  const { people, to } = offboarding;
  const leaving = membership.snapshot.organization.realm_users.filter(({ user_id }) => people.has(user_id));
  const responsibilities = responsibilitiesOf(membership, leaving, to !== undefined);
  const inThings = responsibilities.flatMap((each) => ("thing" in each ? [each] : []));
  const effects = new LeavingEffects(leaving.map(({ user_id }) => user_id));
  addAccountEffects(effects, offboarding);
  const changed = changesInThings(membership, offboarding, inThings, effects);
  addEffectsOnOwned(effects, responsibilities, offboarding);
  const deactivated = leaving.map((person): Difference => {
    const { user_id: id } = person;
    const marks = marksOf(effects.of(id));
    return { section: "people", name: nameOf(person), id, action: "deactivate", fields: [], ...marks };
  });
  return [...changed, ...newOwners(responsibilities, to), ...deactivated];
}

/** Permissions come first, then requests in this order. */
const operationOrder: readonly AnyOperation[] = [subscribe, updateBot, updateMembers, deactivateUser];

/**
 * Puts requests in order. Handing over comes before removing people from groups and deactivating them: afterwards
 * nobody could see what they had, and a second run would miss it.
 */
function inRemovalOrder(steps: readonly RequestStep[], { comment, deletion }: Offboarding): RequestStep[] {
  const rankOf = ({ change }: RequestStep) => operationOrder.indexOf(change.operation);
  const all = [...steps].sort((one, other) => rankOf(one) - rankOf(other));
  return all.map((step) => {
    const { change } = step;
    const isLast = change.operation === deactivateUser;
    const args = isLast && withoutUndefined({ deactivation_notification_comment: comment, actions: deletion?.actions });
    const isRemoval = isLast || change.operation === updateMembers;
    const needs = isRemoval ? all.flatMap((each, n) => (rankOf(each) < rankOf(step) ? [n] : [])) : [];
    return { ...step, change: { ...change, args: { ...change.args, ...args } }, needs };
  });
}

export async function offboardingPlan(
  snapshot: Snapshot,
  offboarding: Offboarding,
  { allowed, ...options }: { verifyWith: string; portion?: number | undefined; allowed: Allowed },
): Promise<OrganizationPlan> {
  const before = groupMembershipIn(snapshot);
  const found = offboardingDifferences(before, offboarding);
  const prediction = predict(before, found);
  const steps = inRemovalOrder(orderRequests(prediction, options), offboarding);
  const judgment = await judgePlan(prediction, steps);
  const judged = found.map((one, n) => {
    const stated = one.effects ?? [];
    const more = (judgment.effects[n] ?? []).filter(({ text }) => !stated.some((each) => each.text === text));
    return { ...one, ...marksOf([...stated, ...more]) };
  });
  const { differences, ...plan } = inStartOrder(judged, steps);
  const none = { onlyWithPrune: [], used: [], deactivated: [], problems: [], notices: [], unmanaged: {} };
  return {
    ...plan,
    comparison: { ...none, differences, refused: [] },
    before: snapshot,
    result: prediction.after.snapshot,
    guards: judgedViolations(judgment, allowed),
    messages: messagesOf(snapshot, differences),
  };
}

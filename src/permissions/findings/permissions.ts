/** Findings about the values of settings. */
import { keyBy } from "../../common/group-by.ts";
import { roles } from "../../model/person.ts";
import { type Person, roleOf } from "../../organization/snapshot.ts";
import type { Bits } from "../bits.ts";
import type { Cell, Evaluation } from "../evaluation.ts";
import { groupTitle, visibleName } from "../titles.ts";
import {
  channelItem,
  type Finder,
  type FindingInput,
  type FindingItem,
  groupItem,
  idsOf,
  peopleDetail,
  permissionItem,
  settingCommand,
  settingValue,
} from "./finding-items.ts";

const creatorOf = ({ decisions: { target } }: Cell): number =>
  Number((target.channel ?? target.group)?.creator_id ?? 0);

/** Finds settings that include guests, or every member, unless that is the server's default. */
function beyondDefault({ evaluation, cells }: FindingInput, to: "guests" | "members"): FindingItem[] {
  const { facts } = evaluation;
  const members = facts.active.without(facts.guests).without(facts.bots);
  const reaches = (set: Bits): boolean =>
    to === "guests" ? set.and(facts.guests).count > 0 : members.count > 1 && members.without(set).count === 0;
  return cells.flatMap((cell) => {
    const { scope, rule, granted_to, isInactive } = cell;
    const defaultGroup = facts.settingInfo(scope, rule.setting ?? "")?.default_group_name;
    if (isInactive || granted_to === null || rule.setting === null || !defaultGroup) return [];
    // Without such a group only the creator has it by default.
    const group = facts.systemGroup(defaultGroup);
    const now = facts.accountsIn(granted_to, facts.allowsGuests(scope, rule.setting));
    const { sure } = evaluation.holderSets(cell);
    if (reaches(group ? facts.members(group.id) : facts.nobody) || !reaches(now) || !reaches(sure)) return [];
    const creator = creatorOf(cell);
    const trusted = facts.active.without(facts.guests).has(facts.indexOf(creator));
    const fix = settingCommand(cell, group?.name ?? (trusted ? `user:${creator}` : "nobody"));
    const people = idsOf(facts.people(to === "guests" ? sure.and(facts.guests) : members));
    const detail = `by default ${group ? groupTitle(group.name) : "whoever made it"}`;
    return [permissionItem(cell, fix, { people, detail })];
  });
}

const deactivated = ({ snapshot }: Evaluation): ReadonlyMap<number, Person> =>
  keyBy(snapshot.organization.realm_non_active_users, ({ user_id }) => user_id);

export const permissionFinders = {
  permission_reaches_guests: (input) => beyondDefault(input, "guests"),

  permission_reaches_members(input) {
    const guests = new Set(beyondDefault(input, "guests").map(({ text }) => text));
    return beyondDefault(input, "members").filter(({ text }) => !guests.has(text));
  },

  web_public_creators({ evaluation }) {
    const cell = evaluation.findCell("organization", null, "can_create_web_public_channel_group");
    const people = cell ? evaluation.holders(cell).filter((one) => !one.is_bot && roleOf(one) === roles.member) : [];
    return cell && people.length
      ? [permissionItem(cell, settingCommand(cell, "role:owners"), peopleDetail(people))]
      : [];
  },

  permission_names_deactivated({ evaluation, cells }) {
    const deactivatedPeople = deactivated(evaluation);
    return cells.flatMap((cell) => {
      const { granted_to, isInactive } = cell;
      if (isInactive || granted_to === null || typeof granted_to === "number") return [];
      const people = granted_to.direct_members.flatMap((id) => deactivatedPeople.get(id) ?? []);
      const rest = granted_to.direct_members.filter((id) => !deactivatedPeople.has(id));
      const fix = settingCommand(cell, settingValue(rest, granted_to.direct_subgroups));
      return people.length ? [permissionItem(cell, fix, peopleDetail(people))] : [];
    });
  },

  /** Finds settings that only deactivated people are left of: servers show them as nobody. */
  left_to_deactivated({ evaluation, cells }) {
    const deactivatedPeople = deactivated(evaluation);
    return cells.flatMap((cell) => {
      const { permission, granted_to, isInactive, decisions } = cell;
      if (isInactive || !["administer", "can_manage_group"].includes(permission) || typeof granted_to !== "object")
        return [];
      if (!granted_to || granted_to.direct_members.length + granted_to.direct_subgroups.length > 0) return [];
      const { channel, group } = decisions.target;
      const creator = deactivatedPeople.get(creatorOf(cell));
      const detail = creator && `made by ${visibleName(creator.full_name)}, who is deactivated`;
      const people = creator ? [creator.user_id] : [];
      const fix = settingCommand(cell, "role:administrators");
      if (channel) return [channelItem(channel, fix, { people, detail })];
      return group ? [groupItem(group, fix, { people, detail })] : [];
    });
  },
} satisfies Readonly<Record<string, Finder>>;

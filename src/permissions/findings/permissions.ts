/** Findings about the values of settings. */
import { roleOf } from "../../organization/snapshot.ts";
import type { Bits } from "../bits.ts";
import type { Cell } from "../evaluation.ts";
import { groupTitle, visible } from "../report/words.ts";
import {
  channelFound,
  type Found,
  groupFound,
  ids,
  type Material,
  names,
  permissionFound,
  setting,
  whoText,
} from "./found.ts";

const creatorOf = ({ decisions }: Cell): number =>
  Number((decisions.target.channel ?? decisions.target.group)?.creator_id ?? 0);

/** Finds settings that include guests, or every member, unless that is the server's default. */
function beyondDefault({ evaluation, asked }: Material, to: "guests" | "members"): Found[] {
  const { facts } = evaluation;
  const members = facts.active.without(facts.guests).without(facts.bots);
  const reaches = (set: Bits): boolean =>
    to === "guests" ? set.and(facts.guests).count > 0 : members.count > 1 && members.without(set).count === 0;
  return asked.flatMap((cell) => {
    const { scope, rule, granted_to, away } = cell;
    const usual = facts.supported(scope, rule.setting ?? "")?.default_group_name;
    if (away || granted_to === null || rule.setting === null || !usual) return [];
    // By default only the creator has it.
    const group = [...facts.groups.values()].find(({ name, is_system_group }) => is_system_group && name === usual);
    const now = facts.inside(granted_to, facts.letsGuests(scope, rule.setting));
    const { sure } = evaluation.verdict(cell);
    if (reaches(group ? facts.members(group.id) : facts.nobody) || !reaches(now) || !reaches(sure)) return [];
    const creator = creatorOf(cell);
    const trusted = facts.active.without(facts.guests).has(facts.place(creator) ?? -1);
    const fix = setting(cell, group?.name ?? (trusted ? `user:${creator}` : "nobody"));
    const people = to === "guests" ? ids(facts.people(sure.and(facts.guests))) : ids(facts.people(members));
    const detail = `by default ${group ? groupTitle(group.name) : "whoever made it"}`;
    return [permissionFound(cell, fix, { people, detail })];
  });
}

const same = (one: Found, other: Found): boolean => one.text === other.text;

export const permissionFinders = {
  permission_reaches_guests: (material: Material): Found[] => beyondDefault(material, "guests"),

  permission_reaches_members(material: Material): Found[] {
    const guests = beyondDefault(material, "guests");
    return beyondDefault(material, "members").filter((found) => !guests.some((one) => same(one, found)));
  },

  web_public_creators({ evaluation }: Material): Found[] {
    const cell = evaluation.findCell("organization", null, "can_create_web_public_channel_group");
    const people = cell ? evaluation.who(cell).filter((one) => !one.is_bot && roleOf(one) === 400) : [];
    if (!cell || !people.length) return [];
    return [permissionFound(cell, setting(cell, "role:owners"), { people: ids(people), detail: names(people) })];
  },

  permission_names_deactivated({ evaluation, asked }: Material): Found[] {
    const gone = new Map(evaluation.snapshot.organization.realm_non_active_users.map((one) => [one.user_id, one]));
    return asked.flatMap((cell) => {
      const { granted_to, away } = cell;
      if (away || granted_to === null || typeof granted_to === "number") return [];
      const people = granted_to.direct_members.flatMap((id) => gone.get(id) ?? []);
      const rest = granted_to.direct_members.filter((id) => !gone.has(id));
      const fix = setting(cell, whoText(rest, granted_to.direct_subgroups));
      return people.length ? [permissionFound(cell, fix, { people: ids(people), detail: names(people) })] : [];
    });
  },

  /** Finds settings that only deactivated people are left of: servers show them as nobody. */
  left_to_deactivated({ evaluation, asked }: Material): Found[] {
    const gone = new Map(evaluation.snapshot.organization.realm_non_active_users.map((one) => [one.user_id, one]));
    return asked.flatMap((cell) => {
      const { permission, granted_to, away, decisions } = cell;
      if (away || !["administer", "can_manage_group"].includes(permission) || typeof granted_to !== "object") return [];
      if (!granted_to || granted_to.direct_members.length + granted_to.direct_subgroups.length > 0) return [];
      const { channel, group } = decisions.target;
      const creator = gone.get(creatorOf(cell));
      const detail = creator && `made by ${visible(creator.full_name)}, who is deactivated`;
      const about = { people: creator ? [creator.user_id] : [], detail };
      const fix = setting(cell, "role:administrators");
      return channel ? [channelFound(channel, fix, about)] : group ? [groupFound(group, fix, about)] : [];
    });
  },
};

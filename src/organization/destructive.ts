/** Marks destructive changes: they cannot be undone, or take something from people. */

import { counted, peopleAndBots } from "../common/counted.ts";
import { channelRisk } from "../model/channel.ts";
import { organizationSettings, settingRisk } from "../model/organization.ts";
import { isPowerful, roleName, roleRisks } from "../model/person.ts";
import { daysOf } from "../model/risk.ts";
import { isEmpty, listChanges } from "./canonical.ts";
import {
  type Difference,
  type FieldChange,
  fieldsOf,
  optionsOf,
  type ThingId,
  type Update,
  type WhoValue,
} from "./difference.ts";
import { givesToEveryone, isOpenByDefault, makesEveryoneMember } from "./everyone.ts";
import { sections } from "./file.ts";
import type { Prediction } from "./prediction.ts";
import { memberNamed, who } from "./shape.ts";
import { channelsOf, defaultChannelsOf, everybodyOf, organizationSetting, roleOf, type Snapshot } from "./snapshot.ts";
import { hasAccounts } from "./words.ts";

/** Counts the people who have a value of a profile field, or one of the options in `keys`. */
export const holders = (snapshot: Snapshot, field: unknown, keys?: ReadonlySet<unknown>): number =>
  everybodyOf(snapshot).filter(({ profile_data }) => {
    const value = profile_data?.[String(field)]?.value;
    return keys ? keys.has(value) : !isEmpty(value);
  }).length;

/** Returns by channel how many days it keeps messages. Channels without a value use the organization's. */
function retentionIn(snapshot: Snapshot): ReadonlyMap<number, number> {
  const shared = organizationSetting(snapshot, "message_retention_days");
  return new Map(channelsOf(snapshot).map((each) => [each.stream_id, daysOf(each.message_retention_days ?? shared)]));
}

/** Returns the same differences with `destructive` filled in. */
export function withDestructive({ before, after, ids, differences }: Prediction): Difference[] {
  const { snapshot } = before;
  const { snapshot: result } = after;
  const [daysBefore, daysAfter] = [retentionIn(snapshot), retentionIn(result)];
  const people = new Map<unknown, ReturnType<typeof everybodyOf>[number]>(
    everybodyOf(snapshot).map((person) => [person.user_id, person]),
  );
  const channels = channelsOf(result).filter(({ stream_id }) => daysBefore.has(stream_id));
  const context = {
    webPublic: channels.flatMap((each) => (each.is_web_public && !each.is_archived ? [each.name] : [])),
    inheriting: channels.filter(({ message_retention_days: own }) => (own ?? null) === null).length,
  };
  const count = (all: readonly unknown[]): string => {
    const bots = all.filter((id) => people.get(id)?.is_bot).length;
    return peopleAndBots(all.length - bots, bots);
  };

  /** Describes what else loses an archived channel. */
  const archived = (id: number): string[] => {
    const changed = differences.flatMap(fieldsOf).map(({ field }) => field);
    const emptied = Object.entries(organizationSettings).flatMap(([name, { kind }]) =>
      kind === "channel" && !changed.includes(name) && organizationSetting(snapshot, name) === id ? [name] : [],
    );
    return [
      emptied.length ? `leaves ${emptied.join(", ")} without a channel` : "",
      defaultChannelsOf(snapshot).includes(id) ? "takes it from the channels of new people" : "",
    ];
  };

  const ofAction = ({ section, action, id = 0 }: Update): string[] => {
    const role = roleName(roleOf(people.get(id) ?? {}));
    const isOfPeople = section === "people";
    if (action === "reactivate" && hasAccounts(section) && isPowerful(role))
      return [`brings back ${role === "owner" ? "an owner" : "an administrator"}`];
    if (action === "deactivate") return [isOfPeople ? "deactivates them, and their bots" : "deactivates it"];
    if (action !== "archive") return [];
    return ["archives it", ...(section === "channels" ? archived(id) : [])];
  };

  function ofField(section: Difference["section"], id: number | undefined, change: FieldChange): string[] {
    const { field, from, to } = change;
    if (section === "settings") return [settingRisk(field, from, to, context) ?? "", ...ofPermission(section, change)];
    if (field === "members" || field === "subscribers") {
      const [, removed] = listChanges(from, to);
      return removed.length ? [`takes ${count(removed)} out`] : [];
    }
    if (field === "subgroups") {
      const [added, removed] = listChanges<ThingId>(from, to);
      return [
        removed.length ? `takes ${counted(removed.length, "group")} out` : "",
        after.includesEveryone(ids.all("groups", added)) ? makesEveryoneMember : "",
      ];
    }
    if (field === "options") {
      const keys = new Set(optionsOf(to).map(({ key }) => key));
      const removed = optionsOf(from).filter(({ key }) => !keys.has(key));
      const total = holders(snapshot, id, new Set(removed.map(({ key }) => key)));
      const having = counted(total, "person has", "people have");
      return removed.length ? [`removes ${counted(removed.length, "option")}, which ${having}`] : [];
    }
    if (field === "role") return roleRisks(from, to);
    if (section !== "channels") return ofPermission(section, change);
    const isKept = field === "message_retention_days" && id !== undefined;
    const risk = isKept ? channelRisk(field, daysBefore.get(id), daysAfter.get(id)) : channelRisk(field, from, to);
    return [risk?.plan ?? "", ...ofPermission(section, change)];
  }

  function ofPermission(section: Difference["section"], { field, from, to }: FieldChange): string[] {
    if (memberNamed(sections[section], field)?.shape !== who) return [];
    return [...givenToEveryone(field, from as WhoValue | null, to as WhoValue), ...takenFrom(field, from, to)];
  }

  function givenToEveryone(field: string, from: WhoValue | null, to: WhoValue): string[] {
    const wasOpen = from && before.includesEveryone(ids.all("groups", from.groups));
    const isOpen = after.includesEveryone(ids.all("groups", to.groups));
    return isOpen && !wasOpen && !isOpenByDefault(field) ? [givesToEveryone(field)] : [];
  }

  function takenFrom(field: string, from: unknown, to: unknown): string[] {
    if (!from) return [];
    const remaining = after.people(ids.who(to as WhoValue));
    const lost = [...before.people(ids.who(from as WhoValue))].filter((id) => !remaining.has(id));
    return lost.length ? [`takes ${field} from ${count(lost)}`] : [];
  }

  function sentences(one: Difference): string[] {
    if ("fields" in one)
      return [...ofAction(one), ...one.fields.flatMap((change) => ofField(one.section, one.id, change))];
    if (one.action === "reorder") return [];
    if (one.action === "remove") {
      const total = one.section === "profile_fields" ? holders(snapshot, one.id) : 0;
      return [total ? `removes it, and with it the values of ${counted(total, "person", "people")}` : "removes it"];
    }
    return Object.entries(one.to).flatMap(([field, to]) =>
      field === "is_private" ? [] : ofField(one.section, undefined, { field, from: null, to }),
    );
  }

  return differences.map(({ destructive: _, ...one }) => {
    const destructive = sentences(one as Difference).filter(Boolean);
    return (destructive.length ? { ...one, destructive } : one) as Difference;
  });
}

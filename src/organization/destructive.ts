/** Marks destructive changes: they cannot be undone, or take something from people. */

import { counted, peopleAndBots } from "../common/counted.ts";
import { channelRisk } from "../model/channel.ts";
import { archivedChannel, deactivatedBot, deactivatedPerson } from "../model/loss.ts";
import { organizationSettings, settingRisk } from "../model/organization.ts";
import { returnRisks, roleName, roleRisks } from "../model/person.ts";
import { optionsRemoved } from "../model/profile-field.ts";
import { cannotRestore, daysOf } from "../model/risk.ts";
import type { Effect } from "../model/setting.ts";
import { listChanges } from "./canonical.ts";
import {
  type Difference,
  type FieldChange,
  fieldsOf,
  groupsIn,
  optionsOf,
  type ThingId,
  type Update,
} from "./difference.ts";
import { givesToEveryone, isOpenByDefault, makesEveryoneMember, takesFrom } from "./everyone.ts";
import { sections } from "./file.ts";
import type { Prediction } from "./prediction.ts";
import { holders } from "./sections/profile-fields.ts";
import { memberNamed, who } from "./shape.ts";
import { channelsOf, defaultChannelsOf, everybodyOf, organizationSetting, roleOf, type Snapshot } from "./snapshot.ts";
import { hasAccounts } from "./words.ts";

/** A phrase that follows "it". Empty if nothing is destructive. */
type Phrase = string | Effect;

/** Returns the marks of a difference. */
export function marksOf(phrases: readonly Phrase[]): Pick<Difference, "destructive" | "irreversible"> {
  const effects = phrases.map((phrase): Effect => (typeof phrase === "string" ? { says: phrase } : phrase));
  const destructive = effects.map(({ says }) => says).filter(Boolean);
  const irreversible = effects.flatMap((effect) => (effect.irreversible ? [effect.says] : []));
  return { ...(destructive.length && { destructive }), ...(irreversible.length && { irreversible }) };
}

/** Returns by channel how many days it keeps messages. Channels without a value use the organization's. */
function retentionIn(snapshot: Snapshot): ReadonlyMap<number, number> {
  const shared = organizationSetting(snapshot, "message_retention_days");
  return new Map(channelsOf(snapshot).map((each) => [each.stream_id, daysOf(each.message_retention_days ?? shared)]));
}

/** Returns the same differences with `destructive` and `irreversible` filled in. */
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

  /** Describes that a thing is archived or deactivated. Not every server can restore it. */
  function lossOf({ section, action }: Update): Effect {
    const stated = sections[section];
    const { restore = "", restoreSince = 0 } = ("records" in stated && stated.archiving) || {};
    const irreversible = snapshot.feature_level < restoreSince;
    const suffix = irreversible ? `: ${cannotRestore(restore, restoreSince)}` : "";
    const loss = section === "channels" ? archivedChannel : section === "bots" ? deactivatedBot : undefined;
    return { says: `${loss?.effect.says ?? `${action}s it`}${suffix}`, irreversible };
  }

  const ofAction = (one: Update): Phrase[] => {
    const { section, action, id = 0 } = one;
    const role = roleName(roleOf(people.get(id) ?? {}));
    if (action === "reactivate" && hasAccounts(section)) return returnRisks(role);
    if (action !== "archive" && action !== "deactivate") return [];
    if (section === "people") return [deactivatedPerson.effect, "deactivates their bots"];
    return [lossOf(one), ...(section === "channels" ? archived(id) : [])];
  };

  function ofField(section: Difference["section"], id: number | undefined, change: FieldChange): Phrase[] {
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
      return removed.length ? [optionsRemoved(removed, total)] : [];
    }
    if (field === "role") return roleRisks(from, to);
    if (section !== "channels") return ofPermission(section, change);
    const isKept = field === "message_retention_days" && id !== undefined;
    const risk = isKept ? channelRisk(field, daysBefore.get(id), daysAfter.get(id)) : channelRisk(field, from, to);
    return [risk ?? "", ...ofPermission(section, change)];
  }

  function ofPermission(section: Difference["section"], { field, from, to }: FieldChange): string[] {
    if (memberNamed(sections[section], field)?.shape !== who) return [];
    return [...givenToEveryone(field, from, to), ...takenFrom(field, from, to)];
  }

  function givenToEveryone(field: string, from: unknown, to: unknown): string[] {
    const wasOpen = before.includesEveryone(ids.all("groups", groupsIn(from)));
    const isOpen = after.includesEveryone(ids.all("groups", groupsIn(to)));
    return isOpen && !wasOpen && !isOpenByDefault(field) ? [givesToEveryone(field)] : [];
  }

  function takenFrom(field: string, from: unknown, to: unknown): string[] {
    if (!from) return [];
    const remaining = after.people(ids.who(to));
    const lost = [...before.people(ids.who(from))].filter((id) => !remaining.has(id));
    return lost.length ? [takesFrom(field, count(lost))] : [];
  }

  function phrases(one: Difference): Phrase[] {
    if ("fields" in one)
      return [...ofAction(one), ...one.fields.flatMap((change) => ofField(one.section, one.id, change))];
    if (one.action === "reorder") return [];
    if (one.action === "remove") {
      const stated = sections[one.section];
      const lost = "records" in stated && stated.lost?.(snapshot, one.id);
      return [lost ? { says: `removes it${lost}`, irreversible: true } : "removes it"];
    }
    return Object.entries(one.to).flatMap(([field, to]) =>
      field === "is_private" ? [] : ofField(one.section, undefined, { field, from: null, to }),
    );
  }

  return differences.map(({ destructive: _, irreversible: __, ...one }) => ({ ...one, ...marksOf(phrases(one)) }));
}

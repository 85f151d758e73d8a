/** Which differences cannot simply be undone, judged on what they come to. */
import { organizationSettings } from "../api/settings.ts";
import { roleName } from "../api/users.ts";
import { counted, peopleAndBots } from "../counted.ts";
import { isNothing, keyOfKnown } from "./canonical.ts";
import type { Difference, FieldChange, Known, Option, Update, WhoValue } from "./difference.ts";
import { sections } from "./file.ts";
import { reachOf } from "./group-members.ts";
import { Ids } from "./ids.ts";
import { type Beside, daysOf, effectOf } from "./risky-settings.ts";
import { who } from "./shape.ts";
import { channelsOf, defaultChannelsOf, everybodyOf, organizationSetting, roleOf, type Snapshot } from "./snapshot.ts";

/** What of a list is in the first and not in the second. */
export function removedOf(from: unknown, to: unknown): Known[] {
  const stay = new Set(((to ?? []) as readonly Known[]).map(keyOfKnown));
  return ((from ?? []) as readonly Known[]).filter((known) => !stay.has(keyOfKnown(known)));
}

const powerful = new Set<unknown>(["owner", "administrator"]);

function ofRole({ from, to }: FieldChange): string[] {
  return [
    ...(powerful.has(from) ? [`takes the role ${from}`] : []),
    ...(powerful.has(to) ? [`gives the role ${to}`] : []),
    ...(from === "guest" && !powerful.has(to) ? [`gives a guest the role ${to}`] : []),
  ];
}

/** How many of these are people, and how many bots. */
type CountOf = (ids: Iterable<unknown>) => string;

function countingIn(snapshot: Snapshot): CountOf {
  const bots = new Set<unknown>(everybodyOf(snapshot).flatMap(({ is_bot, user_id }) => (is_bot ? [user_id] : [])));
  return (ids) => {
    const all = [...ids];
    const ofBots = all.filter((id) => bots.has(id)).length;
    return peopleAndBots(all.length - ofBots, ofBots);
  };
}

function ofField(change: FieldChange, count: CountOf): string[] {
  const { field, from, to } = change;
  switch (field) {
    case "members":
    case "subscribers": {
      const removed = removedOf(from, to);
      return removed.length ? [`takes ${count(removed)} out`] : [];
    }
    case "subgroups": {
      const { length } = removedOf(from, to);
      return length ? [`takes ${counted(length, "group")} out`] : [];
    }
    case "is_private":
      return [to ? "makes it private: those not subscribed lose its history" : "makes it public: everyone can read it"];
    case "is_web_public":
      return to ? ["shows it to the web, without an account"] : [];
    case "message_retention_days":
      return typeof to === "number" ? [`deletes messages after ${counted(to, "day")}`] : [];
    case "role":
      return ofRole(change);
    default:
      return [];
  }
}

/** How many people have a value of a profile field, or one of some options of it. */
export function holders(snapshot: Snapshot, field: number, keys?: ReadonlySet<string>): number {
  return everybodyOf(snapshot).filter(({ profile_data }) => {
    const value = profile_data?.[field]?.value;
    return keys ? keys.has(value as string) : !isNothing(value);
  }).length;
}

const settings = Object.entries(organizationSettings).flatMap(([name, { kind }]) => (kind === "channel" ? [name] : []));

/** The days for which messages of each channel are kept, by what is in force: many channels go by the organization. */
function retentionIn(snapshot: Snapshot): (channel: number) => number {
  const usual = organizationSetting(snapshot, "message_retention_days");
  let own: ReadonlyMap<number, unknown> | undefined;
  return (channel) => {
    own ??= new Map(channelsOf(snapshot).map((each) => [each.stream_id, each.message_retention_days]));
    return daysOf(own.get(channel) ?? usual);
  };
}

/** What those effects of settings are told with that concern channels. */
function besideIn(snapshot: Snapshot, result: Snapshot): Beside {
  const there = new Set(channelsOf(snapshot).map(({ stream_id }) => stream_id));
  const channels = channelsOf(result).filter(({ stream_id }) => there.has(stream_id));
  return {
    webPublic: channels.flatMap(({ name, is_web_public, is_archived }) =>
      is_web_public && !is_archived ? [name] : [],
    ),
    inheriting: channels.filter(({ message_retention_days: own }) => (own ?? null) === null).length,
  };
}

const putting: Readonly<Record<string, string>> = { archive: "archives it", deactivate: "deactivates it" };

/** The same differences; those that are destructive say why. */
export function withDestructive(
  snapshot: Snapshot,
  result: Snapshot,
  differences: readonly Difference[],
): Difference[] {
  const ids = new Ids(snapshot, differences);
  const [before, then] = [reachOf(snapshot), reachOf(result)];
  const count = countingIn(snapshot);
  const [keptBefore, keptThen] = [retentionIn(snapshot), retentionIn(result)];
  let beside: Beside | undefined;

  const ofSetting = ({ field, from, to }: FieldChange): string[] => {
    beside ??= besideIn(snapshot, result);
    const effect = effectOf(field, from, to, beside);
    return effect === undefined ? [] : [effect];
  };
  const ofRetention = (id: number): string[] => {
    const [before, then] = [keptBefore(id), keptThen(id)];
    return then < before ? [`deletes messages after ${counted(then, "day")}`] : [];
  };
  const back = (id: number): string[] => {
    const person = everybodyOf(snapshot).find(({ user_id }) => user_id === id);
    const role = person && roleName(roleOf(person));
    return powerful.has(role) ? [`brings back ${role === "owner" ? "an owner" : "an administrator"}`] : [];
  };

  const losing = (section: Difference["section"], { field, from, to }: FieldChange): string[] => {
    if (sections[section].members[field]?.shape !== who || !from) return [];
    const stay = then.people(ids.who(to as WhoValue));
    const lost = [...before.people(ids.who(from as WhoValue))].filter((id) => !stay.has(id));
    return lost.length ? [`takes ${field} from ${count(lost)}`] : [];
  };
  const losingOptions = (id: number | undefined, { field, from, to }: FieldChange): string[] => {
    if (field !== "options") return [];
    const stay = new Set((to as readonly Option[]).map(({ key }) => key));
    const gone = ((from ?? []) as readonly Option[]).filter(({ key }) => !stay.has(key));
    const people = holders(snapshot, id!, new Set(gone.map(({ key }) => key)));
    return gone.length
      ? [`removes ${counted(gone.length, "option")}, which ${counted(people, "person has", "people have")}`]
      : [];
  };

  /** Servers take it out of everything that it is named in. */
  const forgotten = (id: number): string[] => {
    const said = new Set(differences.flatMap((one) => ("fields" in one ? one.fields.map(({ field }) => field) : [])));
    const emptied = settings.filter((name) => !said.has(name) && organizationSetting(snapshot, name) === id);
    return [
      ...(emptied.length ? [`leaves ${emptied.join(", ")} without a channel`] : []),
      ...(defaultChannelsOf(snapshot).includes(id) ? ["takes it from the channels of new people"] : []),
    ];
  };

  function ofUpdate({ section, id, action, fields }: Update): string[] {
    const person = section === "people" && action === "deactivate";
    return [
      ...(person ? ["deactivates them, and their bots"] : Object.hasOwn(putting, action) ? [putting[action]!] : []),
      ...(section === "people" && action === "reactivate" ? back(id!) : []),
      ...(section === "channels" && action === "archive" ? forgotten(id!) : []),
      ...fields.flatMap((change) => [
        ...(section === "settings"
          ? ofSetting(change)
          : change.field === "message_retention_days"
            ? ofRetention(id!)
            : ofField(change, count)),
        ...losing(section, change),
        ...losingOptions(id, change),
      ]),
    ];
  }

  function sentences(one: Difference): string[] {
    if ("fields" in one) return ofUpdate(one);
    if (one.action === "reorder") return [];
    if (one.action === "remove") {
      const people = one.section === "profile_fields" ? holders(snapshot, one.id!) : 0;
      return [people ? `removes it, and with it the values of ${counted(people, "person", "people")}` : "removes it"];
    }
    return Object.entries(one.to).flatMap(([field, to]) =>
      field === "is_private" ? [] : ofField({ field, from: null, to }, count),
    );
  }

  return differences.map(({ destructive: _, ...one }) => {
    const destructive = sentences(one as Difference);
    return (destructive.length ? { ...one, destructive } : one) as Difference;
  });
}

/** Compares lists of things as wholes: what `complete` removes, what stays because it is used, the order, what is not listed. */

import { joinFirst } from "../../common/counted.ts";
import { channelPermissions } from "../../model/channel.ts";
import { groupPermissions } from "../../model/group.ts";
import { organizationSettings } from "../../model/organization.ts";
import { whoIn } from "../../model/permission.ts";
import type { FileEntry } from "../content.ts";
import type { Difference, Removal, Reordering, ThingId, Update } from "../difference.ts";
import { reorderListed, same } from "../id-values.ts";
import { applyTo } from "../prediction.ts";
import { isSettings, type ThingSection } from "../section-names.ts";
import { sections, thingSections } from "../section-registry.ts";
import type { ComparedThing, Comparing } from "../sections/section-rules.ts";
import { channelsOf, groupSettingOf, organizationSetting, type Snapshot } from "../snapshot.ts";

/** An unlisted thing that stays because other things use it. */
export interface ThingInUse {
  readonly section: ThingSection;
  readonly name: string;
  readonly id: number | undefined;
  readonly by: readonly string[];
}

interface Use {
  /** What uses it: `channel design (can_send_message_group)`. */
  readonly by: string;
  /** The group that uses it. Removing that group ends the use. */
  readonly group?: number;
}

/** Returns by section and id (`groups 7`) the uses that keep servers from archiving a thing. */
export function usesIn(snapshot: Snapshot): ReadonlyMap<string, readonly Use[]> {
  const uses = new Map<string, Use[]>();
  const add = (key: string, use: Use) => uses.set(key, [...(uses.get(key) ?? []), use]);
  const { organization } = snapshot;
  const inSettings = (of: string, record: FileEntry, names: readonly string[], group?: number) => {
    for (const name of names) {
      const by = `${of} (${name.replace(/^realm_/, "")})`;
      for (const id of whoIn(groupSettingOf(record, name)).direct_subgroups)
        add(`groups ${id}`, { by, ...(group !== undefined && { group }) });
    }
  };
  for (const group of organization.realm_user_groups) {
    if (group.deactivated) continue;
    for (const id of group.direct_subgroup_ids)
      add(`groups ${id}`, { by: `group ${group.name} (subgroups)`, group: group.id });
    inSettings(`group ${group.name}`, group, groupPermissions, group.id);
  }
  for (const channel of channelsOf(snapshot)) {
    const by = `channel ${channel.name}`;
    if (!channel.is_archived) inSettings(by, channel, channelPermissions);
    if (typeof channel.folder_id === "number") add(`folders ${channel.folder_id}`, { by });
  }
  for (const [name, { kind }] of Object.entries(organizationSettings))
    if (kind === "group") inSettings("settings", organization, [`realm_${name}`]);
    // Archiving the channel would reset the setting silently.
    else if (kind === "channel") add(`channels ${organizationSetting(snapshot, name)}`, { by: `settings (${name})` });
  return uses;
}

const keyOfThing = (one: Difference): string => `${one.section} ${"id" in one ? one.id : one.name}`;

/** Returns the removals that are not possible, with reasons. Groups that only use each other stay. */
function blockedRemovals(snapshot: Snapshot, rest: readonly Difference[], removed: readonly Difference[]) {
  if (!removed.length) return new Map<Difference, string[]>();
  const usesBefore = usesIn(applyTo(snapshot, rest));
  const channels = removed.filter((one) => one.section === "channels" && !usesBefore.has(keyOfThing(one)));
  const uses = usesIn(applyTo(snapshot, [...rest, ...channels]));
  const possible = new Set<string>();
  const usesOf = (one: Difference): Use[] =>
    (uses.get(keyOfThing(one)) ?? []).filter(({ group }) => group === undefined || !possible.has(`groups ${group}`));
  for (let free: Difference[] = [...removed]; free.length; ) {
    free = removed.filter((one) => !possible.has(keyOfThing(one)) && !usesOf(one).length);
    for (const one of free) possible.add(keyOfThing(one));
  }
  const blocked = removed.filter((one) => !possible.has(keyOfThing(one)));
  return new Map(blocked.map((one) => [one, usesOf(one).map(({ by }) => by)]));
}

function removal(section: ThingSection, { id, name, read }: ComparedThing): Update | Removal {
  const { archiving, members } = sections[section];
  const about = { section, name, ...(id !== undefined && { id }) };
  if (archiving) return { ...about, action: archiving.archive, fields: [] };
  const values = Object.keys(members).flatMap((member) => {
    const value = member === "id" ? undefined : read(member);
    return value === undefined ? [] : [[member, value] as const];
  });
  return { ...about, action: "remove", from: Object.fromEntries(values) };
}

/** Servers refuse to archive these while they are used. They remove archived channels from where they are used. */
const needsRelease = (one: Difference): one is Update =>
  (one.section === "groups" && one.action === "deactivate") || (one.section === "folders" && one.action === "archive");

/** Returns what is removed, and what stays because it is used. */
export function removals(c: Comparing, differences: readonly Difference[]) {
  const { content, pairings, findings, prune, snapshot } = c;
  const archived = differences.filter(needsRelease);
  // Other changes of an archived thing still happen.
  const rest = differences.map((one): Difference => (needsRelease(one) ? { ...one, action: "update" } : one));
  const complete = (content.complete ?? []).flatMap((name) =>
    isSettings(name)
      ? []
      : pairings[name].things
          .filter((thing) => !thing.archived && !pairings[name].claimed.has(thing))
          .map((thing) => ({ name, one: removal(name, thing) })),
  );
  /** Groups that lists of the file draw on stay. */
  const drawn = new Map(
    complete.flatMap(({ name, one }) => {
      const by = name === "groups" && one.id !== undefined ? c.values.usesOf(one.id) : [];
      return by.length ? [[one, by] as const] : [];
    }),
  );
  const unlisted = complete.filter(({ one }) => !drawn.has(one));
  const all = [...archived, ...unlisted.map(({ one }) => one)];
  const stay = blockedRemovals(snapshot, rest, all);
  const inUse = prune ? stay : blockedRemovals(snapshot, rest, archived);
  for (const one of archived) {
    const { section, name } = one;
    const by = inUse.get(one);
    const says = `is still used by ${joinFirst(by ?? [])}`;
    if (by) findings.refuse({ section, name, says });
  }
  return {
    /** Listed differences that are possible. */
    named: differences.filter((one) => !inUse.has(one)),
    /** Unlisted things that are removed. */
    unlisted: unlisted.flatMap(({ one }) => (stay.has(one) ? [] : [one])),
    used: complete.flatMap(({ name, one }): ThingInUse[] => {
      const by = drawn.get(one) ?? stay.get(one);
      return by ? [{ section: name, name: one.name, id: one.id, by }] : [];
    }),
  };
}

/** Returns the changed orders of sections whose order matters. `differences` has what is created and removed. */
export function orderDifferences(c: Comparing, differences: readonly Difference[]): Reordering[] {
  return thingSections.flatMap((name): Reordering[] => {
    const { plural, ordered } = sections[name];
    if (ordered === undefined) return [];
    const own = differences.filter(({ section }) => section === name);
    const removed = new Set(own.flatMap((one) => (one.action === "remove" ? [one.id] : [])));
    const differing = new Set(own.map((one) => one.name));
    const remaining = c.pairings[name].things.flatMap(({ id }) => (id === undefined || removed.has(id) ? [] : [id]));
    const inFile = c.pairings[name].pairs
      .filter((pair) => pair.thing || differing.has(pair.name))
      .map((pair): ThingId => pair.thing?.id ?? { new: pair.name });
    const from: ThingId[] = [...remaining, ...inFile.filter((known) => typeof known !== "number")];
    const to = reorderListed(from, inFile);
    if (same(from, to)) return [];
    if (ordered <= c.snapshot.feature_level) return [{ section: name, name: plural, action: "reorder", from, to }];
    c.findings.notice(`the order of ${plural} differs: changing it requires feature level ${ordered}`);
    return [];
  });
}

/** Counts by section the active things that the file does not list. */
export function unmanagedIn(
  { pairings }: Comparing,
  pruned: readonly Difference[],
): Partial<Record<ThingSection, number>> {
  const prunedKeys = new Set(pruned.map(({ section, name }) => `${section} ${name}`));
  const counts = thingSections.map((name) => {
    const { things, claimed } = pairings[name];
    const unlisted = things.filter(
      (thing) => !thing.archived && !claimed.has(thing) && !prunedKeys.has(`${name} ${thing.name}`),
    );
    return [name, unlisted.length] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count));
}

/** What is not done without being asked for, judged on what a plan comes to. */
import { roleName, roles } from "../api/users.ts";
import { counted, firstOf } from "../counted.ts";
import { isNothing } from "./canonical.ts";
import type { Content } from "./content.ts";
import { holders, removedOf } from "./destructive.ts";
import type { Difference, FieldChange, Option } from "./difference.ts";
import { eachSection, sections } from "./file.ts";
import { mayRead, reachOf } from "./group-members.ts";
import type { Things } from "./sections/section.ts";
import { channelsOf, isSystemGroup, organizationSetting, roleOf, type Snapshot, settingOf } from "./snapshot.ts";

export interface Allowed {
  readonly empty?: boolean;
  readonly lockout?: boolean;
  /** In place of both limits. */
  readonly removals?: number | undefined;
}

/** A guard that stands in the way: a sentence that names the thing, and the flag that lifts it. */
export interface GuardViolation {
  readonly says: string;
  readonly lifted?: "--allow-empty" | "--allow-lockout" | "--max-removals";
}

/** Removals in one run that need no word. */
const fewRemovals = 10;
/** Of a list that is longer than this, no more than a tenth goes without a word. */
const longList = 20;

const ownersOf = ({ organization }: Snapshot): number[] =>
  organization.realm_users.flatMap((person) => (!person.is_bot && roleOf(person) === 100 ? [person.user_id] : []));

const named = ({ section, name }: Difference): string => {
  const stated = sections[section];
  return "one" in stated ? `${stated.one} ${name}` : name;
};

function ownership(snapshot: Snapshot, result: Snapshot): GuardViolation[] {
  const before = ownersOf(snapshot);
  if (!before.length || ownersOf(result).length) return [];
  const names = snapshot.organization.realm_users.filter(({ user_id }) => before.includes(user_id));
  return [
    {
      says: `the organization would have no owner: ${firstOf(
        names.map(({ full_name }) => full_name),
        5,
      )}`,
    },
  ];
}

/** Whom the account manages, and what it can read: by what each is called. */
function powers(snapshot: Snapshot): Map<string, boolean> {
  const reach = reachOf(snapshot);
  const { organization } = snapshot;
  const { user_id } = organization;
  const has = (record: object, name: string): boolean => {
    const setting = settingOf(record, name);
    return setting !== undefined && reach.people(setting).has(user_id);
  };
  const all = has(organization, "realm_can_manage_all_groups");
  const powers = new Map<string, boolean>();
  for (const group of organization.realm_user_groups)
    if (!group.deactivated && !isSystemGroup(group))
      powers.set(`group ${group.id}`, all || has(group, "can_manage_group"));
  for (const channel of channelsOf(snapshot))
    if (!channel.is_archived) powers.set(`channel ${channel.stream_id}`, mayRead(snapshot, reach, channel));
  return powers;
}

function lockout(snapshot: Snapshot, result: Snapshot): GuardViolation[] {
  const { user_id } = snapshot.organization;
  const me = (of: Snapshot) => of.organization.realm_users.find((person) => person.user_id === user_id);
  const [now, then] = [me(snapshot)!, me(result)];
  if (!then) return [{ says: "your account would be deactivated" }];
  const lifted = "--allow-lockout" as const;
  const violations: GuardViolation[] = [];
  if (roleOf(then) > roleOf(now))
    violations.push({ says: `your account would lose the role ${roleName(roleOf(now))}`, lifted });
  const [before, after] = [powers(snapshot), powers(result)];
  const names = new Map<string, string>([
    ...result.organization.realm_user_groups.map(({ id, name }) => [`group ${id}`, `manage group ${name}`] as const),
    ...channelsOf(result).map(({ stream_id, name }) => [`channel ${stream_id}`, `read channel ${name}`] as const),
  ]);
  const lost = [...before].flatMap(([key, had]) => (had && after.get(key) === false ? [names.get(key)!] : []));
  if (lost.length) violations.push({ says: `your account could no longer ${firstOf(lost, 5)}`, lifted });
  return violations;
}

const lists = new Set(["members", "subscribers", "subgroups", "options"]);

const keysOf = (options: unknown): { new: string }[] =>
  ((options ?? []) as readonly Option[]).map(({ key }) => ({ new: key }));

/** How many go from a list, and of how many. */
function goneFrom({ field, from, to }: FieldChange): { gone: number; of: number } {
  const [before, then] = field === "options" ? [keysOf(from), keysOf(to)] : [from, to];
  return { gone: removedOf(before, then).length, of: ((from ?? []) as readonly unknown[]).length };
}

const changesOf = (one: Difference): readonly FieldChange[] => ("fields" in one ? one.fields : []);

function emptied(differences: readonly Difference[]): GuardViolation[] {
  return differences.flatMap((one) =>
    changesOf(one).flatMap((change): GuardViolation[] =>
      lists.has(change.field) && goneFrom(change).of > 1 && (change.to as readonly unknown[]).length === 0
        ? [{ says: `all ${change.field} of ${named(one)} would be removed`, lifted: "--allow-empty" }]
        : [],
    ),
  );
}

/** How many things of each section are neither archived nor deactivated. */
function liveIn(snapshot: Snapshot): Readonly<Record<string, number>> {
  const live = (section: Things) => {
    const isArchived = section.archivedIn?.(snapshot);
    return section.records(snapshot).filter((each) => !isArchived?.(each)).length;
  };
  return eachSection((name) => live(sections[name]));
}

const going = new Set<Difference["action"]>(["archive", "deactivate", "remove"]);

/** What goes from one list. */
interface Removed {
  what: string;
  gone: number;
  of: number;
}

/** People who are to have fewer rights than now. */
function rolesTaken(snapshot: Snapshot, differences: readonly Difference[]): Removed[] {
  const number = (role: unknown) => roles[role as keyof typeof roles];
  const gone = differences.filter(
    (one) =>
      one.section === "people" &&
      changesOf(one).some(({ field, from, to }) => field === "role" && number(to) > number(from)),
  ).length;
  return gone ? [{ what: "roles of people", gone, of: liveIn(snapshot).people! }] : [];
}

/** Values of profile fields that nobody puts another in place of, by field. */
function valuesCleared(snapshot: Snapshot, differences: readonly Difference[]): Removed[] {
  const cleared = new Map<string, { field: unknown; gone: number }>();
  for (const one of differences)
    for (const { field, of, from, to } of changesOf(one)) {
      if (field !== "profile" || isNothing(from) || !isNothing(to)) continue;
      const { gone } = cleared.get(of!.name) ?? { gone: 0 };
      cleared.set(of!.name, { field: of!.field, gone: gone + 1 });
    }
  return [...cleared].map(([name, { field, gone }]) => ({
    what: `values of profile field ${name}`,
    gone,
    of: holders(snapshot, field as number),
  }));
}

function removals(
  snapshot: Snapshot,
  differences: readonly Difference[],
  allowed: number | undefined,
): GuardViolation[] {
  const lists_: Removed[] = [];
  for (const [section, of] of Object.entries(liveIn(snapshot))) {
    const gone = differences.filter((one) => one.section === section && going.has(one.action)).length;
    if (gone) lists_.push({ what: section.replace("_", " "), gone, of });
  }
  lists_.push(...rolesTaken(snapshot, differences), ...valuesCleared(snapshot, differences));
  for (const one of differences)
    for (const change of changesOf(one))
      if (lists.has(change.field)) {
        const { gone, of } = goneFrom(change);
        if (gone) lists_.push({ what: `${change.field} of ${named(one)}`, gone, of });
      }
  const all = lists_.reduce((sum, { gone }) => sum + gone, 0);
  const lifted = "--max-removals" as const;
  if (allowed !== undefined)
    return all > allowed ? [{ says: `${counted(all, "removal")}: --max-removals allows ${allowed}`, lifted }] : [];
  if (all > fewRemovals) {
    const told = lists_.map(({ what, gone }) => `${what} (${gone})`);
    return [{ says: `${all} removals in one run: ${firstOf(told, 5)}`, lifted }];
  }
  return lists_
    .filter(({ gone, of }) => of > longList && gone * 10 > of)
    .map(({ what, gone, of }) => ({ says: `${gone} of ${of} ${what} would be removed: more than a tenth`, lifted }));
}

function restriction(snapshot: Snapshot, result: Snapshot): GuardViolation[] {
  const holds = organizationSetting(result, "emails_restricted_to_domains");
  return holds && snapshot.organization.realm_domains.length && !result.organization.realm_domains.length
    ? [
        {
          says: "the last domain would be removed while emails_restricted_to_domains is on: any address could join",
        },
      ]
    : [];
}

/** What stands in the way of a plan. `content` is absent where a plan file is judged. */
export function guards(
  {
    snapshot,
    result,
    differences,
    content,
  }: { snapshot: Snapshot; result: Snapshot; differences: readonly Difference[]; content?: Content },
  { empty, lockout: locked, removals: most }: Allowed,
): GuardViolation[] {
  const exhaustive = (content?.complete ?? []).filter(
    (name) => !(content![name] as readonly unknown[] | undefined)?.length,
  );
  const empties = exhaustive.map((name) => ({ says: `"complete" names ${name}, but the file has none` }));
  if (!differences.length) return empties;
  return [
    ...empties,
    ...ownership(snapshot, result),
    ...lockout(snapshot, result).filter(({ lifted }) => !(locked && lifted)),
    ...(empty ? [] : emptied(differences)),
    ...removals(snapshot, differences, most),
    ...restriction(snapshot, result),
  ];
}

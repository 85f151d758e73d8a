/** Prepares a snapshot for the rules: sets of accounts for everything that rules name. */

import { keyBy } from "../common/group-by.ts";
import { reachableFrom } from "../common/reachable.ts";
import { botKinds } from "../model/bot.ts";
import { type GroupSetting, newerPermission, whoIn } from "../model/permission.ts";
import { administers, roles } from "../model/person.ts";
import {
  channelsOf,
  everybodyOf,
  groupSettingOf,
  isFullMember,
  type Person,
  roleOf,
  type Snapshot,
  type SnapshotChannel,
  type SnapshotGroup,
} from "../organization/snapshot.ts";
import { Bits } from "./bits.ts";

/** What a permission is for. */
export type Scope = "organization" | "channel" | "group";

export interface Target {
  readonly scope: Scope;
  readonly channel?: SnapshotChannel;
  readonly group?: SnapshotGroup;
}

interface NamedSetting {
  readonly scope: Scope;
  readonly setting: string;
  /** Full members are those who joined early enough, listed by a group or not. */
  readonly byDate?: boolean;
}

const settingKinds = { organization: "realm", channel: "stream", group: "group" } as const;

/** Computes each answer once. */
export function memoize<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, { value: V }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}

/** Sets of accounts by what they are. */
function accountSetsOf(snapshot: Snapshot, accounts: readonly Person[]) {
  const indexes = new Map(accounts.map(({ user_id }, place) => [user_id, place]));
  /** Returns the index of an account, -1 if it is unknown. No set contains -1. */
  const indexOf = (id: number): number => indexes.get(id) ?? -1;
  const setOfIndexes = (members: Iterable<number>): Bits => Bits.of(accounts.length, members);
  /** Unknown ids are skipped. */
  const setOfIds = (ids: readonly number[]): Bits => setOfIndexes(ids.flatMap((id) => indexes.get(id) ?? []));
  const accountsWhere = (who: (person: Person) => boolean): Bits =>
    setOfIndexes(accounts.flatMap((person, place) => (who(person) ? [place] : [])));

  const everyone = setOfIndexes(accounts.keys());
  const active = setOfIds(snapshot.organization.realm_users.map(({ user_id }) => user_id));
  const guests = accountsWhere((person) => roleOf(person) === roles.guest);
  const webhooks = accountsWhere(({ bot_type }) => bot_type === botKinds["incoming-webhook"]);
  const roleMembers = accountsWhere((person) => roleOf(person) === roles.member);

  const ownedBots = accounts.flatMap(({ bot_owner_id }, bot) =>
    bot_owner_id == null ? [] : [{ bot, owner: indexOf(bot_owner_id) }],
  );
  const botsOf = memoize(
    (owners: Bits): Bits => setOfIndexes(ownedBots.flatMap(({ bot, owner }) => (owners.has(owner) ? [bot] : []))),
  );
  const subscribers = memoize(({ subscribers }: SnapshotChannel): Bits | undefined =>
    subscribers ? setOfIds(subscribers).and(active) : undefined,
  );

  return {
    ...{ accounts, indexOf, setOfIds, botsOf, subscribers },
    people: (members: Bits): Person[] => [...members].flatMap((place) => accounts[place] ?? []),
    fullName: (id: number): string | undefined => accounts[indexOf(id)]?.full_name,
    ...{ everyone, nobody: setOfIndexes([]), active, guests, webhooks, roleMembers },
    /** Members by role who joined early enough to be full members, listed by a group or not. */
    fullMembers: roleMembers.and(active).and(accountsWhere((person) => isFullMember(snapshot, person))),
    /** Accounts that can act: incoming webhooks only send messages. */
    actors: active.without(webhooks),
    nonGuests: everyone.without(guests),
    bots: accountsWhere(({ is_bot }) => is_bot),
    administrators: accountsWhere((person) => administers(roleOf(person))),
    owners: accountsWhere((person) => roleOf(person) === roles.owner),
  };
}

/** Groups, and the accounts in them and in the groups below them. */
function groupSetsOf(
  { organization: { realm_user_groups } }: Snapshot,
  { active, guests, setOfIds }: ReturnType<typeof accountSetsOf>,
) {
  const groups: ReadonlyMap<number, SnapshotGroup> = keyBy(realm_user_groups, ({ id }) => id);
  /** Returns these groups and all groups below them. */
  const withSubgroups = (ids: Iterable<number>) => reachableFrom(ids, (id) => groups.get(id)?.direct_subgroup_ids);

  const members = memoize((group: number): Bits => {
    const ids = [...withSubgroups([group])].flatMap((id) => groups.get(id)?.members ?? []);
    return setOfIds(ids).and(active);
  });
  const accountsNamed = memoize((value: GroupSetting): Bits => {
    const { direct_members, direct_subgroups } = whoIn(value);
    return direct_subgroups.reduce((found, group) => found.or(members(group)), setOfIds(direct_members).and(active));
  });

  return {
    ...{ groups, withSubgroups, members },
    systemGroup: (role: string): SnapshotGroup | undefined =>
      realm_user_groups.find(({ name, is_system_group }) => is_system_group && name === role),
    /** Returns the accounts in the value of a setting. */
    accountsIn: (value: GroupSetting, withGuests: boolean): Bits =>
      withGuests ? accountsNamed(value) : accountsNamed(value).without(guests),
  };
}

/** The settings that grant permissions, and what the server states of them. */
function grantingSettingsOf(snapshot: Snapshot) {
  const { realm_user_groups, server_supported_permission_settings = {} } = snapshot.organization;
  const organization: Readonly<Record<string, unknown>> = snapshot.organization;

  function value({ channel, group }: Target, scope: Scope, setting: string): GroupSetting | undefined {
    if (scope === "organization") return groupSettingOf(organization, `realm_${setting}`);
    return groupSettingOf(channel ?? group ?? {}, setting);
  }

  function settingInfo(scope: Scope, setting: string) {
    const rules = server_supported_permission_settings[settingKinds[scope]];
    return rules && Object.hasOwn(rules, setting) ? rules[setting] : undefined;
  }

  /** Returns the names of the server's settings for a kind, also of those that only records have. */
  const settingNames = memoize((scope: Scope): readonly string[] => {
    const records = { organization: [], channel: channelsOf(snapshot), group: realm_user_groups }[scope];
    const named = records.flatMap((record) => Object.keys(record)).filter((name) => newerPermission.test(name));
    return [...new Set([...Object.keys(server_supported_permission_settings[settingKinds[scope]] ?? {}), ...named])];
  });

  /** Returns whether a setting can include guests. Settings without rules can. */
  const allowsGuests = (scope: Scope, setting: string): boolean =>
    settingInfo(scope, setting)?.allow_everyone_group !== false;

  return { organization, value, settingInfo, settingNames, allowsGuests };
}

/**
 * Computes sets of accounts, as indexes of `accounts`. `accounts` may contain accounts that the snapshot does not know.
 * They have no permissions.
 */
export function factsOf(snapshot: Snapshot, accounts: readonly Person[] = everybodyOf(snapshot)) {
  const accountSets = accountSetsOf(snapshot, accounts);
  const groupSets = groupSetsOf(snapshot, accountSets);
  const settings = grantingSettingsOf(snapshot);

  /** Returns the accounts that a setting names. Undefined if the snapshot does not have it. */
  function grantees(target: Target, { scope, setting, byDate = false }: NamedSetting): Bits | undefined {
    const value = settings.value(target, scope, setting);
    if (value === undefined) return undefined;
    const { roleMembers, fullMembers } = accountSets;
    const listed = groupSets.accountsIn(value, settings.allowsGuests(scope, setting));
    const isFullMembers = typeof value === "number" && groupSets.groups.get(value)?.name === "role:fullmembers";
    return byDate && isFullMembers ? listed.without(roleMembers).or(fullMembers) : listed;
  }

  return { ...accountSets, ...groupSets, ...settings, grantees, level: snapshot.feature_level };
}

export type Facts = ReturnType<typeof factsOf>;

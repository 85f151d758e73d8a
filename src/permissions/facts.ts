/** Prepares a snapshot for the rules: sets of accounts for everything that rules name. */
import type { GroupSetting } from "../api/group-setting.ts";
import {
  type Channel,
  everybodyOf,
  type Group,
  isFullMember,
  type Person,
  roleOf,
  type Snapshot,
  settingOf,
} from "../organization/snapshot.ts";
import { Bits } from "./bits.ts";
import type { Scope } from "./term.ts";

/** The target of a permission: a channel, a group, or the organization. */
export interface Target {
  readonly scope: Scope;
  readonly channel?: Channel;
  readonly group?: Group;
}

interface NamedSetting {
  readonly scope: Scope;
  readonly setting: string;
  readonly byDate?: boolean;
}

const kinds = { organization: "realm", channel: "stream", group: "group" } as const;

const incomingWebhook = 2;

/** Reads a setting as people and groups. */
export const partsOf = (value: GroupSetting) =>
  typeof value === "number" ? { direct_members: [], direct_subgroups: [value] } : value;

/** Computes each answer once. */
export function remembered<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, { value: V }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}

export class Facts {
  /** All accounts of the snapshot. Sets contain indexes of this list. */
  readonly accounts: readonly Person[];
  readonly organization: Readonly<Record<string, unknown>>;
  readonly level: number;
  readonly groups: ReadonlyMap<number, Group>;
  readonly everyone: Bits;
  readonly nobody: Bits;
  readonly active: Bits;
  /** Accounts that can act: incoming webhooks only send messages. */
  readonly acting: Bits;
  readonly guests: Bits;
  readonly notGuests: Bits;
  readonly bots: Bits;
  readonly webhooks: Bits;
  readonly administrators: Bits;
  readonly owners: Bits;
  /** Members by role, and those who joined early enough to be full members, listed by a group or not. */
  readonly roleMembers: Bits;
  readonly fullMembers: Bits;
  readonly #places: ReadonlyMap<number, number>;
  readonly #supported: NonNullable<Snapshot["organization"]["server_supported_permission_settings"]>;
  readonly #bots: readonly (readonly [bot: number, owner: number])[];

  /** `accounts` may contain accounts that the snapshot does not know. They have no permissions. */
  constructor(snapshot: Snapshot, accounts: readonly Person[] = everybodyOf(snapshot)) {
    const { organization, feature_level } = snapshot;
    this.accounts = accounts;
    this.organization = organization as Readonly<Record<string, unknown>>;
    this.level = feature_level;
    this.groups = new Map(organization.realm_user_groups.map((group) => [group.id, group]));
    this.#supported = organization.server_supported_permission_settings ?? {};
    this.#places = new Map(this.accounts.map(({ user_id }, place) => [user_id, place]));
    const those = (who: (person: Person) => boolean): Bits =>
      this.set(this.accounts.flatMap((person) => (who(person) ? [person.user_id] : [])));
    this.everyone = Bits.of(this.accounts.length, this.accounts.keys());
    this.nobody = this.set([]);
    this.active = this.set(organization.realm_users.map(({ user_id }) => user_id));
    this.guests = those((person) => roleOf(person) === 600);
    this.bots = those(({ is_bot }) => is_bot);
    this.webhooks = those(({ bot_type }) => bot_type === incomingWebhook);
    this.acting = this.active.without(this.webhooks);
    this.notGuests = this.everyone.without(this.guests);
    this.administrators = those((person) => roleOf(person) <= 200);
    this.owners = those((person) => roleOf(person) === 100);
    this.roleMembers = those((person) => roleOf(person) === 400);
    this.fullMembers = this.roleMembers.and(this.active).and(those((person) => isFullMember(snapshot, person)));
    this.#bots = this.accounts.flatMap(({ bot_owner_id }, bot) => {
      const owner = bot_owner_id == null ? undefined : this.#places.get(bot_owner_id);
      return owner === undefined ? [] : [[bot, owner] as const];
    });
  }

  /** Unknown ids are skipped. */
  set(ids: Iterable<number>): Bits {
    return Bits.of(
      this.accounts.length,
      [...ids].flatMap((id) => this.#places.get(id) ?? []),
    );
  }

  /** Returns the accounts at these indexes. */
  people(places: Bits): Person[] {
    return [...places].flatMap((place) => this.accounts[place] ?? []);
  }

  fullName(id: number): string | undefined {
    return this.accounts[this.place(id) ?? -1]?.full_name;
  }

  place(id: number): number | undefined {
    return this.#places.get(id);
  }

  /** Returns these groups and all groups below them. */
  reached(groups: Iterable<number>): Set<number> {
    const met = new Set(groups);
    // Iterating over a growing set visits what is added meanwhile. A circle adds nothing.
    for (const id of met) for (const sub of this.groups.get(id)?.direct_subgroup_ids ?? []) met.add(sub);
    return met;
  }

  /** Returns the members of a group, directly or through others. */
  readonly members = remembered((group: number): Bits => {
    const ids = [...this.reached([group])].flatMap((id) => this.groups.get(id)?.members ?? []);
    return this.set(ids).and(this.active);
  });

  /** Returns the value of a setting. Undefined if unknown. */
  value({ channel, group }: Target, scope: Scope, setting: string): GroupSetting | undefined {
    if (scope === "organization") return settingOf(this.organization, `realm_${setting}`);
    return settingOf(channel ?? group ?? {}, setting);
  }

  /** Returns what the server says about a setting. */
  supported(scope: Scope, setting: string) {
    const rules = this.#supported[kinds[scope]];
    return rules && Object.hasOwn(rules, setting) ? rules[setting] : undefined;
  }

  /** Returns whether a setting can include guests. Settings without rules can. */
  letsGuests(scope: Scope, setting: string): boolean {
    return this.supported(scope, setting)?.allow_everyone_group !== false;
  }

  /** Returns the accounts in a setting. Undefined if unknown. */
  granted(target: Target, { scope, setting, byDate = false }: NamedSetting): Bits | undefined {
    const value = this.value(target, scope, setting);
    if (value === undefined) return undefined;
    const listed = this.inside(value, this.letsGuests(scope, setting));
    const isFullMembers = typeof value === "number" && this.groups.get(value)?.name === "role:fullmembers";
    return byDate && isFullMembers ? listed.without(this.roleMembers).or(this.fullMembers) : listed;
  }

  /** Returns the accounts in a value, without guests if the setting excludes them. */
  inside(value: GroupSetting, guests: boolean): Bits {
    return guests ? this.#inside(value) : this.#inside(value).without(this.guests);
  }

  readonly #inside = remembered((value: GroupSetting): Bits => {
    const { direct_members, direct_subgroups } = partsOf(value);
    const named = this.set(direct_members).and(this.active);
    return direct_subgroups.reduce((found, group) => found.or(this.members(group)), named);
  });

  /** Undefined if unknown. */
  readonly subscribers = remembered(({ subscribers }: Channel): Bits | undefined =>
    subscribers ? this.set(subscribers).and(this.active) : undefined,
  );

  /** Returns the bots whose owners are among these. */
  readonly botsOf = remembered((owners: Bits): Bits => {
    const bots = this.#bots.flatMap(([bot, owner]) => (owners.has(owner) ? [bot] : []));
    return Bits.of(this.accounts.length, bots);
  });

  /** Returns the names of the server's settings for a kind. */
  settings(scope: Scope): string[] {
    return Object.keys(this.#supported[kinds[scope]] ?? {});
  }
}

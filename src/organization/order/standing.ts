/** Which groups the caller is in, and what is granted to whom: as read, and as requests change it one after the other. */

import { updateChannel } from "../../api/channels.ts";
import type { GroupSetting } from "../../api/group-setting.ts";
import { createGroup, updateGroup, updateMembers } from "../../api/groups.ts";
import { updateOrganization } from "../../api/organization.ts";
import { subscribe, unsubscribe } from "../../api/subscriptions.ts";

import { reached } from "../reach.ts";
import { type Snapshot, settingOf, subgroupsOf } from "../snapshot.ts";
import { channelIn } from "./channel-in.ts";
import { argsOf, type Draft } from "./draft.ts";
import { type Grant, grantsChannels, grantsGroups, grantsOrganization, type Right } from "./rights.ts";

interface Roster {
  /** Whether the caller is in it directly. */
  readonly mine: boolean;
  readonly groups: ReadonlySet<number>;
}

interface Access {
  /** Whoever sees it may read it. */
  readonly open: boolean;
  /** The caller is subscribed. */
  readonly mine: boolean;
}

type Lists = Readonly<Record<string, readonly number[] | undefined>>;
type Args = Readonly<Record<string, unknown>>;

/** By what grants it: `can_create_groups`, `17 can_manage_group`, `channel 3 can_subscribe_group`. */
type Grants = Map<string, GroupSetting>;

const ofGroup = (id: number, name: string): string => `${id} ${name}`;
const ofChannel = (id: number, name: string): string => `channel ${id} ${name}`;

/** From this level on, who may let themselves or others into a private channel may read it. */
const lettingInReads = 354;

/** A value as it is given to something that is made, or as an update has it. */
const valueIn = (given: unknown): GroupSetting =>
  (typeof given === "object" && given !== null && "new" in given ? given.new : given) as GroupSetting;

export class Standing {
  readonly #snapshot: Snapshot;
  readonly #me: number;
  /** Of channels that requests have changed. */
  readonly #access = new Map<number, Access>();
  readonly #rosters: Map<number, Roster>;
  readonly #grants: Grants = new Map();
  /** What has been asked since the last change. */
  readonly #known = new Map<string, boolean>();

  constructor(snapshot: Snapshot) {
    const { organization } = snapshot;
    this.#snapshot = snapshot;
    this.#me = organization.user_id;
    this.#rosters = new Map(
      organization.realm_user_groups.map((group) => [
        group.id,
        { mine: group.members.includes(this.#me), groups: new Set(subgroupsOf(group)) },
      ]),
    );
    const told = (key: string, value: unknown) => {
      if (value !== undefined) this.#grants.set(key, value as GroupSetting);
    };
    for (const name of grantsOrganization) told(name, (organization as Args)[`realm_${name}`]);
    for (const group of organization.realm_user_groups)
      for (const name of grantsGroups) told(ofGroup(group.id, name), (group as Args)[name]);
  }

  /** Whether the caller has it. What a server does not tell of yet, everybody has who may call at all. */
  holds(right: Right): boolean {
    if ("channel" in right) return this.#reads(right.channel);
    const { organization, group, by = [] } = right;
    return this.#granted(organization) || by.some((name) => this.#granted(ofGroup(group!, name)));
  }

  /** What the plan makes is read by whoever makes it, as far as anything asks for that. */
  #reads(id: number): boolean {
    const access = this.accessTo(id);
    if (!access || access.open || access.mine) return true;
    return this.#lettingIn(id).some((value) => this.#reaches(value));
  }

  /** Of a channel that is there. */
  accessTo(id: number): Access | undefined {
    const channel = channelIn(this.#snapshot, id);
    const read = channel && {
      open: !channel.invite_only,
      mine: (channel.subscribers ?? [this.#me]).includes(this.#me),
    };
    return this.#access.get(id) ?? read;
  }

  #lettingIn(id: number): GroupSetting[] {
    const channel = channelIn(this.#snapshot, id);
    if (!channel || this.#snapshot.feature_level < lettingInReads) return [];
    return grantsChannels.flatMap((name) => this.#grants.get(ofChannel(id, name)) ?? settingOf(channel, name) ?? []);
  }

  #granted(key: string): boolean {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = this.#grants.get(key);
    const is = value === undefined || this.#reaches(value);
    this.#known.set(key, is);
    return is;
  }

  #reaches(value: GroupSetting): boolean {
    if (typeof value === "object" && value.direct_members.includes(this.#me)) return true;
    return [...this.#reached(value)].some((id) => this.#rosters.get(id)?.mine);
  }

  /** The groups that a value names, and those in them to any depth. */
  #reached(value: GroupSetting): Set<number> {
    const named = typeof value === "number" ? [value] : value.direct_subgroups;
    return reached(named, (id) => this.#rosters.get(id)?.groups);
  }

  /** The groups by which anybody has it, as things are. */
  groupsOf(right: Right): Set<number> {
    const values = "channel" in right ? this.#lettingIn(right.channel) : this.#granting(right);
    return new Set(values.flatMap((value) => [...this.#reached(value)]));
  }

  #granting({ organization, group, by = [] }: Grant): GroupSetting[] {
    const keys = [organization, ...by.map((name) => ofGroup(group!, name))];
    return keys.flatMap((key) => this.#grants.get(key) ?? []);
  }

  /** The request is done. Gives what takes it back. */
  do(draft: Draft): () => void {
    const { operation } = draft;
    const args = argsOf(draft);
    this.#known.clear();
    if (operation === updateOrganization) return this.#grant(args, grantsOrganization, (name) => name);
    if (operation === updateGroup)
      return this.#grant(args, grantsGroups, (name) => ofGroup(args.user_group_id as number, name));
    if (operation === updateMembers) return this.#moved(args as Lists, args.user_group_id as number);
    if (operation === createGroup) return this.#made(args, draft.makes!.id);
    if (operation === updateChannel) return this.#opened(args, args.stream_id as number);
    if (operation === subscribe || operation === unsubscribe)
      return draft.newChannel === undefined ? this.#entered(args, operation === subscribe) : () => {};
    return () => {};
  }

  #grant(args: Args, names: readonly string[], key: (name: string) => string): () => void {
    const before = names.flatMap((name) => (name in args ? [[key(name), this.#grants.get(key(name))] as const] : []));
    for (const name of names) if (name in args) this.#grants.set(key(name), valueIn(args[name]));
    return () => {
      this.#known.clear();
      for (const [key, value] of before)
        if (value === undefined) this.#grants.delete(key);
        else this.#grants.set(key, value);
    };
  }

  #opened(args: Args, id: number): () => void {
    const { is_private, is_web_public } = args;
    const granted = this.#grant(args, grantsChannels, (name) => ofChannel(id, name));
    const open = is_web_public === true ? true : is_private === undefined ? undefined : !is_private;
    const back = open === undefined ? () => {} : this.#allow(id, { open });
    return () => {
      back();
      granted();
    };
  }

  #entered({ stream_id, principals }: Args, mine: boolean): () => void {
    return (principals as number[]).includes(this.#me) ? this.#allow(stream_id as number, { mine }) : () => {};
  }

  #allow(id: number, change: Partial<Access>): () => void {
    const before = this.#access.get(id);
    const now = this.accessTo(id);
    if (now) this.#access.set(id, { ...now, ...change });
    return () => {
      this.#known.clear();
      if (before) this.#access.set(id, before);
      else this.#access.delete(id);
    };
  }

  #moved({ add, delete: remove, add_subgroups, delete_subgroups }: Lists, id: number): () => void {
    const before = this.#rosters.get(id);
    const groups = new Set([...(before?.groups ?? []), ...(add_subgroups ?? [])]);
    for (const each of delete_subgroups ?? []) groups.delete(each);
    const stays = before?.mine === true && !remove?.includes(this.#me);
    return this.#put(id, { mine: stays || add?.includes(this.#me) === true, groups });
  }

  #made(args: Args, id: number): () => void {
    const { members, subgroups } = args as Lists;
    const back = this.#put(id, { mine: members!.includes(this.#me), groups: new Set(subgroups) });
    // Whoever makes a group manages it.
    const own = { direct_members: [this.#me], direct_subgroups: [] };
    const nobody = { direct_members: [], direct_subgroups: [] };
    const given = {
      can_remove_members_group: nobody,
      can_manage_group: own,
      can_add_members_group: own,
      can_join_group: nobody,
      ...args,
    };
    const taken = this.#grant(given, grantsGroups, (name) => ofGroup(id, name));
    return () => {
      taken();
      back();
    };
  }

  #put(id: number, roster: Roster): () => void {
    const before = this.#rosters.get(id);
    this.#rosters.set(id, roster);
    return () => {
      this.#known.clear();
      if (before) this.#rosters.set(id, before);
      else this.#rosters.delete(id);
    };
  }
}

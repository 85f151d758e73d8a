/** What a request does to the caller's own rights: what gives them goes first, and what takes them last. */
import type { GroupSetting } from "../../api/group-setting.ts";
import { mayRead } from "../compare/access.ts";
import { type Reach, reachOf } from "../group-members.ts";
import { type Channel, channelsOf, type Snapshot, settingOf } from "../snapshot.ts";
import { phases } from "./draft.ts";

/** Settings of groups that let the caller change them. */
const ofGroups = [
  "can_manage_group",
  "can_add_members_group",
  "can_remove_members_group",
  "can_join_group",
  "can_leave_group",
];

/** Whoever manages everything can give and take the rest: that goes first, and last. */
const ranks = { organization: 0, membership: 0.1, group: 0.2, channel: 0.3 };

type Phase = number | undefined;

class Moment {
  readonly snapshot: Snapshot;
  readonly #me: number;
  #reach: Reach | undefined;
  #channels: ReadonlyMap<number, Channel> | undefined;
  #groups: ReadonlyMap<number, object> | undefined;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.#me = snapshot.organization.user_id;
  }

  has(setting: GroupSetting | undefined): boolean {
    this.#reach ??= reachOf(this.snapshot);
    return setting !== undefined && this.#reach.people(setting).has(this.#me);
  }

  group(id: number | undefined): Readonly<Record<string, unknown>> {
    this.#groups ??= new Map(this.snapshot.organization.realm_user_groups.map((group) => [group.id, group]));
    return { ...(id !== undefined && this.#groups.get(id)) };
  }

  channel(id: number): Channel | undefined {
    this.#channels ??= new Map(channelsOf(this.snapshot).map((channel) => [channel.stream_id, channel]));
    return this.#channels.get(id);
  }

  reads(id: number): boolean {
    this.#reach ??= reachOf(this.snapshot);
    const channel = this.channel(id);
    return channel !== undefined && mayRead(this.snapshot, this.#reach, channel);
  }
}

/** The phase of requests that give or take a right; undefined for all others. */
export class OwnRights {
  readonly #before: Moment;
  readonly #after: Moment;

  /** As the organization is, and as it is when the plan is done. */
  constructor(snapshot: Snapshot, result: Snapshot) {
    this.#before = new Moment(snapshot);
    this.#after = new Moment(result);
  }

  #phase(kind: keyof typeof ranks, has: (moment: Moment) => boolean): Phase {
    const [before, after] = [has(this.#before), has(this.#after)];
    if (before === after) return undefined;
    return after ? phases.gives + ranks[kind] : phases.takes - ranks[kind];
  }

  channelNow(id: number): Channel | undefined {
    return this.#before.channel(id);
  }

  organization(field: string): Phase {
    return this.#phase("organization", (moment) =>
      moment.has(settingOf(moment.snapshot.organization, `realm_${field}`)),
    );
  }

  group(id: number | undefined, fields: readonly string[]): Phase {
    const changed = ofGroups.filter((field) => fields.includes(field));
    const all = changed.map((field) =>
      this.#phase("group", (moment) => moment.has(settingOf(moment.group(id), field))),
    );
    return all.flatMap((phase) => phase ?? []).sort((a, b) => b - a)[0];
  }

  membership(id: number | undefined): Phase {
    return this.#phase("membership", (moment) => moment.has(id));
  }

  /** To read what is written in a channel. */
  channel(id: number): Phase {
    return this.#phase("channel", (moment) => moment.reads(id));
  }
}

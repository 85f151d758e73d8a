/**
 * The phases of requests, which go one after the other. What gives the caller a right goes first, and what takes one goes
 * last.
 */
import type { GroupSetting } from "../../api/group-setting.ts";
import { mayRead, type Reach, reachOf } from "../group-members.ts";
import { type Channel, channelsOf, type Snapshot, settingOf } from "../snapshot.ts";

/** Fractions order the requests of one phase. */
export const phases = {
  gives: 0,
  reactivate: 1,
  collections: 2,
  groups: 3,
  channels: 4,
  people: 5,
  settings: 6,
  removals: 7,
  orders: 8,
  takes: 9,
  /** Nothing names a person any more who is deactivated. */
  deactivate: 10,
  self: 11,
} as const;

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

class Moment {
  readonly snapshot: Snapshot;
  readonly #reach: Reach;
  readonly #channels: ReadonlyMap<number, Channel>;
  readonly #groups: ReadonlyMap<number | undefined, object>;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.#reach = reachOf(snapshot);
    this.#channels = new Map(channelsOf(snapshot).map((channel) => [channel.stream_id, channel]));
    this.#groups = new Map(snapshot.organization.realm_user_groups.map((group) => [group.id, group]));
  }

  has(setting: GroupSetting | undefined): boolean {
    return setting !== undefined && this.#reach.people(setting).has(this.snapshot.organization.user_id);
  }

  group = (id: number | undefined): object => this.#groups.get(id) ?? {};

  reads(id: number): boolean {
    const channel = this.#channels.get(id);
    return channel !== undefined && mayRead(this.snapshot, this.#reach, channel);
  }
}

/** The phase of requests that give or take a right of the caller; undefined for all others. */
export class OwnRights {
  readonly #before: Moment;
  readonly #after: Moment;

  /** As the organization is, and as it is when the plan is done. */
  constructor(snapshot: Snapshot, result: Snapshot) {
    this.#before = new Moment(snapshot);
    this.#after = new Moment(result);
  }

  #phase(kind: keyof typeof ranks, has: (moment: Moment) => boolean): number | undefined {
    const [before, after] = [has(this.#before), has(this.#after)];
    if (before === after) return undefined;
    return after ? phases.gives + ranks[kind] : phases.takes - ranks[kind];
  }

  organization(field: string): number | undefined {
    return this.#phase("organization", (moment) =>
      moment.has(settingOf(moment.snapshot.organization, `realm_${field}`)),
    );
  }

  group(id: number | undefined, fields: readonly string[]): number | undefined {
    const changed = ofGroups.filter((field) => fields.includes(field));
    const all = changed.map((field) =>
      this.#phase("group", (moment) => moment.has(settingOf(moment.group(id), field))),
    );
    return all.flatMap((phase) => phase ?? []).sort((a, b) => b - a)[0];
  }

  membership(id: number | undefined): number | undefined {
    return this.#phase("membership", (moment) => moment.has(id));
  }

  /** To read what is written in a channel. */
  channel(id: number): number | undefined {
    return this.#phase("channel", (moment) => moment.reads(id));
  }
}

/** Judges a plan: what each difference does to people and content. The organization before and after is in the plan. */

import { registeredSettings } from "../api/organization.ts";
import { joinFirst } from "../common/counted.ts";
import { keyBy } from "../common/group-by.ts";
import { numbersIn } from "../common/object-members.ts";
import { once } from "../common/once.ts";
import { type Judgment, joinedImpacts, judge, judgedSubject } from "../effects/judge.ts";
import { everything, type Subject } from "../effects/judging.ts";
import type { Present } from "../effects/present.ts";
import { Refused } from "../errors.ts";
import { type KindName, kindNamed } from "../model/kinds/index.ts";
import { listNamed } from "../model/kinds/lists.ts";
import { channelReferences, channelUses } from "../model/organization.ts";
import type { Impact } from "../wire/impact.ts";
import { fieldsOf } from "./difference.ts";
import type { RequestStep } from "./order.ts";
import type { Prediction } from "./prediction.ts";
import { differenceTitle, sections, thingSections } from "./section-registry.ts";
import { holders } from "./sections/profile-fields.ts";
import { countActive, type ThingsSection } from "./sections/section.ts";
import {
  activeChannelsOf,
  activeGroupsOf,
  callerRole,
  channelsOf,
  defaultChannelsOf,
  everybodyOf,
  roleOf,
  type Snapshot,
} from "./snapshot.ts";

/** Returns the section with the things of a kind. Undefined if organization files do not have them. */
function sectionOf(kind: KindName): ThingsSection | undefined {
  const { section } = kindNamed(kind);
  const name = thingSections.find((each) => each === section);
  return name && sections[name];
}

function unknown(what: string): never {
  throw new Refused(`the snapshot does not have ${what}`);
}

/** Returns the records of a kind that organization files describe. */
const recordsIn = (snapshot: Snapshot, kind: KindName) =>
  sectionOf(kind)?.records(snapshot) ?? unknown(kindNamed(kind).plural);

/** Returns what is there before a plan. */
export function presentIn({ before, after, differences }: Prediction): Present {
  const { snapshot } = before;
  const { organization } = snapshot;
  const settings = (of: Snapshot) => registeredSettings(of.organization);
  const accounts = once(async () => {
    const active = new Set(organization.realm_users);
    const all = everybodyOf(snapshot).map((one) => ({ ...one, role: roleOf(one), is_active: active.has(one) }));
    return keyBy(all, ({ user_id }) => user_id);
  });
  const channels = once(async () => keyBy(channelsOf(snapshot), ({ stream_id }) => stream_id));
  const groups = once(async () => keyBy(organization.realm_user_groups, ({ id }) => id));
  const changed = once(async () => new Set(differences.flatMap(fieldsOf).map(({ field }) => field)));
  return {
    level: async () => snapshot.feature_level,
    ownAccount: async () => {
      const { user_id } = organization;
      return { user_id, role: callerRole(snapshot) };
    },
    accounts,
    account: async (id) => (await accounts()).get(id),
    channels,
    groups,
    ownAccessLost: once(async () => {
      const [could, can] = [before.caller, after.caller];
      const { organization: result } = after.snapshot;
      // A deactivated account loses everything.
      if (!result.realm_users.some(({ user_id }) => user_id === organization.user_id)) return [];
      const groups = activeGroupsOf(after.snapshot).filter(({ id }) => could.manages(id) && !can.manages(id));
      const channels = activeChannelsOf(after.snapshot).filter(
        ({ stream_id: id }) => could.reads(id) && !can.reads(id),
      );
      const lost = [
        ...groups.map(({ name }) => `manage group ${name}`),
        ...channels.map(({ name }) => `read channel ${name}`),
      ];
      return lost.length ? [joinFirst(lost)] : [];
    }),
    groupsAfter: once(async () => keyBy(after.snapshot.organization.realm_user_groups, ({ id }) => id)),
    organization: once(async () => settings(snapshot)),
    organizationAfter: once(async () => settings(after.snapshot)),
    channelsAfter: once(async () => keyBy(channelsOf(after.snapshot), ({ stream_id }) => stream_id)),
    records: async (kind) => recordsIn(snapshot, kind),
    async members(name, id) {
      const { kind, member, plural } = listNamed(name);
      const record = recordsIn(snapshot, kind).find((each) => each[kindNamed(kind).id ?? "id"] === id);
      // Nobody is in what the plan creates.
      if (!record) return [];
      return Array.isArray(record[member]) ? numbersIn(record[member]) : unknown(plural);
    },
    fieldData: async (id) => organization.custom_profile_fields.find((field) => field.id === id)?.field_data,
    invitation: async () => undefined,
    count: async (kind) => {
      const section = sectionOf(kind);
      return section ? countActive(section, snapshot) : unknown(kindNamed(kind).plural);
    },
    message: async () => undefined,
    topics: async () => unknown("topics"),
    messagesIn: async () => unknown("messages"),
    holdersOf: async (field, keys) => holders(snapshot, field, keys),
    async referencesTo(kind, id) {
      if (kind !== "channel") return [];
      const fields = await changed();
      const unchanged = Object.entries(settings(snapshot)).filter(([name]) => !fields.has(name));
      return channelReferences(channelUses(id, Object.fromEntries(unchanged), defaultChannelsOf(snapshot)));
    },
  };
}

/** Judges differences with their requests. `effects` has those of each difference. */
export async function judgePlan(prediction: Prediction, steps: readonly RequestStep[]): Promise<Judgment> {
  const { differences } = prediction;
  const impacts = differences.map((): Impact[] => []);
  const lists = differences.map((): string[] => []);
  for (const { of, change } of steps) {
    // What servers cannot change is removed and added again.
    const isUpdate = differences[of]?.action === "update";
    const all = judgedSubject(change).impacts.filter(({ does }) => !(isUpdate && does === "remove"));
    impacts[of]?.push(...all);
    const memberships = change.operation.memberships?.(change.args) ?? [];
    lists[of]?.push(...memberships.map(({ list }) => list));
  }
  const subjects = differences.map(
    (one, n): Subject => ({
      impacts: joinedImpacts(impacts[n] ?? []),
      wholeLists: lists[n],
      title: differenceTitle(one),
    }),
  );
  return judge(subjects, presentIn(prediction), everything);
}

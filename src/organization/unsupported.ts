/** Finds what servers refuse because of values that do not go together, some of the plan and some already there. */

import { reactivateUser } from "../api/people.ts";
import { permissionsOfServer } from "../api/settings.ts";
import { reachableFrom } from "../common/reachable.ts";
import {
  cannotBeDefault,
  cannotUnarchiveEmpty,
  needsEveryone,
  privacyToggles,
  privateAndWebPublic,
} from "../model/channel.ts";
import { orList } from "./attribute-shapes.ts";
import type { Refusal } from "./compare/findings.ts";
import { type Difference, fieldsOf, idIn, isCreation, isWhoValue } from "./difference.ts";
import { idsIn, keyOfId, nobodyIn, permissionValue, same } from "./id-values.ts";
import { presentIn } from "./judge-plan.ts";
import type { RequestStep } from "./order.ts";
import type { Prediction } from "./prediction.ts";
import type { SectionName } from "./section-names.ts";
import { sections } from "./section-registry.ts";
import {
  channelsOf,
  defaultChannelsOf,
  groupSettingOf,
  organizationSetting,
  type Snapshot,
  type SnapshotChannel,
} from "./snapshot.ts";
import { takenNames } from "./taken-names.ts";

/** Finds groups that would contain themselves. There is no order for such a plan. */
export function cyclicGroups({ organization }: Snapshot): Refusal[] {
  const subgroups = new Map(organization.realm_user_groups.map(({ id, direct_subgroup_ids: ids }) => [id, ids]));
  const says = "cannot have these subgroups: the group would contain itself";
  return organization.realm_user_groups.flatMap(({ id, name, deactivated }) =>
    !deactivated && reachableFrom(subgroups.get(id) ?? [], (each) => subgroups.get(each)).has(id)
      ? [{ section: "groups" as const, name, field: "subgroups", says }]
      : [],
  );
}

/** Returns what the server does not accept as the value of a permission. Undefined if it accepts the value. */
export function refusedWho({ organization }: Snapshot, section: SectionName, field: string, to: unknown) {
  const { othersOf } = sections[section];
  const info = othersOf && permissionsOfServer(organization, othersOf)[field];
  if (!info || !isWhoValue(to)) return undefined;
  const [group] = to.groups;
  const { allowed_system_groups: allowed = [], require_system_group: isOfRole } = info;
  if (to.users.length || to.groups.length > 1) return isOfRole ? "people or several groups" : undefined;
  const known = organization.realm_user_groups.find(({ id }) => id === group);
  const name = group === undefined ? "role:nobody" : (known?.name ?? String(keyOfId(group)));
  const isRefused =
    name === "role:internet" ||
    (name === "role:everyone" && info.allow_everyone_group === false) ||
    (name === "role:nobody" && info.allow_nobody_group === false) ||
    (isOfRole && !name.startsWith("role:")) ||
    (allowed.length > 0 && !allowed.includes(name));
  if (!isRefused) return undefined;
  return `${name.replace("role:nobody", "nobody")}${allowed.length ? `, only ${orList(allowed)}` : ""}`;
}

/** Finds permissions that the plan gives to groups that the server does not accept for them. */
export const unsupportedPermissions = ({ before, differences }: Prediction): Refusal[] =>
  differences.flatMap((one) => {
    const { section, name } = one;
    const changes = isCreation(one) ? Object.entries(one.to).map(([field, to]) => ({ field, to })) : fieldsOf(one);
    return changes.flatMap(({ field, to }): Refusal[] => {
      const who = refusedWho(before.snapshot, section, field, to);
      return who === undefined ? [] : [{ section, name, field, says: `${field} cannot be ${who}` }];
    });
  });

/** Finds names that something else has when the plan is done. Bots that come back get another name from servers. */
export async function unsupportedNames(prediction: Prediction, steps: readonly RequestStep[]): Promise<Refusal[]> {
  const ofChange = new Map(steps.map(({ of, change }) => [change, prediction.differences[of]]));
  const taken = await takenNames([...ofChange.keys()], presentIn(prediction));
  return taken.flatMap(({ change, says }): Refusal[] => {
    const { section, name } = ofChange.get(change) ?? {};
    const isOther = section === undefined || name === undefined || change.operation === reactivateUser;
    return isOther ? [] : [{ section, name, says: `cannot have this name: ${says}` }];
  });
}

interface Problem {
  readonly field: string;
  readonly says: string;
  /** What to write in the file. */
  readonly remedy?: string;
}

const found = (is: boolean | undefined, field: string, says: string, remedy?: string): Problem[] =>
  is ? [{ field, says, ...(remedy !== undefined && { remedy }) }] : [];

/** Returns whether exactly everybody may begin topics. Older servers have no such permission. */
function isOpenToAll(result: Snapshot, channel: SnapshotChannel): boolean {
  const setting = groupSettingOf(channel, "can_create_topic_group");
  const everyone = result.organization.realm_user_groups.find(({ name }) => name === "role:everyone")?.id;
  if (setting === undefined || everyone === undefined) return true;
  return same(permissionValue(setting, nobodyIn(result)), { users: [], groups: [everyone] });
}

/** Returns what the server refuses of a channel's privacy after the plan. */
function privacyProblems(result: Snapshot, channel: SnapshotChannel): Problem[] {
  const { stream_id: id, invite_only: isPrivate, is_web_public: isWebPublic } = channel;
  const hidesHistory = channel.history_public_to_subscribers === false;
  const history = "history_public_to_subscribers";
  return [
    ...found(
      isPrivate && defaultChannelsOf(result).includes(id),
      "is_default_stream",
      cannotBeDefault("private"),
      ': set "is_default_stream: false"',
    ),
    ...found(isPrivate && isWebPublic, "is_web_public", privateAndWebPublic),
    ...found(hidesHistory && !isPrivate, history, "only private channels can hide their history from new subscribers"),
    ...found(
      hidesHistory && isPrivate && !isOpenToAll(result, channel),
      "can_create_topic_group",
      needsEveryone,
      `; or set "${history}: true"`,
    ),
    ...found(
      !isPrivate && organizationSetting(result, "moderation_request_channel_id") === id,
      "is_private",
      "the channel for moderation requests must be private",
    ),
  ];
}

/** The fields of a channel that servers check together. */
export const privacyFields = [...privacyToggles, "can_create_topic_group"];

function channelProblems(prediction: Prediction, one: Difference): Problem[] {
  const { snapshot: result } = prediction.after;
  const id = idIn(one);
  const existing = channelsOf(prediction.before.snapshot);
  const before = existing.find(({ stream_id }) => stream_id === id);
  const after = channelsOf(result).find(({ stream_id, name }) =>
    before ? stream_id === id : name === one.name && !existing.some((each) => each.stream_id === stream_id),
  );
  if (!after) return [];
  const changed = fieldsOf(one);
  const sent = new Set(
    one.action === "create" ? [...Object.keys(one.to), "is_private"] : changed.map(({ field }) => field),
  );
  const added = changed.filter(({ field }) => field === "subscribers").flatMap(({ to }) => idsIn(to));
  const canAdd = prediction.before.caller.reads(after.stream_id);
  const isEmpty = before?.invite_only === true && before.subscribers?.length === 0 && !added.length;
  return [
    ...found(
      one.action === "unarchive" && isEmpty,
      "archived",
      `${cannotUnarchiveEmpty}${canAdd ? "" : ", and this account cannot add any: it is not subscribed"}`,
      canAdd ? ': list people in "subscribers"' : undefined,
    ),
    ...(privacyFields.some((field) => sent.has(field)) ? privacyProblems(result, after) : []),
  ];
}

/** Returns what servers refuse of channels, and of settings that name one, with what to write in a file. */
export const unsupportedChannels = (prediction: Prediction): Refusal[] =>
  refusedChannels(prediction).map(({ remedy = "", says, ...one }) => ({ ...one, says: `${says}${remedy}` }));

/** The same, with `remedy` apart. */
export function refusedChannels(prediction: Prediction): (Refusal & Pick<Problem, "remedy">)[] {
  const { differences } = prediction;
  const { snapshot: result } = prediction.after;
  const refused = differences
    .filter(({ section }) => section === "channels")
    .flatMap((one) =>
      channelProblems(prediction, one).map((problem) => ({ section: "channels" as const, name: one.name, ...problem })),
    );
  const setting = "moderation_request_channel_id";
  const isSet = differences.some(
    (one) => one.section === "settings" && fieldsOf(one).some(({ field }) => field === setting),
  );
  const id = organizationSetting(result, setting);
  const named = isSet ? channelsOf(result).find(({ stream_id }) => stream_id === id) : undefined;
  if (!named || named.invite_only) return refused;
  const says = `the channel for moderation requests must be private, and ${named.name} is not`;
  return [...refused, { section: "settings", name: "settings", field: setting, says }];
}

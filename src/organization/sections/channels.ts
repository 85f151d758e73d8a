import { channelParams, createChannel } from "../../api/channel-creation.ts";
import { archiveChannel, updateChannel } from "../../api/channels.ts";
import { subscribe } from "../../api/subscriptions.ts";
import { foldChannelName, strip } from "../../common/folding.ts";
import { groupBy } from "../../common/group-by.ts";
import {
  channelFieldRules,
  channelFields,
  channelPermissionRules,
  isDropped,
  newChannel,
  privateMember,
} from "../../model/channel.ts";
import { channelKind } from "../../model/kinds/channel.ts";
import { portions } from "../../model/kinds/lists.ts";
import { isPermissionName, newerPermission } from "../../model/permission.ts";
import { nonEmptyShape, oneLine } from "../attribute-shapes.ts";
import type { AttributeValues, FieldChange, Update } from "../difference.ts";
import { idsIn, listChanges, nobodyIn, permissionValue } from "../id-values.ts";
import { phases } from "../order/phases.ts";
import { channelsOf, defaultChannelsOf, groupSettingOf, type Snapshot, type SnapshotChannel } from "../snapshot.ts";
import { listMembers, listRequest } from "./member-lists.ts";
import {
  createDraft,
  permissionPiece,
  type RequestContext,
  type RequestDraft,
  type RequestPiece,
  releasedBy,
  renamePiece,
  type SectionRequests,
  settingPiece,
  thingIsInUse,
  withoutUndefined,
} from "./requests.ts";
import { attributesOf, identityMembers, newPermissions, ofKind, type ThingsSection } from "./section.ts";
import { numberMember } from "./setting-member.ts";

/** By attribute, what is stated of it, and its parameter. */
const fields = new Map(
  channelFields.map((parameter) => {
    const rule = channelFieldRules[parameter];
    return [rule.called ?? parameter, { parameter, ...rule }];
  }),
);

/** Attributes that are numbers or words. */
const numericFields = [...fields].flatMap(([name, { counts }]) => (counts ? [[name, counts] as const] : []));

const parameterOf = (attribute: string): string => fields.get(attribute)?.parameter ?? attribute;

/** Attributes that are refused for the same reason share a request. */
const partOf = (attribute: string): string =>
  ["boolean", "folder"].includes(fields.get(attribute)?.kind ?? "") ? "access" : attribute;

const folderId = ({ ids }: RequestContext, to: unknown) => (to === null ? null : ids.of("folders", to));

/** Creates a channel with all settings that the call accepts and keeps. */
const createRequests: SectionRequests["create"] = (context, difference) => {
  const { ids, snapshot, me } = context;
  const { name, to } = difference;
  const { description } = to;
  const subscribers = idsIn(to.subscribers);
  const args: Record<string, unknown> = {};
  const laterChanges: FieldChange[] = [];
  for (const [field, value] of Object.entries(to)) {
    if (["name", "description", "subscribers", "archived"].includes(field)) continue;
    const parameter = field === "is_private" ? privateMember : parameterOf(field);
    if (isDropped(field) || !Object.hasOwn(channelParams, parameter)) laterChanges.push({ field, to: value });
    else if (field === "folder") args[parameter] = folderId(context, value) ?? undefined;
    else args[parameter] = isPermissionName(field) ? ids.who(value) : value;
  }
  const byName = snapshot.feature_level < (createChannel.since ?? 0);
  const createRequest = createDraft(context, difference, {
    operation: byName ? subscribe : createChannel,
    args: byName
      ? { subscriptions: [withoutUndefined({ name, description })], principals: subscribers, ...withoutUndefined(args) }
      : withoutUndefined({ name, subscribers, description, ...args }),
    key: foldChannelName(name),
  });
  const { id } = createRequest.makes;
  // The older call always subscribes somebody: the caller, if it names nobody else.
  const departure = byName && !subscribers.length ? [membersDraft(id, name, "remove", [me])] : [];
  const phase = phases.newChannelSettings;
  return [
    { ...createRequest, phase: phases.newChannels, ...(byName && { newChannel: name }) },
    ...[...departure, ...settingDrafts(context, id, laterChanges, undefined)].map((draft) => ({ ...draft, phase })),
  ];
};

/** Returns the phase: a change that lets more people in comes first, one that shuts people out comes last. */
function phaseOf({ rights }: RequestContext, id: number, part: string, values: AttributeValues): number {
  if (part === "access") {
    if (values.is_private === true) return rights.channel(id) ?? phases.channelClosing;
    return values.history_public_to_subscribers === false ? phases.channelClosing : phases.channelOpening;
  }
  const lets = part === "can_add_subscribers_group" || part === "can_subscribe_group";
  return (lets ? rights.channel(id) : undefined) ?? phases.channels;
}

/** Servers apply these settings one by one, so each group that can be refused is a request of its own. */
const settingDrafts = (
  context: RequestContext,
  id: number,
  changes: readonly FieldChange[],
  current: SnapshotChannel | undefined,
): RequestDraft[] =>
  [...groupBy(changes, ({ field }) => partOf(field))].map(([part, some]) => {
    const pieces = some.map((change): RequestPiece => {
      const { field, to } = change;
      if (field === "name") return renamePiece("channels", id, change, foldChannelName, "new_name");
      if (isPermissionName(field)) return permissionPiece(context, change, current);
      return settingPiece(field, field === "folder" ? folderId(context, to) : to, parameterOf(field));
    });
    const values = Object.assign({}, ...pieces.map((piece) => piece.args));
    // Without it, servers would choose who can read the history.
    const keepsHistory = values.is_private === true && current?.history_public_to_subscribers;
    return {
      phase: phaseOf(context, id, part, values),
      operation: updateChannel,
      args: { stream_id: id, ...(keepsHistory && { history_public_to_subscribers: true }) },
      pieces,
      needs: [
        ...(part === "name" ? [] : [thingIsInUse("channel", id)]),
        ...(values.is_private === false ? [`channel ${id} is not moderation_request_channel_id`] : []),
      ],
    };
  });

function membersDraft(id: number, name: string, call: "add" | "remove", people: readonly number[]): RequestDraft {
  return {
    ...listRequest(channelKind.lists.subscribers[call], { id, name }, people),
    phase: call === "add" ? phases.newSubscribers : phases.subscriberRemovals,
    result: call === "add" ? "subscribers added" : "subscribers removed",
    ...(call === "add" && { provides: [`channel ${id} has its new subscribers`] }),
  };
}

/** Returns requests for subscribers. A person who leaves a private channel loses access, so the caller leaves last. */
function subscriberDrafts(
  context: RequestContext,
  id: number,
  name: string,
  { fields, action }: Update,
): RequestDraft[] {
  const subscribers = fields.find(({ field }) => field === "subscribers");
  const [added, removed] = listChanges(subscribers?.from, subscribers?.to);
  const drafts = (call: "add" | "remove", people: readonly number[]) =>
    portions(people, context.portion).map((some): RequestDraft => {
      const draft = membersDraft(id, name, call, some);
      const ownPhase = some.includes(context.me) && action !== "unarchive" ? context.rights.channel(id) : undefined;
      // Nobody leaves if adding the others failed: a private channel without subscribers is lost.
      const needs = call === "remove" && added.length ? [`channel ${id} has its new subscribers`] : [];
      return { ...draft, phase: ownPhase ?? draft.phase, needs };
    });
  return [...drafts("add", added), ...drafts("remove", removed)];
}

const requests: SectionRequests = {
  create: createRequests,
  update: (context, update) => {
    const { id = 0, action, fields } = update;
    const current = channelsOf(context.snapshot).find(({ stream_id }) => stream_id === id);
    const settings = fields.filter(({ field }) => field !== "subscribers");
    const drafts = [
      ...subscriberDrafts(context, id, current?.name ?? update.name, update),
      ...settingDrafts(context, id, settings, current),
    ];
    if (action === "unarchive")
      drafts.push({
        result: "unarchived",
        phase: phases.unarchive,
        operation: updateChannel,
        args: { stream_id: id, is_archived: false },
        needs: [`channel ${id} has its new subscribers`],
        provides: [thingIsInUse("channel", id)],
      });
    if (action === "archive")
      drafts.push({
        result: "archived",
        phase: phases.removals,
        operation: archiveChannel,
        args: { stream_id: id },
        provides: releasedBy(current),
      });
    return drafts;
  },
};

/** Returns whether people can join by themselves. A list of subscribers would soon be out of date. */
function isOpen(snapshot: Snapshot, channel: SnapshotChannel): boolean {
  const { users, groups } = permissionValue(groupSettingOf(channel, "can_subscribe_group"), nobodyIn(snapshot));
  return !channel.invite_only || users.length + groups.length > 0;
}

export const channelsSection: ThingsSection<SnapshotChannel> = {
  ...ofKind<SnapshotChannel>("channel"),
  doc: "Channels.",
  others: newerPermission,
  othersOf: "stream",
  members: {
    name: { shape: nonEmptyShape, doc: "The name.", needed: true, stored: strip },
    ...identityMembers,
    ...attributesOf(updateChannel, {
      omit: ["stream_id", "new_name"],
      names: Object.fromEntries([...fields].map(([attribute, { parameter }]) => [parameter, attribute])),
      more: {
        is_private: { record: privateMember },
        description: { stored: oneLine },
        ...Object.fromEntries(
          numericFields.map(([name, { least, words }]) => [name, { owner: true, ...numberMember(name, least, words) }]),
        ),
        // Archiving is a call of its own, with no required level.
        archived: { since: undefined },
      },
    }),
    ...listMembers("channel"),
  },
  initialValues: (snapshot, { is_private }) => ({
    ...newChannel(snapshot.feature_level),
    history_public_to_subscribers: !is_private,
    is_archived: false,
    ...newPermissions(snapshot, channelPermissionRules),
    subscribers: [],
  }),
  attributes: (snapshot) => {
    const defaults = new Set(defaultChannelsOf(snapshot));
    return {
      is_default_stream: ({ stream_id }) => defaults.has(stream_id),
      ...Object.fromEntries(
        numericFields.map(([name, { inWords }]): [string, (channel: SnapshotChannel) => unknown] => [
          name,
          (channel) => inWords(channel[name]),
        ]),
      ),
    };
  },
  omits: ({ snapshot, subscribers }, field, channel) =>
    field === "subscribers" && (subscribers === "none" || (subscribers === "closed" && isOpen(snapshot, channel))),
  write: (field, value, ids) => {
    // Everybody can read the history of a public channel.
    if (field === "is_private")
      return { [privateMember]: value, ...(!value && { history_public_to_subscribers: true }) };
    if (field === "folder") return { folder_id: value === null ? null : ids.of("folders", value) };
    if (field === "is_default_stream") return {};
    const { counts } = fields.get(field) ?? {};
    return counts && { [field]: counts.stored(value) };
  },
  requests,
};

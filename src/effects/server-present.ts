/** What is there now, read from the server. Each list is read once for a run, shared with look-ups of names. */
import { getAttachments } from "../api/attachments.ts";
import { allChannelsArgs, getChannels } from "../api/channels.ts";
import { getDomains } from "../api/domains.ts";
import { getDrafts } from "../api/drafts.ts";
import { getEmoji } from "../api/emoji.ts";
import { register, registerPart } from "../api/events.ts";
import { getExports } from "../api/exports.ts";
import { getFolders } from "../api/folders.ts";
import { allGroupsArgs, getGroups, groupSubgroups, groupUsers } from "../api/groups.ts";
import { getInvitations } from "../api/invitations.ts";
import { getLinkifiers } from "../api/linkifiers.ts";
import { getMessage, getMessages, newestMessages } from "../api/messages.ts";
import { settingsIn } from "../api/organization.ts";
import { getUser } from "../api/people.ts";
import { getProfileFields } from "../api/profile-fields.ts";
import { getScheduledMessages } from "../api/scheduled.ts";
import { channelSubscribers } from "../api/subscribers.ts";
import { getTopics } from "../api/topics.ts";
import { getOwnUser, getUsers } from "../api/users.ts";
import type { Server } from "../client/server.ts";
import { Refused } from "../errors.ts";
import type { ListOf, RemovableKind } from "../wire/impact.ts";
import type { MemberKind } from "../wire/membership.ts";
import type { Present } from "./present.ts";

/** A topic is counted up to this number of messages. */
const mostMessages = 5000;

const lists: Readonly<Record<ListOf["list"], MemberKind>> = {
  subscribers: channelSubscribers,
  members: groupUsers,
  subgroups: groupSubgroups,
};

const byId = <T>(all: readonly T[], id: (one: T) => number): ReadonlyMap<number, T> =>
  new Map(all.map((one) => [id(one), one]));

const isOn = ({ is_archived, deactivated }: { is_archived?: boolean; deactivated?: boolean }): boolean =>
  !is_archived && !deactivated;

/** Returns by kind how many things there are. */
const countsOf = (server: Server): Readonly<Record<RemovableKind, () => Promise<number>>> => ({
  attachment: async () => (await server.lookUp(getAttachments, {})).attachments.length,
  bot: async () =>
    (await server.lookUp(getUsers, {})).members.filter(({ is_bot, is_active }) => is_bot && is_active !== false).length,
  channel: async () => (await server.lookUp(getChannels, allChannelsArgs)).streams.filter(isOn).length,
  domain: async () => (await server.lookUp(getDomains, {})).domains.length,
  draft: async () => (await server.lookUp(getDrafts, {})).drafts.length,
  emoji: async () => Object.values((await server.lookUp(getEmoji, {})).emoji).filter(isOn).length,
  export: async () => (await server.lookUp(getExports, {})).exports.length,
  folder: async () => (await server.lookUp(getFolders, { include_archived: true })).channel_folders.filter(isOn).length,
  group: async () =>
    (await server.lookUp(getGroups, allGroupsArgs)).user_groups.filter((one) => isOn(one) && !one.is_system_group)
      .length,
  invitation: async () => (await server.lookUp(getInvitations, {})).invites.length,
  linkifier: async () => (await server.lookUp(getLinkifiers, {})).linkifiers.length,
  playground: async () =>
    (await server.lookUp(register, registerPart("realm_playgrounds"))).realm_playgrounds?.length ?? 0,
  "profile field": async () => (await server.lookUp(getProfileFields, {})).custom_fields.length,
  "scheduled message": async () => (await server.lookUp(getScheduledMessages, {})).scheduled_messages.length,
});

export function presentOn(connect: () => Promise<Server>): Present {
  const accounts = async () => byId((await (await connect()).lookUp(getUsers, {})).members, ({ user_id }) => user_id);
  return {
    level: async () => (await connect()).level(),
    ownAccount: async () => (await connect()).lookUp(getOwnUser, {}),
    accounts,
    async account(user_id) {
      try {
        return (await (await connect()).lookUp(getUser, { user_id })).user;
      } catch (failure) {
        if (failure instanceof Refused) return undefined;
        throw failure;
      }
    },
    channels: async () =>
      byId((await (await connect()).lookUp(getChannels, allChannelsArgs)).streams, ({ stream_id }) => stream_id),
    groups: async () => byId((await (await connect()).lookUp(getGroups, allGroupsArgs)).user_groups, ({ id }) => id),
    organization: async () => settingsIn(await (await connect()).lookUp(register, registerPart("realm"))),
    async members(list, id) {
      const { read, args, members } = lists[list].of(id);
      return members(await (await connect()).lookUp(read, args));
    },
    async fieldData(id) {
      const { custom_fields } = await (await connect()).lookUp(getProfileFields, {});
      return custom_fields.find((field) => field.id === id)?.field_data;
    },
    async invitation(id) {
      const { invites } = await (await connect()).lookUp(getInvitations, {});
      return invites.find((one) => !one.is_multiuse && one.id === id);
    },
    count: async (kind) => countsOf(await connect())[kind](),
    async message(message_id) {
      const args = { message_id, apply_markdown: false, allow_empty_topic_name: true };
      return (await (await connect()).lookUp(getMessage, args)).message;
    },
    async topics(stream_id) {
      const { topics } = await (await connect()).lookUp(getTopics, { stream_id, allow_empty_topic_name: true });
      return topics.map(({ name }) => name);
    },
    async messagesIn(channel, topic) {
      const narrow = [
        { operator: "channel", operand: channel },
        { operator: "topic", operand: topic },
      ];
      const args = { ...newestMessages(narrow, mostMessages), allow_empty_topic_name: true };
      const { messages, found_oldest } = await (await connect()).lookUp(getMessages, args);
      return { count: messages.length, isMore: messages.length >= mostMessages && found_oldest !== true };
    },
  };
}

/** What is there now, read from the server. Each list is read once for a run, shared with look-ups of names. */

import { allChannelsArgs, getChannels } from "../api/channels.ts";
import { register, registerPart } from "../api/events.ts";
import { allGroupsArgs, getGroups } from "../api/groups.ts";
import { getInvitations } from "../api/invitations.ts";
import { getMessage, getMessages, newestMessages } from "../api/messages.ts";
import { registeredSettings } from "../api/organization.ts";
import { getUser } from "../api/people.ts";
import { getProfileFields } from "../api/profile-fields.ts";
import { memberKindNamed, readOf } from "../api/registry.ts";
import { getTopics } from "../api/topics.ts";
import { getOwnUser, getUsers } from "../api/users.ts";
import type { Server } from "../client/server.ts";
import { keyBy } from "../common/group-by.ts";
import { type Fields, membersOf } from "../common/object-members.ts";
import { Refused } from "../errors.ts";
import { type KindName, kindNamed } from "../model/kinds/index.ts";
import { type ChannelUses, channelReferences, channelUses } from "../model/organization.ts";
import type { Present } from "./present.ts";

/** A topic is counted up to this number of messages. */
const mostMessages = 5000;

/** Returns the records of all things of a kind. */
async function recordsOf(server: Server, name: KindName): Promise<Fields[]> {
  const { operation, args } = readOf(name);
  const answer = await server.lookUp(operation, args);
  return Object.values(membersOf(answer[kindNamed(name).read.list])).map(membersOf);
}

/** Returns how many things of a kind there are, without archived and deactivated ones. */
async function countOf(server: Server, name: KindName): Promise<number> {
  const { state, matches } = kindNamed(name);
  const records = await recordsOf(server, name);
  return records.filter((record) => (!state || record[state.member] !== state.value) && (matches?.(record) ?? true))
    .length;
}

/** Reads what names a channel. */
export async function channelUsesOn(server: Server, id: number): Promise<ChannelUses> {
  const found = await server.lookUp(register, registerPart("default_streams", "realm"));
  return channelUses(id, registeredSettings(found), [membersOf(found).realm_default_streams].flat());
}

export function presentOn(connect: () => Promise<Server>): Present {
  const accounts = async () => keyBy((await (await connect()).lookUp(getUsers, {})).members, ({ user_id }) => user_id);
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
      keyBy((await (await connect()).lookUp(getChannels, allChannelsArgs)).streams, ({ stream_id }) => stream_id),
    groups: async () => keyBy((await (await connect()).lookUp(getGroups, allGroupsArgs)).user_groups, ({ id }) => id),
    organization: async () => registeredSettings(await (await connect()).lookUp(register, registerPart("realm"))),
    records: async (kind) => recordsOf(await connect(), kind),
    async members(list, id) {
      const { read, args, members } = memberKindNamed(list).of(id);
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
    async holdersOf(field, keys) {
      const { members } = await (await connect()).lookUp(getUsers, { include_custom_profile_fields: true });
      const values = members.map(({ profile_data }) => membersOf(membersOf(profile_data)[field]).value);
      return values.filter((value) => (keys ? keys.has(String(value)) : value !== undefined && value !== "")).length;
    },
    referencesTo: async (kind, id) =>
      kind === "channel" ? channelReferences(await channelUsesOn(await connect(), id)) : [],
    count: async (kind) => countOf(await connect(), kind),
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

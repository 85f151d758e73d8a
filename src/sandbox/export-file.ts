/** The file of an export: a `.tar.gz` with the tables of a server's public export. */
import { gzipSync } from "node:zlib";
import { Header } from "tar";
import { pick } from "../common/object-members.ts";
import type { AuditRow } from "./audit-log.ts";
import { isBot, type SandboxState, type StoredExport } from "./state.ts";

const block = 512;
/** The size of an archive is a multiple of this. */
const record = 20 * block;

function tarOf(folder: string, files: Readonly<Record<string, object>>, now: number): Uint8Array {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const body = Buffer.from(JSON.stringify(content));
    const header = Buffer.alloc(block);
    new Header({
      path: `${folder}/${name}`,
      mode: 0o644,
      size: body.length,
      type: "File",
      mtime: new Date(now),
    }).encode(header);
    return [header, body, Buffer.alloc(-body.length & (block - 1))];
  });
  const size = parts.reduce((sum, { length }) => sum + length, 2 * block);
  return Buffer.concat(parts, Math.ceil(size / record) * record);
}

const seconds = (milliseconds: number): number => milliseconds / 1000;

function realm(state: SandboxState, log: readonly AuditRow[]): object {
  const { organization, users, channels, groups, exports } = state;
  const groupList = [...groups.values()];
  // The recipient of a channel has the channel's id here.
  const subscription = (recipient: number, user: number, active: boolean) => ({
    user_profile: user,
    recipient,
    active,
    is_user_active: users.get(user)?.is_active ?? false,
  });
  const lastVisits = new Map<number, number>();
  const addVisit = (id: number | null, time: number) => {
    if (id !== null) lastVisits.set(id, Math.max(time, lastVisits.get(id) ?? 0));
  };
  for (const { acting_user, event_time } of log) addVisit(acting_user, event_time);
  for (const { sender_id, date_sent } of state.messages.values()) addVisit(sender_id, seconds(date_sent));
  return {
    zerver_realm: [
      { id: 2, name: organization.settings.name, date_created: seconds(organization.date_created), org_type: 0 },
    ],
    zerver_realmauditlog: log,
    zerver_realmexport: [...exports.values()].map(({ id, export_time, acting_user_id }) => ({
      id,
      realm: 2,
      type: 1,
      date_requested: seconds(export_time),
      acting_user: acting_user_id,
    })),
    zerver_userprofile: [...users.values()].map((user) => ({
      id: user.user_id,
      ...pick(user, ["delivery_email", "full_name", "role", "is_active", "bot_type"]),
      is_bot: isBot(user),
      bot_owner: user.bot_owner_id,
      date_joined: seconds(user.date_joined),
    })),
    zerver_userprofile_crossrealm: [],
    zerver_userprofile_mirrordummy: [],
    zerver_useractivity: [...lastVisits].map(([user_profile, last_visit], n) => ({
      id: n + 1,
      user_profile,
      last_visit,
    })),
    zerver_useractivityinterval: [],
    zerver_userpresence: [],
    zerver_usergroup: groupList.map(({ id }) => ({ id, realm: 2 })),
    zerver_namedusergroup: groupList.map((group) => ({
      usergroup_ptr: group.id,
      ...pick(group, ["id", "name", "description", "is_system_group", "deactivated"]),
    })),
    zerver_usergroupmembership: groupList.flatMap(({ id, members }) =>
      [...members].map((user_profile) => ({ user_group: id, user_profile })),
    ),
    zerver_groupgroupmembership: groupList.flatMap(({ id, subgroups }) =>
      [...subgroups].map((subgroup) => ({ supergroup: id, subgroup })),
    ),
    zerver_stream: [...channels.values()].map((channel) => ({
      id: channel.stream_id,
      ...pick(channel, ["name", "description", "invite_only", "is_web_public"]),
      ...pick(channel, ["history_public_to_subscribers", "message_retention_days"]),
      date_created: seconds(channel.date_created),
      creator: channel.creator_id,
      deactivated: channel.is_archived,
      recipient: channel.stream_id,
    })),
    zerver_channelfolder: [...state.folders.values()].map(({ id, name }) => ({ id, name, realm: 2 })),
    zerver_recipient: [...channels.keys()].map((id) => ({ id, type_id: id, type: 2 })),
    zerver_subscription: [...channels.values()].flatMap(({ stream_id, subscribers, unsubscribed }) => [
      ...[...subscribers].map((user) => subscription(stream_id, user, true)),
      ...[...unsubscribed].map((user) => subscription(stream_id, user, false)),
    ]),
  };
}

/** Makes the file of the newest export, unless the organization has a size for such files. */
export function storeExportFile(state: SandboxState, log: readonly AuditRow[]): void {
  const newest = [...state.exports.values()].at(-1);
  if (newest && state.organization.export_size === null) newest.bytes = exportFile(state, log, newest);
}

function exportFile(state: SandboxState, log: readonly AuditRow[], { id, export_time }: StoredExport): Uint8Array {
  const isPublic = (channel: number | null) => channel !== null && state.channels.get(channel)?.invite_only === false;
  const messages = [...state.messages.values()].filter(({ stream_id }) => isPublic(stream_id));
  const ids = new Set(messages.map(({ id }) => id));
  const files = {
    "realm.json": realm(state, log),
    "messages-000001.json": {
      zerver_message: messages.map(({ id, sender_id, stream_id, topic, content, date_sent }) => ({
        id,
        sender: sender_id,
        recipient: stream_id,
        subject: topic,
        content,
        date_sent: seconds(date_sent),
      })),
      zerver_usermessage: [],
    },
    "attachment.json": {
      zerver_attachment: [...state.attachments.values()]
        .filter(({ message_ids }) => message_ids.some((id) => ids.has(id)))
        .map(({ id, owner_id, name, path_id, size, create_time }) => ({
          id,
          file_name: name,
          path_id,
          owner: owner_id,
          size,
          create_time: seconds(create_time),
        })),
    },
    "stats.json": {},
    "migration_status.json": {},
  };
  // The bytes are stored, not deflated, so that every version of zlib gives the same size.
  return gzipSync(tarOf(`zulip-export-${id}`, files, export_time), { level: 0 });
}

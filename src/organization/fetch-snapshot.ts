/** Reads an organization with at most six requests, whatever its size. */
import { deleteQueue, register } from "../api/events.ts";
import { getFolders } from "../api/folders.ts";
import { getInvitations } from "../api/invitations.ts";
import type { Server } from "../client/server.ts";
import { membersOf } from "../common/object-members.ts";
import { asError, Refused, Unreachable } from "../errors.ts";
import { everyKind } from "../model/kinds/index.ts";
import { type Call, call } from "../wire/call.ts";
import { makeSnapshot, type Snapshot, seesOnlyPart } from "./snapshot.ts";

/**
 * The arguments of `register`. Without these capabilities servers silently omit linkifiers, archived channels and
 * deactivated groups. `realm_bot` is not requested: it contains the keys of all bots.
 */
export const snapshotParts = {
  event_types: [],
  fetch_event_types: [
    ...["realm", "realm_user_settings_defaults", "default_streams"],
    ...new Set(everyKind.flatMap(([, { registered }]) => registered?.parts ?? [])),
  ],
  include_subscribers: "true",
  client_gravatar: true,
  client_capabilities: {
    notification_settings_null: false,
    linkifier_url_template: true,
    include_deactivated_groups: true,
    archived_channels: true,
  },
};

/** Also requests when people were last active, without a time limit. */
const partsWithPresence = {
  ...snapshotParts,
  fetch_event_types: [...snapshotParts.fetch_event_types, "presence"],
  slim_presence: true,
  presence_history_limit_days: 36_500,
};

const folders = { include_archived: true };

/** Returns the calls that a dry run shows. The server names the queue when it creates it. */
export const readsOf = (level: number, { partial = false, findings = false } = {}): Call[] => [
  call(register, findings ? partsWithPresence : snapshotParts),
  call(deleteQueue, { queue_id: "<id of the queue>" }),
  ...(level < (getFolders.since ?? 0) ? [] : [call(getFolders, folders)]),
  ...(partial && !findings ? [] : [call(getInvitations, {})]),
];

interface SnapshotOptions {
  command: string;
  now: number;
  /** Accept an account that sees only a part, and leave out invitations. */
  partial?: boolean;
  /** False if invitations do not matter. Servers show them only to people, so a bot does not ask for them then. */
  invitations?: boolean;
  /** Also read what findings need: the last activity of people, and invitations if the account sees all of them. */
  findings?: boolean;
}

/** Returns whether the account of an answer of `register` is a bot. */
function isOwnBot({ user_id, realm_users }: Readonly<Record<string, unknown>>): boolean {
  const accounts = Array.isArray(realm_users) ? realm_users.map(membersOf) : [];
  return accounts.some((each) => each.user_id === user_id && each.is_bot === true);
}

/**
 * Takes a snapshot. Throws `Refused` for an account that does not see every private channel, unless `partial`: the
 * hidden channels would seem to be missing.
 */
export async function takeSnapshot(server: Server, options: SnapshotOptions): Promise<Snapshot> {
  const { command, findings } = options;
  const parts = findings ? partsWithPresence : snapshotParts;
  return snapshotFrom(server, await server.call(register, parts, { command }), options);
}

/** Takes a snapshot from an existing answer of `register`. */
export async function snapshotFrom(
  server: Server,
  registered: Readonly<Record<string, unknown>>,
  { command, now, partial = false, findings = false, invitations = true }: SnapshotOptions,
): Promise<Snapshot> {
  const { email = "", site, host } = server;
  const level = server.assumedLevel ?? Number(registered.zulip_feature_level ?? 0);
  const answer = { ...registered, zulip_feature_level: level };
  if (!partial && seesOnlyPart(answer))
    throw new Refused("only administrators and owners see the whole organization", {
      hint: `You are logged in as ${email}. Use another account with --profile.`,
    });
  const hasFolders = level >= (getFolders.since ?? 0);
  const channel_folders = hasFolders ? (await server.call(getFolders, folders, { command })).channel_folders : null;
  const isNeeded = invitations || !isOwnBot(answer);
  const readsInvites = isNeeded && (!partial || (findings && !seesOnlyPart(answer)));
  const invites = readsInvites ? (await server.call(getInvitations, {}, { command })).invites : [];
  try {
    return makeSnapshot({ taken: now, site, email, registered: answer, folders: channel_folders, invites });
  } catch (error) {
    throw new Unreachable(`unexpected answer from ${host}: ${asError(error).message}`, { cause: error });
  }
}

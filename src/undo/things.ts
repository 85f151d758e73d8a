/** What brings back a thing that a run made or removed. */

import { deactivateBot } from "../api/bots.ts";
import { archiveChannel, updateChannel } from "../api/channels.ts";
import { addDomain, removeDomain } from "../api/domains.ts";
import { createDrafts, removeDraft } from "../api/drafts.ts";
import { removeEmoji } from "../api/emoji.ts";
import { updateFolder } from "../api/folders.ts";
import { deactivateGroup, updateGroup } from "../api/groups.ts";
import { addLinkifier, removeLinkifier } from "../api/linkifiers.ts";
import { deactivateUser, reactivateUser } from "../api/people.ts";
import { addPlayground, removePlayground } from "../api/playgrounds.ts";
import { removeProfileField } from "../api/profile-fields.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { Effect } from "../model/setting.ts";
import type { AnyOperation } from "../wire/operation.ts";

type Args = Readonly<Record<string, unknown>>;

export interface Step {
  readonly operation: AnyOperation;
  readonly args: Args;
  /** The result in words. */
  readonly says: string;
  readonly destructive?: Effect;
}

interface Creation {
  /** The kind in the log's `thing`. */
  readonly kind: string;
  readonly removed: (id: unknown, entry: LogEntry) => Step;
}

const archived = (stream_id: unknown): Step => ({
  operation: archiveChannel,
  args: { stream_id },
  says: "archived",
  destructive: { says: "takes the channel from its subscribers" },
});

const archives: Creation = { kind: "channel", removed: archived };

const signsOut: Effect = { says: "logs them out everywhere" };
const stops: Effect = { says: "stops the bot" };

/** By operation, how a thing that it made is taken away. */
export const creations: Readonly<Record<string, Creation>> = {
  "channel.create": archives,
  "channel.subscribe": archives,
  "group.create": {
    kind: "group",
    removed: (user_group_id) => ({ operation: deactivateGroup, args: { user_group_id }, says: "deactivated" }),
  },
  "folder.create": {
    kind: "folder",
    removed: (channel_folder_id) => ({
      operation: updateFolder,
      args: { channel_folder_id, is_archived: true },
      says: "archived",
    }),
  },
  "users.create": {
    kind: "user",
    removed: (user_id) => ({
      operation: deactivateUser,
      args: { user_id },
      says: "deactivated",
      destructive: signsOut,
    }),
  },
  "bots.create": {
    kind: "user",
    removed: (bot_id) => ({
      operation: deactivateBot,
      args: { bot_id },
      says: "deactivated",
      destructive: stops,
    }),
  },
  "linkifier.add": {
    kind: "linkifier",
    removed: (filter_id) => ({ operation: removeLinkifier, args: { filter_id }, says: "removed" }),
  },
  "playground.add": {
    kind: "playground",
    removed: (playground_id) => ({ operation: removePlayground, args: { playground_id }, says: "removed" }),
  },
  "domain.add": {
    kind: "domain",
    removed: (_, { to = {} }) => ({ operation: removeDomain, args: { domain: to.domain }, says: "removed" }),
  },
  "emoji.add": {
    kind: "emoji",
    removed: (_, { at = {} }) => ({
      operation: removeEmoji,
      args: { emoji_name: at.emoji_name },
      says: "deactivated",
      destructive: { says: "cannot be undone again", irreversible: true },
    }),
  },
  "profile-field.create": {
    kind: "profile field",
    removed: (field_id) => ({
      operation: removeProfileField,
      args: { field_id },
      says: "removed",
      destructive: { says: "deletes everybody's values of it, and cannot be undone again", irreversible: true },
    }),
  },
  "drafts.add": {
    kind: "draft",
    removed: (draft_id) => ({ operation: removeDraft, args: { draft_id }, says: "removed" }),
  },
};

/** The ids of what an entry made. Things without ids have their names in the request. */
export const madeBy = ({ operation, ids, thing }: LogEntry): readonly unknown[] => {
  if (operation === "domain.add" || operation === "emoji.add") return [undefined];
  return operation === "channel.subscribe" && thing !== undefined ? [] : (ids ?? []);
};

interface Removal {
  readonly operation: AnyOperation;
  /** The arguments that the log keeps under other names, or not for this call. */
  readonly names: readonly string[];
  /** The member of the answer with the new id. */
  readonly id?: string;
}

/** By operation, how a thing that it removed is made again. */
export const removals: Readonly<Record<string, Removal>> = {
  "linkifier.rm": { operation: addLinkifier, names: Object.keys(addLinkifier.params), id: "id" },
  "playground.rm": { operation: addPlayground, names: Object.keys(addPlayground.params), id: "id" },
  "domain.rm": { operation: addDomain, names: Object.keys(addDomain.params) },
  "drafts.rm": { operation: createDrafts, names: Object.keys(createDrafts.params), id: "ids" },
};

/** By operation, the values that a call of their own sets back. */
export function switched(operation: string, name: string, from: unknown, at: Args, isBot: boolean): Step | undefined {
  const { stream_id, user_group_id } = at;
  const id = at.user_id ?? at.bot_id;
  if (name === "is_archived" && stream_id !== undefined) return from ? archived(stream_id) : unarchived(stream_id);
  if (name === "deactivated" && user_group_id !== undefined && operation.startsWith("group."))
    return from
      ? { operation: deactivateGroup, args: { user_group_id }, says: "deactivated" }
      : { operation: updateGroup, args: { user_group_id, deactivated: false }, says: "reactivated" };
  if (name !== "is_active") return undefined;
  if (from) return { operation: reactivateUser, args: { user_id: id }, says: "reactivated" };
  return isBot
    ? { operation: deactivateBot, args: { bot_id: id }, says: "deactivated", destructive: stops }
    : { operation: deactivateUser, args: { user_id: id }, says: "deactivated", destructive: signsOut };
}

const unarchived = (stream_id: unknown): Step => ({
  operation: updateChannel,
  args: { stream_id, is_archived: false },
  says: "out of the archive",
});

/** What takes away or brings back a thing that a run made, removed, archived or deactivated. */
import { createBot, deactivateBot, updateBot } from "../api/bots.ts";
import { archiveChannel, createChannel, updateChannel } from "../api/channels.ts";
import { addDomain, removeDomain } from "../api/domains.ts";
import { createDrafts, removeDraft } from "../api/drafts.ts";
import { addEmoji, removeEmoji } from "../api/emoji.ts";
import { createFolder, updateFolder } from "../api/folders.ts";
import { createGroup, deactivateGroup, updateGroup } from "../api/groups.ts";
import { addLinkifier, removeLinkifier } from "../api/linkifiers.ts";
import { createUser, deactivateUser, reactivateUser, updateUser } from "../api/people.ts";
import { addPlayground, removePlayground } from "../api/playgrounds.ts";
import { createProfileField, removeProfileField } from "../api/profile-fields.ts";
import { operationNamed } from "../api/registry.ts";
import { subscribe } from "../api/subscriptions.ts";
import type { LogEntry } from "../log/change-log.ts";
import { archivedChannel, deactivatedBot } from "../model/loss.ts";
import type { Effect } from "../model/setting.ts";
import type { AnyOperation } from "../wire/operation.ts";

export type Args = Readonly<Record<string, unknown>>;

export interface Step {
  readonly operation: AnyOperation;
  readonly args: Args;
  /** The result in words. */
  readonly says: string;
  readonly destructive?: Effect | undefined;
  /** The first feature level whose servers can bring the thing back. */
  readonly restoreSince?: number | undefined;
}

/** Returns the argument that identifies a thing: its id or name, which the path has. */
export const identified = ({ path }: AnyOperation, id: unknown): Args => {
  const [, name = ""] = /\{(\w+)\}/.exec(path) ?? [];
  return { [name]: id };
};

/** Makes the call about a thing from its id or name. */
const step =
  (operation: AnyOperation, says: string, more: Pick<Step, "destructive" | "restoreSince"> & { args?: Args } = {}) =>
  (id: unknown): Step => ({ ...more, operation, args: { ...more.args, ...identified(operation, id) }, says });

const archived = step(archiveChannel, "archived", {
  destructive: archivedChannel.effect,
  restoreSince: updateChannel.params.is_archived.since,
});
const unarchived = step(updateChannel, "unarchived", { args: { is_archived: false } });
const folderArchived = step(updateFolder, "archived", { args: { is_archived: true } });
const folderUnarchived = step(updateFolder, "unarchived", { args: { is_archived: false } });
const groupDeactivated = step(deactivateGroup, "deactivated", { restoreSince: updateGroup.params.deactivated.since });
const groupReactivated = step(updateGroup, "reactivated", { args: { deactivated: false } });
const signedOut = step(deactivateUser, "deactivated");
const stopped = step(deactivateBot, "deactivated", { destructive: deactivatedBot.effect });
const reactivated = step(reactivateUser, "reactivated");
const domainRemoved = step(removeDomain, "removed", {
  destructive: { says: "keeps people with its addresses out; without any domain, addresses of all domains may join" },
});
const emojiRemoved = step(removeEmoji, "deactivated", {
  destructive: { says: "cannot be undone again", irreversible: true },
});
const fieldRemoved = step(removeProfileField, "removed", {
  destructive: { says: "deletes everybody's values of it, and cannot be undone again", irreversible: true },
});

interface Creation {
  readonly kind: string;
  readonly removed: (id: unknown) => Step;
  /** The parameter that identifies a thing without an id. */
  readonly named?: string;
  /** The operation that states how the values of the thing are read, where `removed` does not. */
  readonly update?: AnyOperation;
}

/** By operation, how a thing that it made is taken away. */
const creations = new Map<AnyOperation | undefined, Creation>([
  [createChannel, { kind: "channel", removed: archived, update: updateChannel }],
  [subscribe, { kind: "channel", removed: archived, update: updateChannel }],
  [createGroup, { kind: "group", removed: groupDeactivated, update: updateGroup }],
  [createFolder, { kind: "folder", removed: folderArchived, update: updateFolder }],
  [createUser, { kind: "user", removed: signedOut, update: updateUser }],
  [createBot, { kind: "user", removed: stopped, update: updateBot }],
  [addLinkifier, { kind: "linkifier", removed: step(removeLinkifier, "removed") }],
  [addPlayground, { kind: "playground", removed: step(removePlayground, "removed") }],
  [addDomain, { kind: "domain", removed: domainRemoved, named: "domain" }],
  [addEmoji, { kind: "emoji", removed: emojiRemoved, named: "emoji_name" }],
  [createProfileField, { kind: "profile field", removed: fieldRemoved }],
  [createDrafts, { kind: "draft", removed: step(removeDraft, "removed") }],
]);

/** Returns how what an entry made is taken away. Undefined if it makes nothing, or only subscribes people. */
export function creationOf({ operation, thing }: LogEntry): Creation | undefined {
  const made = operationNamed(operation);
  return made === subscribe && thing !== undefined ? undefined : creations.get(made);
}

/** Tells things that runs made apart. */
export const madeKey = (entry: LogEntry, id: unknown): string => `${creationOf(entry)?.kind} ${id}`;

/** The ids, or the name, of what an entry made. */
export const madeBy = ({ named }: Creation, { ids = [], at, to }: LogEntry): readonly unknown[] =>
  named === undefined ? ids : [{ ...at, ...to }[named]];

/** By operation, what makes again what it removed. */
const removals = new Map<AnyOperation | undefined, { operation: AnyOperation; id?: string }>([
  [removeLinkifier, { operation: addLinkifier, id: "id" }],
  [removePlayground, { operation: addPlayground, id: "id" }],
  [removeDomain, { operation: addDomain }],
  [removeDraft, { operation: createDrafts, id: "ids" }],
]);

/** Returns what makes again what an entry removed. `id`: the member of the answer with the new id. */
export const removalOf = ({ operation }: LogEntry) => removals.get(operationNamed(operation));

/** Returns the call of its own that sets a value back. Undefined if the value is set like others. */
export function switched(name: string, from: unknown, at: Args, isBot: boolean): Step | undefined {
  const { stream_id, channel_folder_id, user_group_id, user_id, bot_id } = at;
  if (name === "is_archived" && stream_id !== undefined) return (from ? archived : unarchived)(stream_id);
  if (name === "is_archived" && channel_folder_id !== undefined)
    return (from ? folderArchived : folderUnarchived)(channel_folder_id);
  if (name === "deactivated" && user_group_id !== undefined)
    return (from ? groupDeactivated : groupReactivated)(user_group_id);
  return name === "is_active" ? (from ? reactivated : isBot ? stopped : signedOut)(user_id ?? bot_id) : undefined;
}

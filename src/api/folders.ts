import { foldFolderName, strip } from "../common/folding.ts";
import { channelFieldRows } from "../model/channel.ts";
import { call } from "../wire/call.ts";
import { ifKnown } from "../wire/impact.ts";
import { type AnswerOf, operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, integer, list, object, string, type Value } from "../wire/types.ts";

const { since } = channelFieldRows.folder_id;

export const folderSchema = object({ id: integer, name: string, description: string, is_archived: boolean });
export type Folder = Value<typeof folderSchema>;

/** https://zulip.com/api/get-channel-folders */
export const getFolders = operation("folder.list", "GET /channel_folders", {
  since,
  params: { include_archived: maybe(json(boolean)) },
  result: { channel_folders: list(folderSchema) },
});

/** https://zulip.com/api/update-channel-folder. Parameters are applied one by one. */
export const updateFolder = operation("folder.update", "PATCH /channel_folders/{channel_folder_id}", {
  effects: ({ channel_folder_id, is_archived }) =>
    ifKnown(channel_folder_id, (id) => (is_archived === true ? { does: "remove", kind: "folder", id } : [])),
  who: { role: "administrator" },
  since,
  params: {
    channel_folder_id: json(integer, { of: "folder" }),
    name: maybe(text({ doc: "The new name." })),
    description: maybe(text({ doc: "Markdown; may be empty." })),
    is_archived: maybe(json(boolean, { doc: "Archived or not." })),
  },
  applyOrder: ["name", "description", "is_archived"],
  before: {
    read: getFolders,
    argsOf: () => ({ include_archived: true }),
    inList: { list: "channel_folders", id: "id", idOf: ({ channel_folder_id }) => channel_folder_id },
    values: ({ name, description, is_archived }) => ({ name, description, is_archived }),
  },
});

/** https://zulip.com/api/create-channel-folder */
export const createFolder = operation("folder.create", "POST /channel_folders/create", {
  effects: { none: "adds a folder" },
  who: { role: "administrator" },
  since,
  params: {
    name: text(),
    description: text(),
  },
  result: { channel_folder_id: integer },
  existing: {
    kind: "folder",
    verb: "folder update",
    read: getFolders,
    argsOf: () => ({ include_archived: true }),
    // A new folder can have the name of an archived one.
    things: ({ channel_folders }: AnswerOf<typeof getFolders>) =>
      channel_folders.filter(({ is_archived }) => !is_archived),
    identity: ({ name }) => foldFolderName(String(name)),
    identityOf: ({ name }) => foldFolderName(strip(name)),
    id: "id",
    update: ({ id }, { description }) => call(updateFolder, { channel_folder_id: Number(id), description }),
  },
});

/** https://zulip.com/api/patch-channel-folders */
export const reorderFolders = operation("folder.reorder", "PATCH /channel_folders", {
  effects: { none: "only an order changes" },
  who: { role: "administrator" },
  since: 414,
  params: { order: json(list(integer), { of: "folder" }) },
  target: () => "folders",
  before: {
    read: getFolders,
    argsOf: () => ({ include_archived: true }),
    values: ({ channel_folders }: AnswerOf<typeof getFolders>) => ({ order: channel_folders.map(({ id }) => id) }),
  },
});

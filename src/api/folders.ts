import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, integer, list, object, string, type Value } from "../wire/types.ts";

/** https://zulip.com/api/create-channel-folder */
export const createFolder = operation({
  name: "folder.create",
  method: "POST",
  path: "/channel_folders/create",
  doc: "Create a channel folder.",
  since: 389,
  params: {
    name: text({ doc: "Not empty; stored as given." }),
    description: text({ doc: "Markdown; may be empty.", flag: "--description" }),
  },
  result: { channel_folder_id: integer },
});

const folder = object({ id: integer, name: string, description: string, is_archived: boolean });
export type Folder = Value<typeof folder>;

/** https://zulip.com/api/get-channel-folders */
export const getFolders = operation({
  name: "folder.list",
  method: "GET",
  path: "/channel_folders",
  doc: "Channel folders in their order.",
  since: 389,
  params: { include_archived: maybe(json(boolean, { doc: "Archived ones too." })) },
  result: { channel_folders: list(folder) },
});

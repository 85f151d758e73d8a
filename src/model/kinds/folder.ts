import { foldFolderName } from "../../common/folding.ts";
import type { Kind } from "./kind.ts";

export const folderKind = {
  one: "folder",
  plural: "folders",
  noun: "folder",
  key: ["name"],
  fold: foldFolderName,
  unique: { isFreed: true, countsItself: true },
  id: "id",
  title: "name",
  section: "folders",
  read: { operation: "folder.list", list: "channel_folders", args: { include_archived: true } },
  create: ["folder.create"],
  update: "folder.update",
  state: {
    member: "is_archived",
    inFile: "archived",
    value: true,
    archive: "archive",
    restore: "unarchive",
    events: ["archived", "restored"],
  },
  archive: { operation: "folder.update", args: { is_archived: true } },
  removalEffect: { says: "archives it", silent: true },
  restore: { operation: "folder.update", args: { is_archived: false } },
  reorder: "folder.reorder",
  namedByChannels: "folder_id",
  watched: ["name", "description", "is_archived"],
  events: {
    "channel_folder add": { record: "channel_folder" },
    "channel_folder update": { changed: "channel_folder_id" },
    "channel_folder reorder": { order: "order" },
  },
  log: {
    id: "modified_channel_folder",
    rows: [
      [901, "created", "created folder {target}"],
      [902, "renamed", "renamed folder {target} to {to}", { property: "name" }],
      [903, "described", "changed the description of folder {target}", { property: "description" }],
      [904, "archived", "archived folder {target}"],
      [905, "restored", "restored folder {target}"],
    ],
  },
  about: ["description"],
} as const satisfies Kind;

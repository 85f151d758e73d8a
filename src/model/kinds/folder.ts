import { foldFolderName } from "../../common/folding.ts";
import type { Kind } from "./kind.ts";

export const folder = {
  one: "folder",
  plural: "folders",
  noun: "folder",
  key: ["name"],
  fold: foldFolderName,
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
  restore: { operation: "folder.update", args: { is_archived: false } },
  reorder: "folder.reorder",
  namedByChannels: "folder_id",
  watched: ["name", "description", "is_archived"],
  events: {
    "channel_folder add": { record: "channel_folder" },
    "channel_folder update": { changed: "channel_folder_id" },
    "channel_folder reorder": { order: "order" },
  },
  log: "own",
  about: ["description"],
} as const satisfies Kind;

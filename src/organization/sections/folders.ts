import { reorderFolders, updateFolder } from "../../api/folders.ts";
import { foldFolderName } from "../../folding.ts";
import { filled } from "../shape.ts";
import type { Snapshot } from "../snapshot.ts";
import { attributesOf } from "./attributes.ts";
import { pinned, type Things } from "./section.ts";

type Folder = NonNullable<Snapshot["channel_folders"]>[number];

export const folders: Things<Folder> = {
  doc: "Channel folders, in their order.",
  holds: "things",
  one: "folder",
  called: "folders",
  key: ["name"],
  fold: foldFolderName,
  ordered: reorderFolders.since ?? 0,
  complete: true,
  away: { member: "archived", away: true, puts: "archive", brings: "unarchive" },
  members: {
    name: { shape: filled, doc: "The name.", needed: true, since: updateFolder.since },
    ...pinned,
    ...attributesOf(updateFolder, {
      without: ["channel_folder_id", "name"],
      as: { is_archived: "archived" },
      more: { archived: { doc: "true archives the folder, false unarchives it." } },
    }),
  },
  records: ({ channel_folders }) => channel_folders ?? [],
  put: (snapshot, records) => ({ ...snapshot, channel_folders: snapshot.channel_folders && [...records] }),
  id: ({ id }) => id,
  isAway: ({ is_archived }) => is_archived,
  attributes: () => ({ archived: () => undefined }),
  fresh: { description: "", is_archived: false },
};

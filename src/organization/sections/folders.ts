import { reorderFolders, updateFolder } from "../../api/folders.ts";
import { foldFolderName } from "../../folding.ts";
import { filled } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { pinned, type Things } from "./section.ts";

export const folders: Things = {
  doc: "Channel folders, in their order.",
  holds: "things",
  one: "folder",
  called: "folders",
  key: ["name"],
  fold: foldFolderName,
  ordered: reorderFolders.since!,
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
};

import { createFolder, reorderFolders, updateFolder } from "../../api/folders.ts";
import { foldFolderName } from "../../folding.ts";
import { phases } from "../order/phases.ts";
import { filled } from "../shape.ts";
import type { Snapshot } from "../snapshot.ts";
import { attributesOf } from "./attributes.ts";
import { creating, type Draft, nameIsFree, type Requests, renaming } from "./requests.ts";
import { pinned, type Things } from "./section.ts";

type Folder = NonNullable<Snapshot["channel_folders"]>[number];

/** Not one transaction: each attribute goes by itself. */
const requests: Requests = {
  create: ({ ids }, { name, to }) => {
    const id = ids.of("folders", { new: name });
    return [
      {
        ...creating,
        operation: createFolder,
        args: { name, description: to.description ?? "" },
        fields: Object.keys(to),
        does: "created",
        makes: { member: "channel_folder_id", id },
        needs: [nameIsFree("folders", foldFolderName(name))],
        provides: [`${id} is made`],
      },
    ];
  },
  update: (_, { id, action, fields }) => {
    const one = { operation: updateFolder, args: { channel_folder_id: id } };
    const drafts = fields
      .filter(({ field }) => field !== "archived")
      .map((change): Draft => {
        const { field, to } = change;
        const piece =
          field === "name"
            ? renaming("folders", id, change, { fold: foldFolderName, args: (name) => ({ name }) })
            : { fields: [field], args: { [field]: to } };
        return { ...one, part: field, phase: phases.collections, pieces: [piece] };
      });
    if (action === "archive" || action === "unarchive")
      drafts.push({
        ...one,
        part: action,
        phase: action === "archive" ? phases.removals + 0.1 : phases.collections,
        pieces: [{ fields: ["archived"], args: { is_archived: action === "archive" } }],
        does: `${action}d`,
        ...(action === "unarchive" && { provides: [`folder ${id} is in use`] }),
      });
    return drafts;
  },
  reorder: (order) => ({ operation: reorderFolders, args: { order } }),
};

export const folders: Things<Folder> = {
  doc: "Channel folders, in their order.",
  holds: "things",
  one: "folder",
  plural: "folders",
  key: ["name"],
  fold: foldFolderName,
  ordered: reorderFolders.since ?? 0,
  complete: true,
  archiving: { member: "archived", archived: true, archive: "archive", restore: "unarchive" },
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
  archivedIn:
    () =>
    ({ is_archived }) =>
      is_archived,
  attributes: () => ({ archived: () => undefined }),
  write: (field, value) => ({ [field === "archived" ? "is_archived" : field]: value }),
  fresh: () => ({ description: "", is_archived: false }),
  identify: (id) => ({ id }),
  requests,
};

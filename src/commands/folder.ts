import { createFolder, getFolders, reorderFolders, updateFolder } from "../api/folders.ts";
import { noun } from "../cli/noun.ts";
import { reorders } from "../cli/reorder.ts";
import { folderParameter, things } from "../cli/thing-parameters.ts";
import { markdown, newName, toggle } from "../cli/value-parameters.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";

export const folderNoun = noun("Channel folders", {
  create: changes(createFolder, {
    doc: "Create a channel folder",
    operands: { name: newName("stored as given") },
    flags: { description: markdown() },
    args: ({ name, description = "" }) => ({ name, description }),
    operations: ["folder.list", "folder.update"],
    target: "name",
    done: "Created folder {channel_folder_id}.",
    already: "Folder {target} exists already.",
    ids: "channel_folder_id",
    checkCommand: "folder list",
    examples: ["zulipctl folder create Teams --description 'One channel a team'"],
  }),

  update: changes(updateFolder, {
    doc: "Rename or describe a channel folder",
    operands: { folder: folderParameter() },
    flags: { newName: newName("the new name", "text"), description: markdown() },
    binds: { newName: "name" },
    someFlag: true,
    args: ({ folder, newName, description }) => ({ channel_folder_id: folder.id, name: newName, description }),
    target: "folder",
    done: "Updated folder {target}: {changed}.",
    checkCommand: "folder list --archived",
    examples: ["zulipctl folder update Projects --new-name Work"],
  }),

  archive: changesEach(updateFolder, {
    doc: "Archive channel folders, which must be empty",
    things: things("folder"),
    args: ({ id }) => ({ channel_folder_id: id, is_archived: true }),
    done: "Archived folder {target}.",
    already: "Folder {target} is archived already.",
    readsFirst: true,
    checkCommand: "folder list --archived",
    examples: ["zulipctl folder archive Past"],
  }),

  unarchive: changesEach(updateFolder, {
    doc: "Unarchive channel folders",
    things: things("folder", { restores: true }),
    args: ({ id }) => ({ channel_folder_id: id, is_archived: false }),
    done: "Unarchived folder {target}.",
    already: "Folder {target} is not archived.",
    readsFirst: true,
    checkCommand: "folder list --archived",
    examples: ["zulipctl folder unarchive Past"],
  }),

  reorder: reorders(reorderFolders, {
    doc: "Move channel folders to the front, in this order",
    noun: "folder",
    things: things("folder"),
    param: "order",
    checkCommand: "folder list --archived",
    examples: ["zulipctl folder reorder Past Projects"],
  }),

  list: lists(getFolders, {
    doc: "List channel folders in their order",
    operations: ["users.list"],
    flags: { archived: toggle("include archived ones") },
    args: ({ archived }) => ({ include_archived: archived }),
    records: ({ channel_folders }) => channel_folders,
    emptyFields: [
      "id",
      "name",
      "description",
      "rendered_description",
      "date_created",
      "creator_id",
      "is_archived",
      "order",
    ],
    id: "id",
    columns: ({ archived }) => ({
      ID: "id",
      NAME: { value: ({ name }) => name, style: ({ is_archived }) => (is_archived ? "dim" : undefined) },
      ARCHIVED: archived && { value: ({ is_archived }) => (is_archived ? "yes" : "") },
      DESCRIPTION: { value: ({ description }) => description, cut: true },
    }),
    examples: ["zulipctl folder list --archived"],
  }),
});

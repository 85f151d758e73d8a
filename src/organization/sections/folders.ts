import { createFolder, updateFolder } from "../../api/folders.ts";
import { foldFolderName } from "../../common/folding.ts";
import { nonEmptyShape } from "../attribute-shapes.ts";
import { phases } from "../order/phases.ts";
import type { Snapshot } from "../snapshot.ts";
import { createDraft, type RequestDraft, renamePiece, settingPiece, statedRequests, thingIsInUse } from "./requests.ts";
import { attributesOf, identityMembers, ofKind, type ThingsSection } from "./section.ts";

type FolderRecord = NonNullable<Snapshot["channel_folders"]>[number];

export const foldersSection: ThingsSection<FolderRecord> = {
  ...ofKind<FolderRecord>("folder"),
  doc: "Channel folders, in their order.",
  members: {
    name: { shape: nonEmptyShape, doc: "The name.", needed: true, since: updateFolder.since },
    ...identityMembers,
    ...attributesOf(updateFolder, {
      omit: ["channel_folder_id", "name"],
      names: { is_archived: "archived" },
      more: { archived: { doc: "true archives the folder, false unarchives it." } },
    }),
  },
  records: ({ channel_folders }) => channel_folders ?? [],
  withRecords: (snapshot, records) => ({ ...snapshot, channel_folders: snapshot.channel_folders && [...records] }),
  initialValues: () => ({ description: "", is_archived: false }),
  /** Servers apply attributes one by one, so each is a request of its own. */
  requests: {
    ...statedRequests("folder"),
    create: (context, creation) => {
      const { name, to } = creation;
      const args = { name, description: to.description ?? "" };
      const member = "channel_folder_id";
      return [createDraft(context, creation, { operation: createFolder, args, member, key: foldFolderName(name) })];
    },
    update: (_, { id, action, fields }) => {
      const one = { operation: updateFolder, args: { channel_folder_id: id }, phase: phases.collections };
      const drafts = fields.map((change): RequestDraft => {
        const { field, to } = change;
        const piece = field === "name" ? renamePiece("folders", id, change, foldFolderName) : settingPiece(field, to);
        return { ...one, pieces: [piece] };
      });
      if (action === "update") return drafts;
      const archives = action === "archive";
      const pieces = [settingPiece("archived", archives, "is_archived")];
      const timing = archives ? { phase: phases.folderArchiving } : { provides: [thingIsInUse("folder", id)] };
      return [...drafts, { ...one, result: `${action}d`, pieces, ...timing }];
    },
  },
};

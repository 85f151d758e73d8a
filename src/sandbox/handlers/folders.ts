import { createFolder, getFolders, reorderFolders, updateFolder } from "../../api/folders.ts";
import { foldFolderName, strip, upper } from "../../common/folding.ts";
import { badRequest, InternalError, requireFound } from "../answers.ts";
import { type Decoder, isBeyond64Bits, maxLength } from "../decode.ts";
import { renderDescription } from "../events/channels.ts";
import { sendToAll } from "../events/queue.ts";
import { addFolder } from "../organization.ts";
import { type HandlerContext, on, since } from "../router.ts";
import { nextId, type SandboxState, type StoredFolder } from "../state.ts";
import { checkStorable, unprintableAt } from "../text.ts";

export const folderRecord = ({ state, level }: HandlerContext, folder: StoredFolder): object => ({
  id: folder.id,
  name: folder.name,
  description: folder.description,
  rendered_description: renderDescription(state, folder.description),
  date_created: Math.floor(folder.date_created / 1000),
  creator_id: folder.creator_id,
  is_archived: folder.is_archived,
  ...since(level, 414, { order: folder.order }),
});

const sendFolderChanged = (context: HandlerContext, { id: channel_folder_id }: StoredFolder, data: object): void =>
  sendToAll(context, { type: "channel_folder", op: "update", channel_folder_id, data });

const activeFolders = ({ folders }: SandboxState): StoredFolder[] =>
  [...folders.values()].filter(({ is_archived }) => !is_archived);

/** A folder's own name counts too: in another case it is in use. */
function checkName(state: SandboxState, name: string): void {
  if (strip(name) === "") throw badRequest("Channel folder name can't be empty.");
  const at = unprintableAt(name);
  if (at !== undefined) throw badRequest(`Invalid character in channel folder name, at position ${at}.`);
  if (activeFolders(state).some((each) => upper(each.name) === upper(name))) {
    throw badRequest("Channel folder name already in use");
  }
}

/** The index of the database is stricter, but ignores archived folders. Nothing catches its error. */
function checkIndex(state: SandboxState, name: string, of?: StoredFolder): void {
  const isDuplicate = activeFolders(state).some(
    (each) => each !== of && foldFolderName(each.name) === foldFolderName(name),
  );
  if (isDuplicate) throw new InternalError();
}

const decode = {
  // The limit was 100 at first. The level of the change is unknown. From level 410 on, `register` shows 60.
  name: ((text, name, level) => maxLength(level < 410 ? 100 : 60)(text, name)) satisfies Decoder<string>,
  description: maxLength(1024),
};

export const folderRoutes = [
  on(createFolder, { decode }, (call, { name, description }) => {
    const { state, caller } = call;
    checkName(state, name);
    checkStorable(description);
    // A refusal of the database uses up the id.
    const id = nextId(state, "folder");
    checkIndex(state, name);
    const folder = addFolder(state, call, { id, name, description, creator_id: caller.user_id });
    sendToAll(call, { type: "channel_folder", op: "add", channel_folder: folderRecord(call, folder) });
    return { channel_folder_id: id };
  }),

  on(getFolders, {}, (call, { include_archived = false }) => ({
    channel_folders: [...call.state.folders.values()]
      .filter(({ is_archived }) => !is_archived || include_archived)
      .sort((a, b) => (call.level < 414 ? a.id - b.id : a.order - b.order))
      .map((folder) => folderRecord(call, folder)),
  })),

  // A refusal does not undo the steps before it.
  on(updateFolder, { decode }, (call, { channel_folder_id, name, description, is_archived }) => {
    const { state } = call;
    const folder = requireFound(state.folders.get(channel_folder_id), "Invalid channel folder ID");
    if (name !== undefined && name !== folder.name) {
      checkName(state, name);
      if (!folder.is_archived) checkIndex(state, name, folder);
      folder.name = name;
      sendFolderChanged(call, folder, { name });
    }
    if (description !== undefined && description !== folder.description) {
      checkStorable(description);
      folder.description = description;
      sendFolderChanged(call, folder, { description, rendered_description: renderDescription(state, description) });
    }
    if (is_archived !== undefined && is_archived !== folder.is_archived) {
      if (is_archived && [...state.channels.values()].some(({ folder_id }) => folder_id === folder.id)) {
        throw badRequest("You need to remove all the channels from this folder to archive it.");
      }
      if (!is_archived) checkIndex(state, folder.name);
      folder.is_archived = is_archived;
      sendFolderChanged(call, folder, { is_archived });
    }
  }),

  on(reorderFolders, {}, (call, { order }) => {
    const { folders } = call.state;
    if (order.some(isBeyond64Bits)) throw new InternalError();
    const knownIds = new Set(order.filter((id) => folders.has(id)));
    if (knownIds.size !== folders.size) throw badRequest("Invalid order mapping.");
    // For a duplicate id the last position counts. Unknown ids have a position too.
    for (const [position, id] of order.entries()) {
      const folder = folders.get(id);
      if (folder) folder.order = position;
    }
    if (call.level >= 418) sendToAll(call, { type: "channel_folder", op: "reorder", order });
  }),
];

import { createFolder, getFolders } from "../../api/folders.ts";
import { refused } from "../api-error.ts";
import { atMost } from "../decode.ts";
import { strip, unprintableAt } from "../names.ts";
import { type Call, on } from "../router.ts";
import { type Folder, nextId, type State } from "../state.ts";
import { rendered } from "./channels.ts";

function checkName({ folders }: State, name: string): void {
  if (strip(name) === "") throw refused("Channel folder name can't be empty.");
  const at = unprintableAt(name);
  if (at !== undefined) throw refused(`Invalid character in channel folder name, at position ${at}.`);
  const taken = [...folders.values()].some(
    (each) => !each.is_archived && each.name.toLowerCase() === name.toLowerCase(),
  );
  if (taken) throw refused("Channel folder name already in use");
}

const folderRecord = ({ state, level }: Call, folder: Folder): object => ({
  id: folder.id,
  name: folder.name,
  description: folder.description,
  rendered_description: rendered(state, folder.description),
  date_created: Math.floor(folder.date_created / 1000),
  creator_id: folder.creator_id,
  is_archived: folder.is_archived,
  ...(level >= 414 ? { order: folder.order } : {}),
});

export const folderRoutes = [
  on(
    createFolder,
    {
      who: "administrator",
      order: ["description", "name"],
      // The limit on names was 100 at first; when it fell is told only by the level at which `register` shows it.
      decode: {
        name: (text, name, level) => atMost(level < 410 ? 100 : 60)(text, name, level),
        description: atMost(1024),
      },
    },
    ({ state, caller, now }, { name, description }) => {
      checkName(state, name);
      const id = nextId(state, "folder");
      const made = {
        id,
        name,
        description,
        date_created: now,
        creator_id: caller.user_id,
        is_archived: false,
        order: id,
      };
      state.folders.set(id, made);
      return { channel_folder_id: id };
    },
  ),

  on(getFolders, {}, (call, { include_archived = false }) => ({
    channel_folders: [...call.state.folders.values()]
      .filter(({ is_archived }) => !is_archived || include_archived)
      .sort((a, b) => a.order - b.order)
      .map((folder) => folderRecord(call, folder)),
  })),
];

import { updateFolder } from "../../api/folders.ts";
import type { Change } from "../../engine/change.ts";
import { upper } from "../../folding.ts";
import { asideOf } from "../../organization/order/names.ts";
import { call } from "../../wire/call.ts";
import type { ArgsOf } from "../../wire/operation.ts";

/** A folder's own name in another case is taken, by itself: the folder gets it by way of a third name. */
export function renames(made: Change, { from, to }: { from: string | undefined; to: string }): Change[] {
  if (from === undefined || from === to || upper(from) !== upper(to)) return [made];
  const { channel_folder_id } = made.args as ArgsOf<typeof updateFolder>;
  const aside = asideOf({ id: channel_folder_id });
  const step = (one: string, other: string) => `rename "${one}" to "${other}"`;
  const first = call(updateFolder, { channel_folder_id, name: aside });
  return [
    { ...made, ...first, target: step(from, aside), done: "Folder {folder} renamed for a moment." },
    { ...made, target: step(aside, to), done: 'Updated folder "{folder}".' },
  ];
}

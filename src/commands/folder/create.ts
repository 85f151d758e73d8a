import { createFolder } from "../../api/folders.ts";
import { change } from "../../engine/change.ts";
import type { Context } from "../../shell/context.ts";
import type { Given } from "../../shell/given.ts";
import { textOf } from "../../shell/text.ts";

export async function create({ world }: Context, { description }: { description?: Given }, name: string) {
  return [
    change(
      createFolder,
      { name, description: description ? await textOf(world, "--description", description) : "" },
      {
        target: name,
        done: "Folder {channel_folder_id} created.",
        verifyWith: "zulipctl folder list",
        ids: "channel_folder_id",
      },
    ),
  ];
}

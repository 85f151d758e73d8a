import { createFolder } from "../../api/folders.ts";
import { change } from "../../engine/change.ts";
import type { Context } from "../../shell/context.ts";
import { textOf } from "../../shell/text.ts";

export async function create({ world }: Context, options: { description?: string }, name: string) {
  const description = await textOf(world, "--description", options.description ?? "");
  return [
    change(
      createFolder,
      { name, description },
      {
        target: name,
        sentence: ({ channel_folder_id }) => `Folder ${channel_folder_id} created.`,
        check: "zulipctl folder list",
        ids: ({ channel_folder_id }) => [channel_folder_id],
      },
    ),
  ];
}

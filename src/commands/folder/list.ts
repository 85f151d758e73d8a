import { type Folder, getFolders } from "../../api/folders.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../shell/context.ts";

export async function list({ ask }: Context, { archived }: { archived?: boolean }): Promise<Listing<Folder>> {
  const { channel_folders } = await ask(getFolders, { include_archived: archived });
  return {
    kind: "listing",
    records: channel_folders,
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "NAME", value: ({ name }) => name, style: ({ is_archived }) => (is_archived ? "dim" : undefined) },
      { head: "DESCRIPTION", value: ({ description }) => description },
    ],
  };
}

import type { Channel } from "../../api/channels.ts";
import type { Listing } from "../../output/form.ts";
import { readChannels } from "../../resolve/channels.ts";
import type { Context } from "../../run/context.ts";
import { labels, showsColumn } from "../../run/labels.ts";

type Shown = Channel & { is_default?: boolean; subscriber_count?: number };

const privacy = ({ invite_only, is_web_public }: Channel) =>
  is_web_public ? "web-public" : invite_only ? "private" : "public";

export async function list(context: Context, { archived = false }: { archived?: boolean }): Promise<Listing<Shown>> {
  const { ask, server } = context;
  const records = await readChannels(
    (operation, args) => ask(operation, args, { exclude_archived: "--archived" }),
    await (await server()).level(),
    {
      archived: archived && "surely",
      defaults: true,
    },
  );
  const filed = showsColumn(context, "FOLDER") ? records : [];
  const folder = await labels(
    context,
    "folder",
    filed.map(({ folder_id }) => folder_id),
  );
  return {
    kind: "listing",
    records,
    id: ({ stream_id }) => stream_id,
    columns: [
      { head: "ID", value: ({ stream_id }) => stream_id, align: "right" },
      { head: "NAME", value: ({ name }) => name, style: ({ is_archived }) => (is_archived ? "dim" : undefined) },
      { head: "PRIVACY", value: privacy, style: ({ is_web_public }) => (is_web_public ? "warn" : undefined) },
      { head: "DEFAULT", value: ({ is_default }) => (is_default ? "yes" : "") },
      { head: "FOLDER", value: ({ folder_id }) => folder_id && folder(folder_id) },
      { head: "SUBSCRIBERS", value: ({ subscriber_count }) => subscriber_count, align: "right" },
      ...(archived ? [{ head: "ARCHIVED", value: ({ is_archived }: Shown) => (is_archived ? "yes" : "") }] : []),
      { head: "DESCRIPTION", value: ({ description }) => description },
    ],
  };
}

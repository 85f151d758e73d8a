import { type Channel, getChannels } from "../../api/channels.ts";
import { getFolders } from "../../api/folders.ts";
import { formOf } from "../../argv/flags.ts";
import { type Columns, columnsOf } from "../../cli/columns.ts";
import type { Values } from "../../cli/word.ts";
import { arrives, type Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import type { listFlags } from "./words.ts";

type Wanted = Values<Record<never, never>, typeof listFlags>;

export const privacy = ({ invite_only, is_web_public }: Channel) =>
  is_web_public ? "web-public" : invite_only ? "private" : "public";

/** What the flags say that no server can be asked for; undefined where they say nothing of the kind. */
function filterOf({ folder, privacy: wanted, default: byDefault, match, inactive }: Wanted) {
  const text = match?.toLowerCase();
  const has = (word: string | undefined) => word?.toLowerCase().includes(text!);
  const tests: ((channel: Channel) => unknown)[] = [];
  if (folder === false) tests.push(({ folder_id }) => folder_id === null);
  if (folder) tests.push(({ folder_id }) => folder_id === folder.id);
  if (wanted) tests.push((channel) => privacy(channel) === wanted);
  if (byDefault) tests.push(({ is_default }) => is_default);
  if (text !== undefined) tests.push(({ name, description }) => has(name) || has(description));
  if (inactive) tests.push(({ is_recently_active }) => is_recently_active === false);
  return tests.length ? (channel: Channel) => tests.every((one) => one(channel)) : undefined;
}

/** As they arrive, where they are printed so. */
export async function read(context: Context, archived: boolean) {
  const args = { include_all: true, ...(archived && { exclude_archived: false }), include_default: true };
  if (arrives(formOf(context.flags))) return context.list(getChannels, args, "streams");
  return (await context.ask(getChannels, args)).streams;
}

const columns = (archived: boolean): Columns<Channel> => ({
  ID: "stream_id",
  NAME: { value: ({ name }) => name, style: ({ is_archived }) => (is_archived ? "dim" : undefined) },
  PRIVACY: { value: privacy, style: ({ is_web_public }) => (is_web_public ? "warn" : undefined) },
  DEFAULT: { value: ({ is_default }) => (is_default ? "yes" : ""), importance: "low" },
  FOLDER: { names: "folder", ids: ({ folder_id }) => folder_id },
  SUBSCRIBERS: { value: ({ subscriber_count }) => subscriber_count, align: "right" },
  ARCHIVED: archived ? { value: ({ is_archived }) => (is_archived ? "yes" : "") } : undefined,
  DESCRIPTION: { value: ({ description }) => description, cut: true },
});

export async function list(context: Context, values: Wanted): Promise<Listing<Channel>> {
  const { archived = false, folder } = values;
  if (folder !== undefined)
    await (await context.server()).featureLevel.require(getChannels, (level) =>
      level < getFolders.since! ? [{ flag: folder ? "--folder" : "--no-folder", needs: getFolders.since! }] : [],
    );
  const all = await read(context, archived);
  const wanted = filterOf(values);
  return listing(context, wanted ? all.filter(wanted) : all, archived);
}

/** Channels as a list shows them. */
export async function listing(
  context: Context,
  records: Channel[] | AsyncIterable<Channel>,
  archived = false,
): Promise<Listing<Channel>> {
  return {
    kind: "listing",
    records,
    id: "stream_id",
    columns: await columnsOf(context, columns(archived), {
      id: "stream_id",
      records: Array.isArray(records) ? records : [],
    }),
  };
}

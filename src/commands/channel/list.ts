import { allChannelsArgs, type Channel, type ChannelRecord, getChannel, getChannels } from "../../api/channels.ts";
import { getFolders } from "../../api/folders.ts";
import { getMessages, newestMessages } from "../../api/messages.ts";
import { getSubscribers } from "../../api/subscribers.ts";
import { outputForm } from "../../argv/global-flags.ts";
import { type Columns, columnsOf, singleRecord } from "../../cli/columns.ts";
import { fieldsOfEmpty, filtering } from "../../cli/empty-list.ts";
import type { FlagValues } from "../../cli/parameter.ts";
import { archivedSince } from "../../client/archived-channel.ts";
import type { Server } from "../../client/server.ts";
import { counted } from "../../common/counted.ts";
import { containsText } from "../../common/folding.ts";
import { day } from "../../common/unit-sizes.ts";
import { Refused } from "../../errors.ts";
import { channelPermissions, channelToggleRules, plainToggles, privacyOf } from "../../model/channel.ts";
import { valueForPeople } from "../../model/field.ts";
import { type Column, isStreamed, type Listing } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { isoOrNull, timeCell } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { showsColumn } from "../../run/labels.ts";
import type { NamedThing } from "../../run/named-thing.ts";
import { type ListedPerson, readPeople, userColumns } from "../users/list.ts";
import { withoutListed } from "../users/not-in.ts";
import type { channelListFlags } from "./flags.ts";

type Options = FlagValues<typeof channelListFlags>;

/** Returns the filter that servers do not support. Undefined if no flag needs one. */
function filterOf(options: Options) {
  const { folder, match, inactive } = options;
  const contains = (word: string | undefined) => word !== undefined && containsText(word, match ?? "");
  if ([folder, options.privacy, options.default, match, inactive].every((flag) => flag === undefined)) return undefined;
  return (channel: Channel): boolean =>
    (folder === undefined || channel.folder_id === (folder ? folder.id : null)) &&
    (options.privacy === undefined || privacyOf(channel) === options.privacy) &&
    (!options.default || channel.is_default === true) &&
    (match === undefined || contains(`#${channel.name}`) || contains(channel.description)) &&
    (!inactive || channel.is_recently_active === false);
}

/** Streams channels if they are printed as a stream. */
async function readChannels(context: Context, archived: boolean) {
  const args = { include_all: true, ...(archived && { exclude_archived: false }), include_default: true };
  if (isStreamed(outputForm(context.flags)) && !showsColumn(context, "FOLDER"))
    return context.list(getChannels, args, "streams");
  return (await context.ask(getChannels, args)).streams;
}

const columns = (archived: boolean): Columns<Channel> => ({
  ID: "stream_id",
  NAME: { value: ({ name }) => name, style: ({ is_archived }) => (is_archived ? "dim" : undefined) },
  PRIVACY: { value: privacyOf, style: ({ is_web_public }) => (is_web_public ? "warn" : undefined) },
  DEFAULT: { value: ({ is_default }) => (is_default ? "yes" : ""), importance: "low" },
  FOLDER: { names: "folder", ids: ({ folder_id }) => folder_id },
  SUBSCRIBERS: { value: ({ subscriber_count }) => subscriber_count, align: "right" },
  ARCHIVED: archived ? { value: ({ is_archived }) => (is_archived ? "yes" : "") } : undefined,
  DESCRIPTION: { value: ({ description }) => description, cut: true },
});

/** `last_message`: ISO 8601, or null without a message that the account may read. */
type ActiveChannel = Channel & { last_message: string | null };

/** The period of `stream_weekly_traffic`, in milliseconds. */
const trafficPeriod = 28 * day;

/** Ignores Notification Bot, which writes when a channel is renamed or archived. */
const newestMessage = (id: number) =>
  newestMessages([
    { operator: "channel", operand: id },
    { operator: "sender", operand: "notification-bot@zulip.com", negated: true },
  ]);

/** Returns whether the list entry shows that the channel is newer than `before`, or had a message since. */
function isActiveSince(channel: Channel, before: number, now: number): boolean {
  const { date_created: created, stream_weekly_traffic: traffic } = channel;
  return (
    (typeof created === "number" && created * 1000 >= before) ||
    (typeof traffic === "number" && traffic > 0 && before <= now - trafficPeriod)
  );
}

/** Only subscribers can read it, so an empty search proves nothing. */
const isUnknown = ({ invite_only, last_message }: ActiveChannel): boolean =>
  invite_only === true && last_message === null;

const lastMessageText = (channel: ActiveChannel): string =>
  channel.last_message ?? (isUnknown(channel) ? "unknown" : "never");

/**
 * `before`: keeps only channels without a message since then, in milliseconds. A notice names channels that are
 * unknown.
 */
async function withActivity(
  context: Context,
  channels: readonly Channel[],
  before: number | undefined,
): Promise<ActiveChannel[]> {
  const { world, waits } = context;
  const now = world.clock.now();
  const candidates = before === undefined ? channels : channels.filter((one) => !isActiveSince(one, before, now));
  const server = await context.server();
  const records: ActiveChannel[] = [];
  const wait = waits.begin();
  try {
    for (const [n, channel] of candidates.entries()) {
      wait.update({ what: `reading the last message of channel ${n + 1} of ${candidates.length}` });
      const { messages } = await server.call(getMessages, newestMessage(channel.stream_id), { command: "--activity" });
      const seconds = messages.at(-1)?.timestamp;
      records.push({ ...channel, last_message: isoOrNull(seconds) });
    }
  } finally {
    wait.end();
  }
  if (before === undefined) return records;
  const unknownCount = records.filter(isUnknown).length;
  if (unknownCount)
    await context.note(
      programLine(
        `skipped ${counted(unknownCount, "private channel")} whose last message is unknown: this account cannot read it`,
      ),
    );
  return records.filter(
    (channel) => !isUnknown(channel) && (channel.last_message === null || Date.parse(channel.last_message) < before),
  );
}

const lastMessage: Column<ActiveChannel> = {
  head: "LAST MESSAGE",
  value: (channel) => (channel.last_message === null ? lastMessageText(channel) : timeCell(channel.last_message)),
  importance: "high",
};

export async function listChannels(
  context: Context,
  values: Options,
): Promise<Listing<Channel> | Listing<ActiveChannel>> {
  const { archived = false, folder, activity, inactiveFor } = values;
  if (folder !== undefined)
    await (await context.server()).featureLevel.require(getChannels, (level) =>
      level < getFolders.since! ? [{ flag: folder ? "--folder" : "--no-folder", needs: getFolders.since! }] : [],
    );
  const filter = filterOf(values);
  if (!activity && inactiveFor === undefined) {
    const all = await readChannels(context, archived);
    const { keep, emptyFields } = filtering(getChannels, filter ?? (() => true));
    return { ...(await channelListing(context, filter ? all.filter(keep) : all, archived)), emptyFields };
  }
  const channels: Channel[] = [];
  for await (const channel of await readChannels(context, archived))
    if (filter?.(channel) ?? true) channels.push(channel);
  const active = await channelListing(context, await withActivity(context, channels, inactiveFor), archived);
  const emptyFields = () => [...fieldsOfEmpty(getChannels, channels)(), "last_message"];
  return { ...active, columns: [...active.columns, lastMessage], emptyFields };
}

export async function channelListing<C extends Channel>(
  context: Context,
  records: C[] | AsyncIterable<C>,
  archived = false,
): Promise<Listing<C>> {
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

const yesNo = (value: boolean | undefined) => (value === undefined ? undefined : value ? "yes" : "no");

const fields = (record: ChannelRecord): Columns<ChannelRecord> => ({
  ID: "stream_id",
  Name: "name",
  Description: "description",
  Privacy: { value: privacyOf },
  History: {
    value: ({ history_public_to_subscribers: isShared }) =>
      isShared === undefined ? undefined : isShared ? "shared" : "from joining on",
  },
  Archived: { value: ({ is_archived }) => yesNo(is_archived) },
  Folder: { names: "folder", ids: ({ folder_id }) => folder_id },
  Subscribers: "subscriber_count",
  Creator: { names: "user", ids: ({ creator_id }) => creator_id },
  Created: { value: ({ date_created }) => timeCell(date_created) },
  Retention: { value: ({ message_retention_days: days }) => valueForPeople("message_retention_days", days) },
  Topics: "topics_policy",
  ...Object.fromEntries(
    plainToggles
      .filter((name) => record[name] !== undefined)
      .map((name) => [
        channelToggleRules[name].heading ?? name,
        { value: (channel: ChannelRecord) => yesNo(channel[name]) },
      ]),
  ),
  ...Object.fromEntries(
    channelPermissions
      .filter((setting) => record[setting] !== undefined)
      .map((setting) => [setting, { who: (channel: ChannelRecord) => channel[setting] }]),
  ),
});

async function recordOf({ ask, server }: Context, stream_id: number): Promise<ChannelRecord> {
  try {
    return (await ask(getChannel, { stream_id })).stream;
  } catch (error) {
    const to = await server();
    // Servers refuse an archived channel like a missing one.
    if (!(error instanceof Refused && error.details.httpStatus === 400 && (await to.level()) < archivedSince))
      throw error;
    const { streams } = await to.call(getChannels, allChannelsArgs);
    const channel = streams.find((channel) => channel.stream_id === stream_id);
    if (!channel) throw error;
    return channel;
  }
}

export async function showChannel(context: Context, { channel }: { channel: NamedThing }) {
  const record = await recordOf(context, channel.id);
  return singleRecord(context, record, { id: "stream_id", fields: fields(record) });
}

/** Lists subscribers as `users list` does. */
export async function showSubscribers(
  context: Context,
  { id: stream_id }: { id: number },
  { notIn, allowEmpty }: Readonly<Record<string, unknown>> = {},
): Promise<Listing<ListedPerson>> {
  const { subscribers } = await context.ask(getSubscribers, { stream_id });
  const listing: Listing<ListedPerson> = {
    kind: "listing",
    records: await readPeople(context, subscribers, "<channel>"),
    id: ({ user_id }) => user_id,
    columns: userColumns,
  };
  return withoutListed(context, listing, notIn, allowEmpty);
}

/** Describes what archiving the channels takes. */
export async function describeChannels(server: Server): Promise<[id: number, description: string][]> {
  const { streams } = await server.call(getChannels, { ...allChannelsArgs, include_default: true });
  return streams.map(({ stream_id, name, subscriber_count: count, is_default }) => {
    const details = [count === undefined ? "" : counted(count, "subscriber"), is_default ? "a default channel" : ""];
    return [stream_id, `"${name}" (${details.filter(Boolean).join(", ")})`];
  });
}

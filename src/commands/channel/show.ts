import { channelPermissions } from "../../api/channel-settings.ts";
import { type ChannelRecord, getChannel } from "../../api/channels.ts";
import { type Columns, single } from "../../cli/columns.ts";
import { channel as channelWord } from "../../cli/kinds.ts";
import { valuesOf } from "../../cli/word.ts";
import { counted } from "../../counted.ts";
import { orUndefined, Refused } from "../../errors.ts";
import { when } from "../../output/when.ts";
import { readChannels } from "../../resolve/channels.ts";
import type { Context } from "../../run/context.ts";
import { privacy } from "./list.ts";

/** From this level on one channel can be asked for, and from the other on an archived one too. */
const [one, archivedOne] = [132, 480];

function retention({ message_retention_days: days }: ChannelRecord): string | undefined {
  if (days === undefined) return undefined;
  if (days === null) return "as the organization's";
  return days === -1 ? "for ever" : counted(days, "day");
}

const yesNo = (value: boolean | undefined) => (value === undefined ? undefined : value ? "yes" : "no");

const fields = (record: ChannelRecord): Columns<ChannelRecord> => ({
  ID: "stream_id",
  Name: "name",
  Description: "description",
  Privacy: { value: privacy },
  History: {
    value: ({ history_public_to_subscribers: open }) =>
      open === undefined ? undefined : open ? "shared" : "from joining on",
  },
  Archived: { value: ({ is_archived }) => yesNo(is_archived) },
  Folder: { names: "folder", ids: ({ folder_id }) => folder_id },
  Subscribers: "subscriber_count",
  Creator: { names: "user", ids: ({ creator_id }) => creator_id },
  Created: { value: ({ date_created }) => when(date_created) },
  Retention: { value: retention },
  Topics: "topics_policy",
  ...Object.fromEntries(
    channelPermissions
      .filter((setting) => record[setting] !== undefined)
      .map((setting) => [setting, { who: (shown: ChannelRecord) => shown[setting] }]),
  ),
});

/** Every channel, as the list of them tells each. */
async function all({ ask, server }: Context, level: number): Promise<ChannelRecord[]> {
  const call = (await server()).call.bind(await server()) as Context["ask"];
  return readChannels(level < one ? ask : call, level, { archived: true });
}

async function recordOf(context: Context, stream_id: number, typed: string): Promise<ChannelRecord> {
  const level = await (await context.server()).level();
  const see = "See what there is: zulipctl channel list --archived";
  const unknown = () => new Refused(`there is no channel ${stream_id} that this account can see`, { hint: see });
  if (level < one) return among(await all(context, level), stream_id, typed, unknown());
  try {
    return (await context.ask(getChannel, { stream_id })).stream;
  } catch (error) {
    if (!(error instanceof Refused && error.details.httpStatus === 400)) throw error;
    // An archived one is refused like one that there is not.
    if (level < archivedOne) return among(await all(context, level), stream_id, typed, error);
    const channels = number.test(typed) ? await orUndefined(all(context, level)) : undefined;
    return among(channels ?? [], undefined, typed, error);
  }
}

const number = /^\d+$/;

/** Throws the refusal where there is none of the id, and says so where one is called by that number. */
function among(
  channels: readonly ChannelRecord[],
  id: number | undefined,
  typed: string,
  refused: Refused,
): ChannelRecord {
  const found = channels.find(({ stream_id }) => stream_id === id);
  if (found) return found;
  if (number.test(typed) && channels.some(({ name }) => name === typed))
    refused.details.hint = `A number is an id. For the channel of that name: zulipctl channel show name:${typed}`;
  throw refused;
}

export async function show(context: Context, _: object, typed: string) {
  const words = { operands: { channel: channelWord() }, flags: {} };
  const { channel } = await valuesOf(context, words, { operands: [typed], flags: {} });
  const record = await recordOf(context, channel.id, typed);
  return single(context, record, { id: "stream_id", fields: fields(record) });
}

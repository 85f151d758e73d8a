import { type ChannelRecord, everyChannel, getChannel, getChannels } from "../../api/channels.ts";
import { channelPermissions } from "../../api/permission-settings.ts";
import { type Columns, single } from "../../cli/columns.ts";
import type { Named } from "../../cli/kinds.ts";
import { counted } from "../../counted.ts";
import { Refused } from "../../errors.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { privacy } from "./list.ts";

/** From this level on an archived channel can be asked for alone. */
const archivedOne = 480;

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

async function recordOf({ ask, server }: Context, stream_id: number): Promise<ChannelRecord> {
  try {
    return (await ask(getChannel, { stream_id })).stream;
  } catch (error) {
    const to = await server();
    // An archived one is refused like one that there is not.
    if (!(error instanceof Refused && error.details.httpStatus === 400 && (await to.level()) < archivedOne))
      throw error;
    const { streams } = await to.call(getChannels, everyChannel);
    const found = streams.find((channel) => channel.stream_id === stream_id);
    if (!found) throw error;
    return found;
  }
}

export async function show(context: Context, { channel }: { channel: Named }) {
  const record = await recordOf(context, channel.id);
  return single(context, record, { id: "stream_id", fields: fields(record) });
}

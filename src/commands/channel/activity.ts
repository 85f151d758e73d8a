/** Finds the last message of each channel. Channels whose list entry is not enough need a read each. */
import type { Channel } from "../../api/channels.ts";
import { getMessages, newestOf } from "../../api/messages.ts";
import { counted } from "../../counted.ts";
import type { Context } from "../../run/context.ts";

/** `last_message`: ISO 8601, or null without a message that the account may read. */
export type ActiveChannel = Channel & { last_message: string | null };

const day = 86_400_000;
/** Servers count messages for each week. In milliseconds. */
const counting = 28 * day;

/** Ignores Notification Bot, which writes when a channel is renamed or archived. */
const newest = (id: number) =>
  newestOf([
    { operator: "channel", operand: id },
    { operator: "sender", operand: "notification-bot@zulip.com", negated: true },
  ]);

/** Returns whether the list entry shows that the channel is newer than `before`, or had a message since. */
function isActiveSince(channel: Channel, before: number, now: number): boolean {
  const { date_created: created, stream_weekly_traffic: traffic } = channel;
  return (
    (typeof created === "number" && created * 1000 >= before) ||
    (typeof traffic === "number" && traffic > 0 && before <= now - counting)
  );
}

/** Only subscribers can read it, so an empty search proves nothing. */
const isUnknown = ({ invite_only, last_message }: ActiveChannel): boolean =>
  invite_only === true && last_message === null;

export const lastMessageText = (channel: ActiveChannel): string =>
  channel.last_message ?? (isUnknown(channel) ? "unknown" : "never");

/**
 * `before`: keeps only channels without a message since then, in milliseconds. A notice names channels that are
 * unknown.
 */
export async function withActivity(
  context: Context,
  channels: readonly Channel[],
  before: number | undefined,
): Promise<ActiveChannel[]> {
  const { world, waits } = context;
  const now = world.clock.now();
  const open = before === undefined ? channels : channels.filter((each) => !isActiveSince(each, before, now));
  const server = await context.server();
  const found: ActiveChannel[] = [];
  const waiting = waits.begin();
  try {
    for (const [n, channel] of open.entries()) {
      waiting.now({ what: `reading the last message of channel ${n + 1} of ${open.length}` });
      const { messages } = await server.call(getMessages, newest(channel.stream_id), { command: "--activity" });
      const seconds = messages.at(-1)?.timestamp;
      found.push({ ...channel, last_message: seconds === undefined ? null : new Date(seconds * 1000).toISOString() });
    }
  } finally {
    waiting.end();
  }
  if (before === undefined) return found;
  const unknown = found.filter(isUnknown).length;
  if (unknown)
    await context.note(
      `zulipctl: left out ${counted(unknown, "private channel")} whose last message is unknown: this account cannot read it`,
    );
  return found.filter(
    (each) => !isUnknown(each) && (each.last_message === null || Date.parse(each.last_message) < before),
  );
}

/**
 * Creates channels by subscribing people. If the name exists, servers subscribe people to that channel and return no
 * id. So this looks up the name before the call, and the id after it.
 */
import { createChannel } from "../api/channel-creation.ts";
import { allChannelsArgs, getChannelId, getChannels } from "../api/channels.ts";
import type { Server } from "../client/server.ts";
import { foldChannelName, strip } from "../common/folding.ts";
import { membersOf } from "../common/object-members.ts";
import { commandLine } from "../common/shell-words.ts";
import { type Failure, Partial, Refused, undefinedOnFailure } from "../errors.ts";
import { unambiguousName } from "../notation/name.ts";

/**
 * Throws `Partial` if the answer shows that the channel existed. People may be subscribed then. They are not removed,
 * since they may have been subscribed before.
 */
function checkCreated(answer: Record<string, unknown>, desiredName: string): void {
  const namesIn = (member: string) =>
    Object.values(membersOf(answer[member]))
      .flat()
      .filter((name) => typeof name === "string");
  const [subscribed, already] = [namesIn("subscribed"), namesIn("already_subscribed")];
  const other = already[0] ?? subscribed.find((name) => name !== strip(desiredName));
  if (subscribed.length && other === undefined) return;
  const name = other ?? strip(desiredName);
  const message = `channel "${name}" existed already: nothing was created, and people may have been subscribed to it`;
  throw new Partial(message, {
    outcome: "unknown",
    hint: `See who is in it: ${commandLine(["channel", "subscribers", unambiguousName(name)])}`,
    more: { existed: name },
  });
}

/** Returns why the channel cannot be created: the name exists, perhaps archived. */
export async function refusalOf(server: Server, name: string): Promise<Failure | undefined> {
  const { streams } = await server.call(getChannels, allChannelsArgs);
  const there = streams.find((each) => foldChannelName(each.name) === foldChannelName(name));
  if (!there) return undefined;
  return new Refused(`channel "${name}" already exists (${there.stream_id})`, {
    outcome: "not_sent",
    hint: `${server.host}, below feature level ${createChannel.since}, would subscribe people to that one.`,
  });
}

/** Reads the id of a new channel. Undefined if this fails. */
export async function createdChannel(
  server: Server,
  name: string,
  answer: Record<string, unknown>,
): Promise<{ id?: number }> {
  checkCreated(answer, name);
  const found = await undefinedOnFailure(server.call(getChannelId, { stream: strip(name) }));
  return found ? { id: found.stream_id } : {};
}

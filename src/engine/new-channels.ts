/**
 * Channels created by a call that subscribes: where one of that name exists, the call subscribes people to that one, and it
 * returns no id. So the name is looked up before the call, and the id after it.
 */
import { everyChannel, getChannelId, getChannels } from "../api/channels.ts";
import type { Server } from "../client/server.ts";
import { Failure, Partial, Refused } from "../errors.ts";
import { foldChannelName, strip } from "../folding.ts";
import { spelled } from "../notation/name.ts";
import { commandLine } from "../notation/shell-words.ts";

/**
 * Throws `Partial` where an answer says that the channel was there before: it names another one, says that somebody was
 * in it, or names none. People may have been subscribed then, and must not be taken out again: they may have been in it.
 */
function checkCreated(answer: Record<string, unknown>, wanted: string): void {
  const namesIn = (member: string) => Object.values<string[]>(Object(answer[member])).flat();
  const [subscribed, already] = [namesIn("subscribed"), namesIn("already_subscribed")];
  const other = already[0] ?? subscribed.find((name) => name !== strip(wanted));
  if (subscribed.length && other === undefined) return;
  const name = other ?? strip(wanted);
  const message = `channel "${name}" existed already: nothing was created, and people may have been subscribed to it`;
  throw new Partial(message, {
    outcome: "unknown",
    hint: `See who is in it: ${commandLine(["channel", "subscribers", spelled(name)])}`,
    more: { existed: name },
  });
}

/** Why the channel cannot be created: there is one of that name, perhaps an archived one. */
export async function refusalOf(server: Server, name: string): Promise<Failure | undefined> {
  const { streams } = await server.call(getChannels, everyChannel);
  const there = streams.find((each) => foldChannelName(each.name) === foldChannelName(name));
  if (!there) return undefined;
  return new Refused(`there is a channel "${name}" already (${there.stream_id})`, {
    outcome: "not_sent",
    hint: `${server.host}, below feature level 417, would subscribe people to that one.`,
  });
}

/** The id of a channel that was created, as the `answer` shows; nothing where that cannot be read. */
export async function createdChannel(
  server: Server,
  name: string,
  answer: Record<string, unknown>,
): Promise<{ id?: number }> {
  checkCreated(answer, name);
  try {
    return { id: (await server.call(getChannelId, { stream: strip(name) })).stream_id };
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return {};
  }
}

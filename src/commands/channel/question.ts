import type { Channel } from "../../api/channels.ts";
import type { Named } from "../../cli/kinds.ts";
import { Refused } from "../../errors.ts";
import { readChannels } from "../../resolve/channels.ts";
import type { Context } from "../../run/context.ts";

/** As many are told by name; more would hide the question. */
const most = 5;

const people = (count: number) => `${count} subscriber${count === 1 ? "" : "s"}`;

function told({ typed, id }: Named, known: ReadonlyMap<number, Channel>): string {
  const { name, subscriber_count, is_default } = known.get(id) ?? {};
  if (name === undefined) return `${typed} (none that this account can see)`;
  const more = [subscriber_count !== undefined && people(subscriber_count), is_default && "a default channel"].filter(
    Boolean,
  );
  return more.length ? `${name} (${more.join("; ")})` : name;
}

/** The question with names and subscribers; as they were typed where these cannot be read. */
export async function question({ server }: Context, all: readonly Named[], otherwise: string): Promise<string> {
  const to = await server();
  let channels: Channel[];
  try {
    const wish = { archived: true, defaults: true };
    channels = await readChannels((operation, args) => to.call(operation, args), await to.level(), wish);
  } catch (error) {
    if (error instanceof Refused) return otherwise;
    throw error;
  }
  const known = new Map(channels.map((channel) => [channel.stream_id, channel]));
  const some = all.slice(0, most).map((channel) => told(channel, known));
  if (all.length === 1) return `This archives channel ${some[0]}, and nobody can post there any more`;
  const more = all.length > most ? ` and ${all.length - most} more` : "";
  return `This archives ${all.length} channels, and nobody can post there any more: ${some.join(", ")}${more}`;
}

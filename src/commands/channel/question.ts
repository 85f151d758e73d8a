import type { Channel } from "../../api/channels.ts";
import type { Named } from "../../cli/kinds.ts";
import { questionAbout } from "../../cli/question.ts";
import { counted } from "../../counted.ts";
import { readChannels } from "../../resolve/channels.ts";

function told({ typed }: Named, { name, subscriber_count, is_default }: Partial<Channel> = {}): string {
  if (name === undefined) return `${typed} (none that this account can see)`;
  const more = [
    subscriber_count !== undefined && counted(subscriber_count, "subscriber"),
    is_default && "a default channel",
  ].filter(Boolean);
  return more.length ? `${name} (${more.join("; ")})` : name;
}

/** With names and subscribers. */
export const question = questionAbout<Named>({
  async read(server) {
    const wish = { archived: true, defaults: true };
    const channels = await readChannels((operation, args) => server.call(operation, args), await server.level(), wish);
    const known = new Map(channels.map((channel) => [channel.stream_id, channel]));
    return (channel) => told(channel, known.get(channel.id));
  },
  one: (channel) => `This archives channel ${channel}, and nobody can post there any more`,
  several: (count, channels) => `This archives ${count} channels, and nobody can post there any more: ${channels}`,
});

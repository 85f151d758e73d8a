/**
 * Channels made by a call that subscribes: one of that name that is there already it would take in its place, and it
 * does not tell the id. So the one is looked for before it is sent, the other read afterwards.
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

export class NewChannels {
  readonly #server: Server;
  /** Ids by name: those that there are, read once, and those made since, whose ids may not be known. */
  #there: Promise<Map<string, number | undefined>> | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  async #read(): Promise<Map<string, number | undefined>> {
    const server = this.#server;
    const { streams } = await server.call(getChannels, everyChannel);
    return new Map(streams.map(({ name, stream_id }) => [foldChannelName(name), stream_id]));
  }

  /** Throws `Refused` where there is one of that name, archived ones too. From now on there is. */
  async claim(name: string): Promise<void> {
    this.#there ??= this.#read();
    const there = await this.#there.catch((error) => {
      this.#there = undefined;
      throw error;
    });
    if (there.has(foldChannelName(name))) {
      const id = there.get(foldChannelName(name));
      throw new Refused(`there is a channel "${name}" already${id === undefined ? "" : ` (${id})`}`, {
        outcome: "not_sent",
        hint: `${this.#server.host}, below feature level 417, would subscribe people to that one.`,
      });
    }
    there.set(foldChannelName(name), undefined);
  }

  /** It was not made. */
  release(name: string): void {
    void this.#there?.then((there) => there.delete(foldChannelName(name)));
  }

  /** What tells the one that was made, as the `answer` shows; nothing where that cannot be read. */
  async made(name: string, answer: Record<string, unknown>): Promise<{ id?: number }> {
    checkCreated(answer, name);
    try {
      return { id: (await this.#server.call(getChannelId, { stream: strip(name) })).stream_id };
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      return {};
    }
  }
}

/**
 * Channels made by a call that subscribes: one of that name that is there already it would take in its place, and it
 * does not tell the id. So the one is looked for before it is sent, the other read afterwards.
 */
import { getChannelId } from "../api/channels.ts";
import type { Server } from "../client/server.ts";
import { Failure, Refused } from "../errors.ts";
import { readChannels } from "../resolve/channels.ts";

const key = (name: string) => name.trim().toLowerCase();

export class NewChannels {
  readonly #server: Server;
  /** Ids by name: those that there are, read once, and those made since, whose ids may not be known. */
  #there: Promise<Map<string, number | undefined>> | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  async #read(): Promise<Map<string, number | undefined>> {
    const server = this.#server;
    const wish = { archived: true };
    const all = await readChannels((operation, args) => server.call(operation, args), await server.level(), wish);
    return new Map(all.map(({ name, stream_id }) => [key(name), stream_id]));
  }

  /** Throws `Refused` where there is one of that name, archived ones too. From now on there is. */
  async claim(name: string): Promise<void> {
    this.#there ??= this.#read();
    const there = await this.#there.catch((error) => {
      this.#there = undefined;
      throw error;
    });
    if (there.has(key(name))) {
      const id = there.get(key(name));
      throw new Refused(`there is a channel "${name}" already${id === undefined ? "" : ` (${id})`}`, {
        outcome: "not_sent",
        hint: `${this.#server.host}, below feature level 417, would subscribe people to that one.`,
      });
    }
    there.set(key(name), undefined);
  }

  /** It was not made. */
  release(name: string): void {
    void this.#there?.then((there) => there.delete(key(name)));
  }

  /** What tells the one that was made; nothing where that cannot be read. */
  async made(name: string): Promise<{ id?: number }> {
    try {
      return { id: (await this.#server.call(getChannelId, { stream: name.trim() })).stream_id };
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      return {};
    }
  }
}

/** Keeps the names in what was read, for completion. What keeps them is loaded once there are some. */

import type { Sender } from "../client/sending.ts";
import type { Heard } from "../resolve/kept-names.ts";
import type { Call } from "../wire/call.ts";
import type { World } from "../world.ts";

/** Reads that give all of a kind. */
const lists = ["channel.list", "group.list", "folder.list", "users.list", "linkifier.list"];

export class Listener {
  readonly #world: World;
  readonly #heard = new Map<string, Heard>();

  constructor(world: World) {
    this.#world = world;
  }

  hear({ site, email }: Sender, asked: Call, answer: Record<string, unknown>): void {
    const { name } = asked.operation;
    // What a server in memory holds is gone with it.
    if (!lists.includes(name) || email === undefined || site === this.#world.env.ZULIPCTL_SANDBOX) return;
    this.#heard.set(`${site} ${email} ${name}`, { by: { site, email }, asked, answer });
  }

  /** Never throws: completion then knows what it knew before. */
  async close(): Promise<void> {
    if (!this.#heard.size) return;
    const { keepNames } = await import("../resolve/kept-names.ts");
    await keepNames(this.#world, [...this.#heard.values()]).catch(() => undefined);
  }
}

/**
 * Keeps the names in what was read, for completion. What keeps them is loaded once there are some. Records that are
 * printed as they arrive are not among them: to hold, sort and write the names of 100,000 people would take a third as
 * long again as to print their records, and all the memory that is saved by printing them so.
 */
import type { Sender } from "../client/sending.ts";
import type { Heard } from "../resolve/kept-names.ts";
import type { Call } from "../wire/call.ts";
import type { World } from "../world.ts";

/** Reads that give all of a kind. */
const lists = [
  ...["channel.list", "group.list", "folder.list", "users.list", "linkifier.list"],
  ...["drafts.list", "export.list", "attachment.list", "invite.list", "profile-field.list"],
];

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

  /** Writes down what was heard; throws where that fails. */
  async keep(): Promise<void> {
    const heard = [...this.#heard.values()];
    this.#heard.clear();
    if (!heard.length) return;
    const { keepNames } = await import("../resolve/kept-names.ts");
    await keepNames(this.#world, heard);
  }
}

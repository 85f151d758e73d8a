/**
 * Keeps names from answers for completion. Lists that are streamed are skipped: keeping 100,000 names would take a
 * third longer, and the memory that streaming saves.
 */
import type { Sender } from "../client/sending-types.ts";
import { nameListOf } from "../resolve/name-lists.ts";
import type { ReadList } from "../resolve/saved-names.ts";
import type { Call } from "../wire/call.ts";
import type { World } from "../world/world.ts";

export class NameCollector {
  readonly #answers = new Map<string, ReadList>();

  constructor(private readonly world: World) {}

  add({ site, email }: Sender, call: Call, answer: Record<string, unknown>): void {
    const list = nameListOf(call.operation.name, call.args);
    // A server in memory ends with the process.
    if (!list || email === undefined || site === this.world.env.ZULIPCTL_SANDBOX) return;
    this.#answers.set(`${site} ${email} ${list.name}`, { account: { site, email }, call, answer });
  }

  /** Saves the names. Throws if that fails. */
  async keep(): Promise<void> {
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    if (!answers.length) return;
    const { saveNames } = await import("../resolve/saved-names.ts");
    await saveNames(this.world, answers);
  }
}

/** Reads again when everything is over, and says what is in force and what is not. */
import { counted, firstOf } from "../../../counted.ts";
import type { Finished } from "../../../engine/reorder-buffer.ts";
import { keyOf } from "../../../engine/task.ts";
import { Failure, Partial } from "../../../errors.ts";
import type { Layout, Order } from "../../../organization/apply/steps.ts";
import { calledIn } from "../../../organization/called.ts";
import { judge } from "../../../organization/judgement.ts";
import { regained, returningIn } from "../../../organization/returning.ts";
import type { Snapshot } from "../../../organization/snapshot.ts";
import type { Context } from "../../../run/context.ts";
import { takes } from "../snapshot.ts";
import type { Applying, Files } from "./asked.ts";
import type { Begun } from "./begin.ts";
import type { MadeSoFar } from "./made.ts";

export class Verification {
  readonly #context: Context;
  readonly #layout: Layout;
  readonly #order: Order;
  readonly #made: MadeSoFar;
  readonly #files: Files | undefined;
  readonly #verifyWith: string;
  /** The differences, by number, that are told to be done. */
  readonly #done = new Set<number>();
  #sent = false;

  constructor(
    context: Context,
    { layout, made }: Pick<Begun, "layout" | "made">,
    { order, files }: Pick<Applying, "order" | "files">,
    verifyWith: string,
  ) {
    this.#context = context;
    this.#layout = layout;
    this.#order = order;
    this.#made = made;
    this.#files = files;
    this.#verifyWith = verifyWith;
  }

  learn({ row: { row }, results }: Finished): void {
    const of = this.#layout.differences[row - 1]!;
    if (results.every(({ outcome }) => outcome === "done")) this.#done.add(of);
    this.#sent ||= results.some((result) => result.outcome !== "not_sent" && !("unchanged" in result));
    const maker = this.#layout.maker(of);
    const made = maker && results.find((_, part) => keyOf(row, part) === maker.key);
    if (made) this.#made.learn(of, made);
  }

  /** The failure to end with. `failed` is what the changes themselves ended with, `stopped` why nothing more was sent. */
  async ending(failed: Failure | undefined, stopped: Failure | undefined): Promise<Failure | undefined> {
    const { note, warn } = this.#context;
    if (!this.#sent || stopped) return failed;
    const { differences } = this.#order;
    const snapshot = await takes(this.#context).catch((error) => {
      if (!(error instanceof Failure)) throw error;
      return error;
    });
    if (snapshot instanceof Failure) {
      await warn(`zulipctl: what is in force now cannot be read: ${snapshot.message}`);
      return failed;
    }
    const judged = judge(snapshot, differences, this.#made);
    const lacking = differences.flatMap((difference, of) => (judged[of]!.is === "done" ? [] : [{ of, difference }]));
    const names = (some: typeof lacking) =>
      firstOf(
        some.map(({ difference }) => calledIn(difference)),
        10,
      );
    const all = counted(differences.length, "change");
    if (!lacking.length) {
      await note(`zulipctl: read again: all is in force`);
      return failed ?? (await this.#returned(snapshot));
    }
    const counts = `read again: ${differences.length - lacking.length} of ${all} in force`;
    await note(`zulipctl: ${counts}; not in force: ${names(lacking)}`);
    const open = lacking.filter(({ of }) => this.#done.has(of));
    if (failed) return failed;
    if (!open.length) return this.#returned(snapshot);
    return new Partial(`the server took these, and they are not in force: ${names(open)}`, {
      hint: `See what differs with: ${this.#verifyWith}`,
    });
  }

  /** What those who came back stand in again, and by the files should not. */
  async #returned(snapshot: Snapshot): Promise<Failure | undefined> {
    const returning = returningIn(this.#order.differences);
    if (!returning.size) return undefined;
    if (!this.#files) {
      const says = "people came back, and stand again in lists and permissions that did not show them";
      await this.#context.note(`zulipctl: ${says}: plan again from the files`);
      return undefined;
    }
    const regain = regained(snapshot, this.#files, returning).map(calledIn);
    if (!regain.length) return undefined;
    return new Partial(`people came back into what the files keep them out of: ${firstOf(regain, 10)}`, {
      hint: "Nobody could see that before they were back: apply the files once more.",
    });
  }
}

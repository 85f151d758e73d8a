/** Reads again when everything is over, and says what is in force and what is not. */
import { counted, firstOf } from "../../../counted.ts";
import type { Finished } from "../../../engine/task.ts";
import { keyOf } from "../../../engine/task.ts";
import { Failure, Partial, Unknown } from "../../../errors.ts";
import type { Layout, Order } from "../../../organization/apply/steps.ts";
import { calledIn, labelOf } from "../../../organization/called.ts";
import type { Difference } from "../../../organization/difference.ts";
import type { Judgement } from "../../../organization/judgement/verdict.ts";
import { judge } from "../../../organization/judgement.ts";
import { regained, returningIn } from "../../../organization/returning.ts";
import type { Snapshot } from "../../../organization/snapshot.ts";
import type { Context } from "../../../run/context.ts";
import { takes } from "../snapshot.ts";
import type { Applying, Files } from "./asked.ts";
import type { Begun } from "./begin.ts";
import type { MadeSoFar } from "./made.ts";

interface Looked {
  readonly difference: Difference;
  readonly judgement: Judgement;
}

const wished = (difference: Difference): readonly string[] =>
  "fields" in difference
    ? difference.fields.map(labelOf)
    : difference.action === "create"
      ? Object.keys(difference.to)
      : [];

/** The attributes that are not as they should be, where others of the same thing are. */
function stillLacks({ difference, judgement }: Looked): readonly string[] {
  if (judgement.is !== "open" || !("fields" in judgement.left)) return [];
  const left = wished(judgement.left);
  return left.length < wished(difference).length ? left : [];
}

/** `channel design (is_web_public)`. */
function named(looked: Looked): string {
  const left = stillLacks(looked);
  return `${calledIn(looked.difference)}${left.length ? ` (${firstOf(left, 10)})` : ""}`;
}

export class Verification {
  readonly #context: Context;
  readonly #layout: Layout;
  readonly #order: Order;
  readonly #made: MadeSoFar;
  readonly #files: Files | undefined;
  readonly #verifyWith: string;
  /** The differences, by number, that are told to be done. */
  readonly #done = new Set<number>();
  /** Those of which a request got no answer. */
  readonly #unanswered = new Set<number>();
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
    if (results.some(({ outcome }) => outcome === "unknown")) this.#unanswered.add(of);
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
      await warn(`zulipctl: cannot read the current state: ${snapshot.message}`);
      return failed;
    }
    const judged = judge(snapshot, differences, this.#made);
    const looked = differences.map((difference, of) => ({ of, difference, judgement: judged[of]! }));
    const lacking = looked.filter(({ judgement }) => judgement.is !== "done");
    const names = (some: typeof looked) => firstOf(some.map(named), 10);
    const found = looked.filter(({ of, judgement }) => this.#unanswered.has(of) && judgement.is === "done");
    if (failed instanceof Unknown && found.length)
      failed.message += `. It is applied now, but it is unknown by whom: ${names(found)}`;
    const all = counted(differences.length, "change");
    if (!lacking.length) {
      await note(`zulipctl: verified: everything is applied`);
      return failed ?? (await this.#returned(snapshot));
    }
    const parts = lacking.filter((each) => stillLacks(each).length).length;
    const counts = `verified: ${differences.length - lacking.length} of ${all} applied${parts ? `, ${parts} in part` : ""}`;
    await note(`zulipctl: ${counts}; not applied: ${names(lacking)}`);
    const open = lacking.filter(({ of }) => this.#done.has(of));
    if (failed) return failed;
    if (!open.length) return this.#returned(snapshot);
    return new Partial(`the server accepted these changes, but they are not applied: ${names(open)}`, {
      hint: `See the differences with: ${this.#verifyWith}`,
    });
  }

  /** What those who came back stand in again, and by the files should not. */
  async #returned(snapshot: Snapshot): Promise<Failure | undefined> {
    const returning = returningIn(this.#order.differences);
    if (!returning.size) return undefined;
    if (!this.#files) {
      const says = "people were reactivated and appear again in lists and permissions";
      await this.#context.note(`zulipctl: ${says}: plan again`);
      return undefined;
    }
    const regain = regained(snapshot, this.#files.content, returning).map(calledIn);
    if (!regain.length) return undefined;
    return new Partial(`people were reactivated into lists that the files keep them out of: ${firstOf(regain, 10)}`, {
      hint: "Apply the files again.",
    });
  }
}

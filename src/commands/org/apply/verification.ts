/** Compares a third time when everything was sent, and says what is applied and what is not. */
import { counted, firstOf } from "../../../counted.ts";
import type { Finished } from "../../../engine/task.ts";
import { Failure, Partial, Unknown } from "../../../errors.ts";
import { compare } from "../../../organization/compare.ts";
import type { Difference } from "../../../organization/difference.ts";
import { calledIn, labelOf } from "../../../organization/labels.ts";
import { findingIn, sameField } from "../../../organization/recheck.ts";
import type { Context } from "../../../run/context.ts";
import { takes } from "../snapshot.ts";
import type { Input } from "./input.ts";
import type { Rows } from "./rows.ts";

interface Open {
  readonly row: number;
  readonly difference: Difference;
  /** The attributes that still differ, where others of the same thing are as they should be. */
  readonly fields: readonly string[];
}

const fieldsOf = (one: Difference): readonly string[] =>
  "fields" in one ? one.fields.map(labelOf) : one.action === "create" ? Object.keys(one.to) : [];

/** What of a difference is left; undefined where nothing is. */
function leftOf(difference: Difference, left: Difference): readonly string[] | undefined {
  if (!("fields" in left)) return left.action === difference.action || left.action === "create" ? [] : undefined;
  const fields = left.fields.filter((change) =>
    "fields" in difference
      ? difference.fields.some((each) => sameField(each, change))
      : difference.action === "create" && Object.hasOwn(difference.to, change.field),
  );
  if (!fields.length) return left.action !== "update" && left.action === difference.action ? [] : undefined;
  return fields.length < fieldsOf(difference).length ? fields.map(labelOf) : [];
}

/** `channel design (is_web_public)`. */
const named = ({ difference, fields }: Pick<Open, "difference" | "fields">): string =>
  `${calledIn(difference)}${fields.length ? ` (${firstOf(fields, 10)})` : ""}`;

export class Verification {
  readonly #context: Context;
  readonly #input: Input;
  readonly #rows: Rows;
  readonly #verifyWith: string;
  /** Rows that were reported as done, and those of which a request got no answer. */
  readonly #done = new Set<number>();
  readonly #unanswered = new Set<number>();
  #sent = false;

  constructor(context: Context, input: Input, rows: Rows, verifyWith: string) {
    this.#context = context;
    this.#input = input;
    this.#rows = rows;
    this.#verifyWith = verifyWith;
  }

  learn({ row: { row }, results }: Finished): void {
    if (results.every(({ outcome }) => outcome === "done")) this.#done.add(row);
    if (results.some(({ outcome }) => outcome === "unknown")) this.#unanswered.add(row);
    this.#sent ||= results.some(
      (result) =>
        result.outcome !== "not_sent" &&
        !("unchanged" in result) &&
        !("failure" in result && result.failure.kind === "conflict"),
    );
  }

  /** The failure to end with. `failed` is what the changes themselves ended with, `stopped` why nothing more was sent. */
  async ending(failed: Failure | undefined, stopped: Failure | undefined): Promise<Failure | undefined> {
    const { note, warn } = this.#context;
    if (!this.#sent || stopped) return failed;
    const snapshot = await takes(this.#context).catch((error) => {
      if (!(error instanceof Failure)) throw error;
      return error;
    });
    if (snapshot instanceof Failure) {
      await warn(`zulipctl: cannot read the current state: ${snapshot.message}`);
      return failed;
    }
    const { content, prune } = this.#input;
    const { differences: left, problems } = compare(snapshot, content, { prune });
    const leftAbout = findingIn(left);
    const { differences } = this.#rows;
    const concerned = new Set<Difference>();
    const open = differences.flatMap((difference, n): Open[] => {
      const found = leftAbout(difference).flatMap((each) => {
        const fields = leftOf(difference, each);
        if (fields) concerned.add(each);
        return fields ? [fields] : [];
      });
      return found.length ? [{ row: n + 1, difference, fields: found.flat() }] : [];
    });
    const rows = new Set(open.map(({ row }) => row));
    const found = differences.filter((_, n) => this.#unanswered.has(n + 1) && !rows.has(n + 1));
    const names = (all: readonly Difference[]) => firstOf(all.map(calledIn), 10);
    if (failed instanceof Unknown && found.length && !problems.length)
      failed.message += `. It is applied now, but it is unknown by whom: ${names(found)}`;
    const others = left.filter((each) => !concerned.has(each));
    const besides = [...problems.map(({ says }) => says), ...others.map(calledIn)];
    if (!open.length && !besides.length) {
      await note("zulipctl: verified: everything is applied");
      return failed;
    }
    if (open.length) {
      const parts = open.filter(({ fields }) => fields.length).length;
      const all = counted(differences.length, "change");
      const counts = `${differences.length - open.length} of ${all} applied${parts ? `, ${parts} in part` : ""}`;
      await note(`zulipctl: verified: ${counts}; not applied: ${firstOf(open.map(named), 10)}`);
    }
    if (failed && besides.length) await note(`zulipctl: this differs from the files too: ${firstOf(besides, 10)}`);
    if (failed) return failed;
    const hint = `See the differences with: ${this.#verifyWith}`;
    const reactivated = differences.some(({ section, action }) => section === "people" && action === "reactivate");
    const lost = open.filter(({ row }) => this.#done.has(row)).map(named);
    if (reactivated && (lost.length || besides.length))
      return new Partial(
        `people were reactivated, and this differs from the files now: ${firstOf([...lost, ...besides], 10)}`,
        { hint: "Apply the files again." },
      );
    if (lost.length)
      return new Partial(`the server accepted these changes, but they are not applied: ${firstOf(lost, 10)}`, { hint });
    return besides.length
      ? new Partial(`this differs from the files now: ${firstOf(besides, 10)}`, { hint })
      : undefined;
  }
}

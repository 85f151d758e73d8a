/** Compares a third time after all requests, and reports what is applied and what is not. */
import { counted, joinFirst } from "../../../counted.ts";
import type { Finished } from "../../../engine/task.ts";
import { Failure, Partial, Unknown } from "../../../errors.ts";
import type { Difference } from "../../../organization/difference.ts";
import { labelOf, titleOf } from "../../../organization/file.ts";
import { findSameThing, isSameField } from "../../../organization/recheck.ts";
import type { Context } from "../../../run/context.ts";
import { fetchSnapshot } from "../snapshot.ts";
import type { Input } from "./input.ts";
import type { Rows } from "./steps.ts";

/** Returns the attributes that still differ, or none if all do. Undefined if nothing differs. */
function remainingFields(difference: Difference, left: Difference): readonly string[] | undefined {
  if (!("fields" in left)) return left.action === difference.action || left.action === "create" ? [] : undefined;
  const created = difference.action === "create" ? Object.keys(difference.to) : [];
  const all = "fields" in difference ? difference.fields : [];
  const fields = left.fields.filter(
    (change) => created.includes(change.field) || all.some((each) => isSameField(each, change)),
  );
  if (!fields.length) return left.action !== "update" && left.action === difference.action ? [] : undefined;
  return fields.length < all.length + created.length ? fields.map(labelOf) : [];
}

/** Collects the results of changes, then reads the organization and compares. */
export function verification(context: Context, input: Input, { differences }: Rows) {
  const { note, warn } = context;
  /** Rows reported as done, and rows with a request without an answer. */
  const [done, unanswered] = [new Set<number>(), new Set<number>()];
  let sent = false;

  function collect({ row: { row }, results }: Finished): void {
    if (results.every(({ outcome }) => outcome === "done")) done.add(row - 1);
    if (results.some(({ outcome }) => outcome === "unknown")) unanswered.add(row - 1);
    sent ||= results.some(
      (result) =>
        result.outcome !== "not_sent" &&
        !("unchanged" in result) &&
        !("failure" in result && result.failure.kind === "conflict"),
    );
  }

  /** Returns the failure to end with. `failed`: the failure of the changes. `stopped`: why sending stopped. */
  async function verify(failed: Failure | undefined, stopped: Failure | undefined): Promise<Failure | undefined> {
    if (!sent || stopped) return failed;
    const snapshot = await fetchSnapshot(context).catch((error) => {
      if (!(error instanceof Failure)) throw error;
      return error;
    });
    if (snapshot instanceof Failure) {
      await warn(`zulipctl: cannot read the current state: ${snapshot.message}`);
      return failed;
    }
    const { differences: remaining, problems } = input.remaining(snapshot);
    const explained = new Set<Difference>();
    /** By row, what still differs: `channel design (is_web_public)`. */
    const unapplied = new Map<number, string>();
    let parts = 0;
    for (const [row, difference] of differences.entries()) {
      const found = findSameThing(difference, remaining).flatMap((each) => {
        const fields = remainingFields(difference, each);
        if (fields) explained.add(each);
        return fields ? [fields] : [];
      });
      const fields = found.flat();
      if (fields.length) parts++;
      if (found.length)
        unapplied.set(row, `${titleOf(difference)}${fields.length ? ` (${joinFirst(fields, 10)})` : ""}`);
    }
    const found = differences.filter((_, row) => unanswered.has(row) && !unapplied.has(row));
    if (failed instanceof Unknown && found.length && !problems.length)
      failed.message += `. It is applied now, but it is unknown by whom: ${joinFirst(found.map(titleOf), 10)}`;
    const others = remaining.filter((each) => !explained.has(each));
    const otherRemaining = [...problems.map(({ message }) => message), ...others.map(titleOf)];
    if (!unapplied.size && !otherRemaining.length) {
      await note("zulipctl: verified: everything is applied");
      return failed;
    }
    if (unapplied.size) {
      const { length } = differences;
      const counts = `${length - unapplied.size} of ${counted(length, "change")} applied${parts ? `, ${parts} in part` : ""}`;
      await note(`zulipctl: verified: ${counts}; not applied: ${joinFirst([...unapplied.values()], 10)}`);
    }
    if (failed && otherRemaining.length)
      await note(`zulipctl: this ${input.differs} too: ${joinFirst(otherRemaining, 10)}`);
    if (failed) return failed;
    const hint = `See the differences with: ${input.verifyWith}`;
    const reactivated = differences.some((one) => one.section === "people" && one.action === "reactivate");
    // A list can name a bot only after it is created.
    const created = differences.some((one) => one.section === "bots" && one.action === "create");
    const ineffective = [...unapplied].flatMap(([row, what]) => (done.has(row) ? [what] : []));
    if ((reactivated || created) && (ineffective.length || otherRemaining.length)) {
      const says = `${reactivated ? "people were reactivated" : "bots were created"}, and this ${input.differs} now: ${joinFirst([...ineffective, ...otherRemaining], 10)}`;
      return new Partial(says, { hint: "Apply the files again." });
    }
    if (ineffective.length)
      return new Partial(`the server accepted these changes, but they are not applied: ${joinFirst(ineffective, 10)}`, {
        hint,
      });
    if (!otherRemaining.length) return undefined;
    return new Partial(`this ${input.differs} now: ${joinFirst(otherRemaining, 10)}`, { hint });
  }

  return { learn: collect, ending: verify };
}

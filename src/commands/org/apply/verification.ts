/** Compares a third time after all requests, and reports what is applied and what is not. */

import { counted, joinFirst } from "../../../common/counted.ts";
import type { Finished } from "../../../engine/task.ts";
import { type Failure, Partial, Unknown } from "../../../errors.ts";
import { type Difference, fieldsOf } from "../../../organization/difference.ts";
import { groupMembershipIn } from "../../../organization/group-members.ts";
import { guardsOf } from "../../../organization/guards.ts";
import { inStartOrder, orderRequests } from "../../../organization/order.ts";
import { predict } from "../../../organization/prediction.ts";
import { aboutAccounts, findSameThing, isSameField, newAccounts } from "../../../organization/recheck.ts";
import { hasAccounts } from "../../../organization/section-names.ts";
import { differenceTitle, labelOf } from "../../../organization/section-registry.ts";
import { programLine } from "../../../output/line.ts";
import type { Context } from "../../../run/context.ts";
import { warnUnread } from "../../../run/journal/run-with-journal.ts";
import type { MoreRows } from "../../../run/journal/run-work.ts";
import { endVerified, notInEffect } from "../../../run/journal/verified.ts";
import { fetchSnapshot } from "../read.ts";
import type { ApplyInput } from "./apply-input.ts";
import { moreRows } from "./apply-rows.ts";

/** Returns the attributes that still differ, or none if all do. Undefined if nothing differs. */
function remainingFields(difference: Difference, left: Difference): readonly string[] | undefined {
  if (!("fields" in left)) return left.action === difference.action || left.action === "create" ? [] : undefined;
  const created = difference.action === "create" ? Object.keys(difference.to) : [];
  const all = fieldsOf(difference);
  const fields = left.fields.filter(
    (change) => created.includes(change.field) || all.some((each) => isSameField(each, change)),
  );
  if (!fields.length) return left.action !== "update" && left.action === difference.action ? [] : undefined;
  return fields.length < all.length + created.length ? fields.map(labelOf) : [];
}

const bringsAccount = ({ section, action }: Difference): boolean =>
  hasAccounts(section) && (action === "reactivate" || action === "create");

/** Collects the results of changes, then reads the organization and compares. `planned`: the difference of each row. */
export function verification(context: Context, input: ApplyInput, planned: readonly Difference[]) {
  const { note, warn, world } = context;
  const differences = [...planned];
  /** Rows reported as done, and rows with a request without an answer. */
  const [done, unanswered] = [new Set<number>(), new Set<number>()];
  let sent = false;
  /** The accounts that the rows of `more` are about. */
  let accounts: ReadonlySet<number> = new Set();

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

  /**
   * Returns the rest of what was confirmed: lists and permissions of the file in which accounts are that this run reactivated
   * or created. Undefined if there is none, or nobody knows what is done.
   */
  async function more(): Promise<MoreRows | undefined> {
    const returned = differences.filter((one, row) => done.has(row) && bringsAccount(one));
    if (!returned.length || unanswered.size) return undefined;
    const snapshot = await fetchSnapshot(context, input).catch((error) => warnUnread(context, error));
    if (!snapshot) return undefined;
    const { differences: remaining, problems } = input.remaining(snapshot);
    accounts = newAccounts(snapshot, returned);
    const rest = problems.length ? [] : aboutAccounts(remaining, accounts);
    const prediction = predict(groupMembershipIn(snapshot), rest);
    const options = { verifyWith: input.verifyWith, portion: world.peoplePerRequest };
    const violations = await guardsOf(prediction, options, input.allowed);
    for (const { says } of violations) await warn(programLine(`not sent: ${says}`));
    if (!rest.length || violations.length) return undefined;
    const steps = orderRequests(prediction, options);
    const ordered = inStartOrder(rest, steps);
    await note(
      programLine(
        `${counted(rest.length, "more change")} for reactivated or new accounts: ${joinFirst(rest.map(differenceTitle), 10)}`,
      ),
    );
    const following = moreRows(ordered, differences.length);
    differences.push(...ordered.differences);
    return following;
  }

  /** Returns the failure to end with. `failed`: the failure of the changes. */
  async function verify(failed: Failure | undefined): Promise<Failure | undefined> {
    if (!sent) return failed;
    const { differences: remaining, problems } = input.remaining(await fetchSnapshot(context, input));
    const explained = new Set<Difference>();
    /** By row, what still differs: `channel design (is_web_public)`. */
    const unapplied = new Map<number, string>();
    let parts = 0;
    for (const [row, difference] of differences.entries()) {
      const all = row < planned.length ? remaining : aboutAccounts(remaining, accounts);
      const found = findSameThing(difference, all).flatMap((each) => {
        const fields = remainingFields(difference, each);
        if (fields) explained.add(each);
        return fields ? [fields] : [];
      });
      const fields = found.flat();
      if (fields.length) parts++;
      if (found.length)
        unapplied.set(row, `${differenceTitle(difference)}${fields.length ? ` (${joinFirst(fields, 10)})` : ""}`);
    }
    const others = remaining.filter((each) => !explained.has(each));
    const otherRemaining = [...problems.map(({ message }) => message), ...others.map(differenceTitle)];
    if (!unapplied.size && !otherRemaining.length) return endVerified(context, failed, "everything is applied");
    const found = differences.filter((_, row) => unanswered.has(row) && !unapplied.has(row));
    if (failed instanceof Unknown && found.length && !problems.length)
      failed.message += `. It is applied now, but it is unknown by whom: ${joinFirst(found.map(differenceTitle), 10)}`;
    if (unapplied.size) {
      const { length } = differences;
      const counts = `${length - unapplied.size} of ${counted(length, "change")} applied${parts ? `, ${parts} in part` : ""}`;
      await note(programLine(`verified: ${counts}; not applied: ${joinFirst([...unapplied.values()], 10)}`));
    }
    if (failed && otherRemaining.length)
      await note(programLine(`this ${input.differs} too: ${joinFirst(otherRemaining, 10)}`));
    if (failed) return failed;
    const hint = `See the differences with: ${input.verifyWith}`;
    const ineffective = [...unapplied].flatMap(([row, what]) => (done.has(row) ? [what] : []));
    if (ineffective.length) return notInEffect(ineffective, "applied", hint);
    if (!otherRemaining.length) return undefined;
    return new Partial(`this ${input.differs} now: ${joinFirst(otherRemaining, 10)}`, { hint });
  }

  return { collect, more, verify };
}

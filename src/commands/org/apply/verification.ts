/** Compares a third time after all requests, and reports what is applied and what is not. */

import { counted, joinFirst } from "../../../common/counted.ts";
import type { Finished } from "../../../engine/task.ts";
import { type Failure, Partial, Unknown } from "../../../errors.ts";
import type { Comparison } from "../../../organization/compare.ts";
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

/** What the last reading still finds of the rows. */
interface Remaining {
  /** By row, what still differs: `channel design (is_web_public)`. */
  readonly unapplied: ReadonlyMap<number, string>;
  /** The number of rows that are applied in part. */
  readonly parts: number;
  /** What differs besides. */
  readonly others: readonly string[];
}

/** Collects the results of changes, then reads the organization and compares. */
export class Verification {
  /** The difference of each row. */
  readonly #differences: Difference[];
  /** Rows reported as done, and rows with a request without an answer. */
  readonly #done = new Set<number>();
  readonly #unanswered = new Set<number>();
  #isSent = false;
  /** The accounts that the rows of `more` are about. */
  #accounts: ReadonlySet<number> = new Set();

  constructor(
    private readonly context: Context,
    private readonly input: ApplyInput,
    private readonly planned: readonly Difference[],
  ) {
    this.#differences = [...planned];
  }

  collect({ row: { row }, results }: Finished): void {
    if (results.every(({ outcome }) => outcome === "done")) this.#done.add(row - 1);
    if (results.some(({ outcome }) => outcome === "unknown")) this.#unanswered.add(row - 1);
    this.#isSent ||= results.some(
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
  async more(): Promise<MoreRows | undefined> {
    const { context, input } = this;
    const returned = this.#differences.filter((one, row) => this.#done.has(row) && bringsAccount(one));
    if (!returned.length || this.#unanswered.size) return undefined;
    const snapshot = await fetchSnapshot(context, input).catch((error) => warnUnread(context, error));
    if (!snapshot) return undefined;
    const { differences: remaining, problems } = input.remaining(snapshot);
    this.#accounts = newAccounts(snapshot, returned);
    const rest = problems.length ? [] : aboutAccounts(remaining, this.#accounts);
    const prediction = predict(groupMembershipIn(snapshot), rest);
    const options = { verifyWith: input.verifyWith, portion: context.world.peoplePerRequest };
    const violations = await guardsOf(prediction, options, input.allowed);
    for (const { says } of violations) await context.warn(programLine(`not sent: ${says}`));
    if (!rest.length || violations.length) return undefined;
    const ordered = inStartOrder(rest, orderRequests(prediction, options));
    const titles = joinFirst(rest.map(differenceTitle), 10);
    await context.note(
      programLine(`${counted(rest.length, "more change")} for reactivated or new accounts: ${titles}`),
    );
    const following = moreRows(ordered, this.#differences.length);
    this.#differences.push(...ordered.differences);
    return following;
  }

  /** Returns the failure to end with. `failed`: the failure of the changes. */
  async verify(failed: Failure | undefined): Promise<Failure | undefined> {
    if (!this.#isSent) return failed;
    const { differences, problems } = this.input.remaining(await fetchSnapshot(this.context, this.input));
    const remaining = this.#compare(differences, problems);
    const { unapplied, others } = remaining;
    if (!unapplied.size && !others.length) return endVerified(this.context, failed, "everything is applied");
    if (failed instanceof Unknown && !problems.length) this.#nameApplied(failed, unapplied);
    await this.#noteRemaining(remaining, failed);
    return failed ?? this.#failureOf(remaining);
  }

  #compare(differences: readonly Difference[], problems: Comparison["problems"]): Remaining {
    const explained = new Set<Difference>();
    const unapplied = new Map<number, string>();
    let parts = 0;
    for (const [row, difference] of this.#differences.entries()) {
      const all = row < this.planned.length ? differences : aboutAccounts(differences, this.#accounts);
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
    const others = differences.filter((each) => !explained.has(each));
    return { unapplied, parts, others: [...problems.map(({ message }) => message), ...others.map(differenceTitle)] };
  }

  /** Names the changes without an answer that are applied. */
  #nameApplied(failed: Unknown, unapplied: Remaining["unapplied"]): void {
    const applied = this.#differences.filter((_, row) => this.#unanswered.has(row) && !unapplied.has(row));
    if (!applied.length) return;
    const titles = joinFirst(applied.map(differenceTitle), 10);
    failed.message += `. It is applied now, but it is unknown by whom: ${titles}`;
  }

  async #noteRemaining({ unapplied, parts, others }: Remaining, failed: Failure | undefined): Promise<void> {
    const { note } = this.context;
    if (unapplied.size) {
      const { length } = this.#differences;
      const counts = `${length - unapplied.size} of ${counted(length, "change")} applied${parts ? `, ${parts} in part` : ""}`;
      await note(programLine(`verified: ${counts}; not applied: ${joinFirst([...unapplied.values()], 10)}`));
    }
    if (failed && others.length) await note(programLine(`this ${this.input.differs} too: ${joinFirst(others, 10)}`));
  }

  /** Returns the failure if no change failed. */
  #failureOf({ unapplied, others }: Remaining): Failure | undefined {
    const { verifyWith, differs } = this.input;
    const hint = `See the differences with: ${verifyWith}`;
    const ineffective = [...unapplied].flatMap(([row, what]) => (this.#done.has(row) ? [what] : []));
    if (ineffective.length) return notInEffect(ineffective, "applied", hint);
    return others.length ? new Partial(`this ${differs} now: ${joinFirst(others, 10)}`, { hint }) : undefined;
  }
}

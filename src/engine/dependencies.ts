/** Decides whether later changes are sent, from the results of earlier ones, and with which names and ids. */
import { Conflict, type Failure, Refused } from "../errors.ts";
import { type Call, call } from "../wire/call.ts";
import { type Change, type ChangeResult, createdBy, notSent, unchangedResult } from "./change.ts";
import { provisionalIn, withIds } from "./provisional-ids.ts";
import { partOf, type Request, rowOfTask, subjectOf, type Task, type TaskKey, taskKey } from "./task.ts";
import { concernsAll } from "./transport.ts";

/** Why something was not done, and what it was. */
interface FailedChange {
  change: Change;
  result: ChangeResult & { failure: Failure };
}

const reasons: Record<string, string> = {
  refused: "was refused",
  unknown: "is not known to be done",
  not_sent: "was not sent",
};

const refusedUnsent = (message: string, hint?: string): ChangeResult =>
  notSent(new Refused(message, { outcome: "not_sent", hint }));

function notSentBecause({ change, result }: FailedChange, { afterAdditions, target }: Change): ChangeResult {
  const { failure, outcome } = result;
  if (concernsAll(failure)) return notSent(failure);
  const what = afterAdditions
    ? "nothing was removed, because the addition before it"
    : `it needs ${change.target === target ? "an earlier change of " : ""}${change.target}, which`;
  return failure.kind === "conflict"
    ? notSent(new Conflict(`${what} was changed since: ${failure.message}`, { outcome: "not_sent" }))
    : refusedUnsent(`${what} ${reasons[outcome]}: ${failure.message}`);
}

function renamesIn({ operation, args }: Change): string | undefined {
  const name = args[operation.renames ?? ""];
  return typeof name === "string" ? name : undefined;
}

export class Dependencies {
  readonly #failures = new Map<TaskKey, FailedChange>();
  /** By subject, its last name, and whether the rename is known to be done. */
  readonly #names = new Map<string, { name: string; done: boolean }>();
  readonly #realIds = new Map<number, unknown>();
  /** Subjects with a change that was not done. */
  readonly #failed = new Set<string>();

  /** Learns from an earlier run, in the file's order. Reading shows what was done. */
  learnEarlier(change: Change, outcome: ChangeResult["outcome"] | undefined): void {
    if (!outcome) return;
    if (outcome !== "done") {
      this.#rename(change, false);
      this.#failed.add(subjectOf(change));
    } else if (renamesIn(change) !== undefined) this.#names.delete(subjectOf(change));
  }

  /** Learns from this run. A refused rename is as uncertain as a lost one. */
  learn(change: Change, result: ChangeResult): void {
    this.#rename(change, result.outcome === "done" && !result.ignored.includes(change.operation.renames ?? ""));
  }

  #rename(change: Change, done: boolean): void {
    const name = renamesIn(change);
    if (name !== undefined) this.#names.set(subjectOf(change), { name, done });
  }

  /** Learns from the result of a change, in this run or an earlier one. */
  onResult({ key, change }: Task, result: ChangeResult): void {
    if (result.outcome === "done") {
      const [id] = createdBy(change, result.answer);
      if (change.provisionalId !== undefined && id !== undefined) this.#realIds.set(change.provisionalId, id);
      return;
    }
    this.#failed.add(subjectOf(change));
    if (!this.#failures.has(key)) this.#failures.set(key, { change, result });
  }

  /** Returns the result of a change whose requirement was not done. Undefined if nothing is missing. */
  blockedResult({ key, change }: Task): ChangeResult | undefined {
    const row = rowOfTask(key);
    const needed = change.afterAdditions
      ? Array.from({ length: partOf(key) }, (_, part) => taskKey(row, part))
      : (change.requires ?? []);
    for (const each of needed) {
      const cause = this.#failures.get(each);
      if (!cause || (change.afterAdditions && cause.change.afterAdditions)) continue;
      // Changes that depend on this one name the first failure.
      this.#failures.set(key, cause);
      return notSentBecause(cause, change);
    }
    return undefined;
  }

  /** Returns the call with the real ids that are known. */
  withRealIds<C extends Call>(call: C): C {
    return provisionalIn(call.args).length ? { ...call, ...withIds(call, this.#realIds) } : call;
  }

  /** Returns the request to send now, or its result without sending. */
  prepare(request: Request): Request | ChangeResult {
    const [{ change }] = request.tasks;
    const subject = subjectOf(change);
    const renamed = this.#names.get(subject);
    let updated = request;
    if (renamed && request.operation.withName) {
      updated = { ...request, args: request.operation.withName(request.args, renamed.name) };
      if (!renamed.done && JSON.stringify(updated.args) !== JSON.stringify(request.args))
        return refusedUnsent(
          `${subject} may have another name now: an earlier change renames it, and is not known to be done`,
          "Check with: zulipctl channel list --archived",
        );
    }
    if (change.reliesOnEarlier) {
      if (this.#failed.has(subject))
        updated = { ...updated, ...call(change.operation, change.desiredArgs ?? change.args) };
      else if (change.unchanged) return unchangedResult;
    }
    updated = this.withRealIds(updated);
    return provisionalIn(updated.args).length
      ? refusedUnsent(
          `${change.target}: the server did not return the id of something that was created before`,
          "Run it again: zulipctl finds what exists by its name.",
        )
      : updated;
  }
}

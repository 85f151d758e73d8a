/** What became of earlier changes decides whether later ones are sent, with which names and ids, and what is left of them. */
import { Conflict, type Failure, Refused } from "../errors.ts";
import { type Call, call } from "../wire/call.ts";
import { type Change, type ChangeResult, createdBy, unchanged } from "./change.ts";
import { provisionalIn, withIds } from "./provisional-ids.ts";
import { type Key, keyOf, partOf, type Request, rowOf, subjectOf, type Task } from "./task.ts";
import { concernsAll } from "./transport.ts";

/** Why something was not done, and what that was. */
interface Cause {
  change: Change;
  result: ChangeResult & { failure: Failure };
}

const words: Record<string, string> = {
  refused: "was refused",
  unknown: "is not known to be done",
  not_sent: "was not sent",
};

const notSent = (message: string, hint?: string, Kind: typeof Refused | typeof Conflict = Refused): ChangeResult => ({
  outcome: "not_sent",
  failure: new Kind(message, { outcome: "not_sent", hint }),
});

function notSentBecause({ change, result }: Cause, { afterAdditions, target }: Change): ChangeResult {
  const { failure, outcome } = result;
  if (concernsAll(failure)) return { outcome: "not_sent", failure };
  const what = afterAdditions
    ? "nothing was removed, because the addition before it"
    : `it needs ${change.target === target ? "an earlier change of " : ""}${change.target}, which`;
  return failure.kind === "conflict"
    ? notSent(`${what} was changed by somebody else: ${failure.message}`, undefined, Conflict)
    : notSent(`${what} ${words[outcome]}: ${failure.message}`);
}

function renamesIn({ operation, args }: Change): string | undefined {
  const name = args[operation.renames ?? ""];
  return typeof name === "string" ? name : undefined;
}

export class Dependencies {
  readonly #undone = new Map<Key, Cause>();
  /** By subject, the name that it was given last, and whether that is known to be done. */
  readonly #names = new Map<string, { name: string; done: boolean }>();
  /** By provisional id, the real one. */
  readonly #ids = new Map<number, unknown>();
  /** The subjects of which some change was not done. */
  readonly #failed = new Set<string>();

  /** From what became of a change in an earlier run, in the file's order. What was done, reading has shown by now. */
  recall(change: Change, outcome: ChangeResult["outcome"] | undefined): void {
    if (!outcome) return;
    if (outcome !== "done") {
      this.#rename(change, false);
      this.#failed.add(subjectOf(change));
    } else if (renamesIn(change) !== undefined) this.#names.delete(subjectOf(change));
  }

  /** From what this run has sent, or left out. A rename that the server refused is as little known to be done as a lost one. */
  learn(change: Change, result: ChangeResult): void {
    this.#rename(change, result.outcome === "done" && !result.ignored.includes(change.operation.renames ?? ""));
  }

  #rename(change: Change, done: boolean): void {
    const name = renamesIn(change);
    if (name !== undefined) this.#names.set(subjectOf(change), { name, done });
  }

  /** From what became of a change, in this run or before it. */
  finished({ key, change }: Task, result: ChangeResult): void {
    if (result.outcome === "done") {
      const [id] = createdBy(change, result.answer);
      if (change.makes !== undefined && id !== undefined) this.#ids.set(change.makes, id);
      return;
    }
    this.#failed.add(subjectOf(change));
    if (!this.#undone.has(key)) this.#undone.set(key, { change, result });
  }

  /** What a change comes to because something that it needs was not done. */
  verdict({ key, change }: Task): ChangeResult | undefined {
    const row = rowOf(key);
    const needed = change.afterAdditions
      ? Array.from({ length: partOf(key) }, (_, part) => keyOf(row, part))
      : (change.after ?? []);
    for (const each of needed) {
      const cause = this.#undone.get(each);
      if (!cause || (change.afterAdditions && cause.change.afterAdditions)) continue;
      // Whatever needs this one names what failed first.
      this.#undone.set(key, cause);
      return notSentBecause(cause, change);
    }
    return undefined;
  }

  /** The same call with real ids, as far as they are known. */
  identified<C extends Call>(call: C): C {
    return provisionalIn(call.args).length ? { ...call, ...withIds(call, this.#ids) } : call;
  }

  /** A request as it is to be sent now, or what it comes to without being sent. */
  updated(request: Request): Request | ChangeResult {
    const [{ change }] = request.tasks;
    const subject = subjectOf(change);
    const given = this.#names.get(subject);
    let updated = request;
    if (given && request.operation.renamed) {
      updated = { ...request, args: request.operation.renamed(request.args, given.name) };
      if (!given.done && JSON.stringify(updated.args) !== JSON.stringify(request.args))
        return notSent(
          `${subject} may have another name now: an earlier change renames it, and is not known to be done`,
          "Check with: zulipctl channel list --archived",
        );
    }
    if (change.relies) {
      if (this.#failed.has(subject)) updated = { ...updated, ...call(change.operation, change.asked ?? change.args) };
      else if (change.unchanged) return unchanged;
    }
    updated = this.identified(updated);
    return provisionalIn(updated.args).length
      ? notSent(
          `${change.target}: the server did not return the id of something that was created before`,
          "Run it again: zulipctl finds what exists by its name.",
        )
      : updated;
  }
}

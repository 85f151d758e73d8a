/** Changes that are sent only where others were done. */
import { Conflict, type Failure, Refused } from "../errors.ts";
import type { Change, ChangeResult } from "./change.ts";
import { type Key, keyOf, partOf, rowOf, type Task } from "./task.ts";
import { concernsAll } from "./transport.ts";

type Undone = ChangeResult & { failure: Failure };

/** Why something was not done, and what that was. */
interface Cause {
  change: Change;
  result: Undone;
}

const words = { refused: "was refused", unknown: "is not known to be done", not_sent: "was not sent" };

function notSent({ change, result }: Cause, { afterAdditions, target }: Change): ChangeResult {
  const { failure, outcome } = result;
  if (concernsAll(failure)) return { outcome: "not_sent", failure };
  // What depends on what somebody else has changed is in the same conflict.
  const conflict = failure.kind === "conflict";
  const what = afterAdditions
    ? "nothing was removed, because the addition before it"
    : `it needs ${change.target === target ? "an earlier change of " : ""}${change.target}, which`;
  const said = conflict ? "was changed by somebody else" : words[outcome as keyof typeof words];
  const Why = conflict ? Conflict : Refused;
  return { outcome: "not_sent", failure: new Why(`${what} ${said}: ${failure.message}`, { outcome: "not_sent" }) };
}

export class Needs {
  readonly #undone = new Map<Key, Cause>();

  learn({ key, change, parts }: Pick<Task, "key" | "change" | "parts">, result: ChangeResult): void {
    // Nothing waits for the one change of a row, unless a plan says so.
    if (result.outcome !== "done" && (parts || change.after) && !this.#undone.has(key))
      this.#undone.set(key, { change, result });
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
      // Whatever needs this one in turn is told of what was wrong first.
      this.#undone.set(key, cause);
      return notSent(cause, change);
    }
    return undefined;
  }
}

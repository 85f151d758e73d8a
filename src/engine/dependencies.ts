/** Which changes wait for which: one is sent when all before it are over, and not at all where some that it needs is not done. */
import { Conflict, type Failure, Refused } from "../errors.ts";
import type { Change, ChangeResult } from "./change.ts";
import type { Key, Task } from "./task.ts";
import { concernsAll } from "./transport.ts";

type Lacking = ChangeResult & { failure: Failure };

/** Why something was not done, and what that was. */
interface Cause {
  target: string;
  result: Lacking;
}

const words = { refused: "was refused", unknown: "is not known to be done", not_sent: "was not sent" };

/** Who depends on what somebody else has changed is in the same conflict; otherwise nothing is wrong with it. */
function notSent({ target, result }: Cause): ChangeResult {
  if (concernsAll(result.failure)) return { outcome: "not_sent", failure: result.failure };
  const { message, kind } = result.failure;
  const Why = kind === "conflict" ? Conflict : Refused;
  const said = kind === "conflict" ? "was changed by somebody else" : words[result.outcome as keyof typeof words];
  return {
    outcome: "not_sent",
    failure: new Why(`it needs ${target}, which ${said}: ${message}`, { outcome: "not_sent" }),
  };
}

interface Waiting {
  task: Task;
  /** What is not finished yet. */
  open: Set<Key>;
}

export class Dependencies {
  /** Of changes that others may wait for: undefined where it is done, else why not. */
  readonly #finished = new Map<Key, Cause | undefined>();
  readonly #waiting = new Map<Key, Waiting>();
  readonly #waiters = new Map<Key, Waiting[]>();

  /** How many wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Whether it can go, has to wait, or what it comes to because of another. */
  admit(task: Task): "ready" | "waits" | ChangeResult {
    const { after = [], follows = [] } = task.change;
    // Of most runs no change waits for another.
    if (!after.length && !follows.length) return "ready";
    const lost = after.map((key) => this.#finished.get(key)).find((cause) => cause);
    if (lost) return this.#without(task, lost);
    const open = new Set([...after, ...follows].filter((key) => !this.#finished.has(key)));
    if (!open.size) return "ready";
    const waiting = { task, open };
    this.#waiting.set(task.key, waiting);
    for (const key of open) this.#waiters.set(key, [...(this.#waiters.get(key) ?? []), waiting]);
    return "waits";
  }

  /** What became of a change; gives those that can go now, and those that never can. */
  finish(key: Key, { after, target }: Change, result: ChangeResult): { task: Task; result?: ChangeResult }[] {
    if (after === undefined) return [];
    const known = this.#finished.get(key);
    const cause = result.outcome === "done" ? undefined : (known ?? { target, result });
    this.#finished.set(key, cause);
    const waiters = this.#waiters.get(key) ?? [];
    this.#waiters.delete(key);
    return waiters.flatMap(({ task, open }) => {
      open.delete(key);
      const lost = task.change.after?.includes(key) ? cause : undefined;
      if (!this.#waiting.has(task.key) || (!lost && open.size)) return [];
      this.#waiting.delete(task.key);
      return [lost ? { task, result: this.#without(task, lost) } : { task }];
    });
  }

  /** Those that wait; none does any more. */
  drain(): Task[] {
    const all = [...this.#waiting.values()].map(({ task }) => task);
    this.#waiting.clear();
    return all;
  }

  /** Who waits for this one in turn is told of what was wrong first. */
  #without({ key }: Task, cause: Cause): ChangeResult {
    this.#finished.set(key, cause);
    return notSent(cause);
  }
}

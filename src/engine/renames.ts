/** What things are called by now: a request that names its target follows what the run itself renames. */
import { type Failure, Refused } from "../errors.ts";
import type { Change, ChangeResult } from "./change.ts";
import { type Request, subjectOf } from "./task.ts";

export class Renames {
  /** By subject, the name that it was given last, and whether that is known to be done. */
  readonly #given = new Map<string, { name: string; done: boolean }>();

  /** From what became of a change in this run. A rename that the server refused is as little known to be done as a lost one. */
  learn(change: Change, result: ChangeResult): void {
    const { renames = "" } = change.operation;
    this.#set(change, result.outcome === "done" && !result.ignored.includes(renames));
  }

  /** From what became of a change in an earlier run, in the file's order. What was done, reading has shown by now. */
  recall(change: Change, outcome: ChangeResult["outcome"]): void {
    if (outcome !== "done") this.#set(change, false);
    else if (renamesIn(change) !== undefined) this.#given.delete(subjectOf(change));
  }

  #set(change: Change, done: boolean): void {
    const name = renamesIn(change);
    if (name !== undefined) this.#given.set(subjectOf(change), { name, done });
  }

  /** The request by the name that its target has by now; undefined where that is not known. */
  follow(request: Request): Request | undefined {
    const { naming } = request.operation;
    const given = naming && this.#given.get(subjectOf(request.tasks[0].change));
    if (!given || naming.nameIn(request.args) === given.name) return request;
    return given.done ? { ...request, args: naming.renamed(request.args, given.name) } : undefined;
  }
}

function renamesIn({ operation, args }: Change): string | undefined {
  const name = args[operation.renames ?? ""];
  return typeof name === "string" ? name : undefined;
}

/** Why a request is not sent whose target may be called otherwise by now. */
export const nameless = (change: Change): Failure =>
  new Refused(
    `${subjectOf(change)} may be called otherwise by now: an earlier change renames it, and is not known to be done`,
    { outcome: "not_sent", hint: "Check with: zulipctl channel list --archived" },
  );

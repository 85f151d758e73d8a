/** What things are called by now: a request that names its target follows what the run itself renames. */
import { type Failure, Refused } from "../errors.ts";
import type { Change, ChangeResult } from "./change.ts";
import { queueOf, type Request } from "./task.ts";

export class Renames {
  /** By target, the name that this run has given it; undefined where it may have been given or not. */
  readonly #given = new Map<string, string | undefined>();
  /** By target, the name that an earlier run may have given it; undefined where that may be several. */
  readonly #recalled = new Map<string, string | undefined>();

  /** From what became of a request of this run. A rename that the server refused is as little known to be done as a lost one. */
  learn({ operation, args, queue }: Request, result: ChangeResult): void {
    const name = newName({ operation, args });
    if (name === undefined) return;
    const done = result.outcome === "done" && !result.ignored.includes(operation.renames!);
    this.#given.set(queue, done ? name : undefined);
  }

  /** From what became of a change in an earlier run, in the file's order. What this run has read since then shows what was done. */
  recall(change: Change, outcome: ChangeResult["outcome"]): void {
    const name = newName(change);
    if (name === undefined) return;
    const target = queueOf(change);
    if (outcome === "done") this.#recalled.delete(target);
    else {
      const another = this.#recalled.has(target) && this.#recalled.get(target) !== name;
      this.#recalled.set(target, another ? undefined : name);
    }
  }

  /** The request by the name that its target has by now; undefined where that is not known. */
  follow(request: Request): Request | undefined {
    const { operation, args, queue } = request;
    const { naming } = operation;
    if (!naming) return request;
    if (this.#given.has(queue)) {
      const name = this.#given.get(queue);
      return name === undefined ? undefined : { ...request, args: naming.renamed(args, name) };
    }
    const lost = this.#recalled.has(queue) && this.#recalled.get(queue) !== naming.nameIn(args);
    return lost ? undefined : request;
  }
}

const newName = ({ operation, args }: Pick<Change, "operation" | "args">): string | undefined =>
  operation.renames && (args[operation.renames] as string | undefined);

/** Why a request is not sent whose target may be called otherwise by now. */
export const nameless = ({ queue }: Request): Failure =>
  new Refused(`${queue} may be called otherwise by now: an earlier change renames it, and is not known to be done`, {
    outcome: "not_sent",
    hint: "Find out with: zulipctl channel list --archived",
  });

/** What things are called by now: a request that names its target follows what the run itself renames. */
import { type Failure, Refused } from "../errors.ts";
import type { Change, ChangeResult } from "./change.ts";
import { queueOf, type Request } from "./task.ts";

export class Renames {
  /** By target, the name that this run has given it last; undefined where that was not done. */
  readonly #given = new Map<string, string | undefined>();
  /** By target, the last name that an earlier run was refused. */
  readonly #refused = new Map<string, string>();
  /** By target, names that it was given without an answer: these requests may be on their way still. */
  readonly #lost = new Map<string, Set<string>>();

  /** From what became of a request of this run. A rename that the server refused is as little known to be done as a lost one. */
  learn({ operation, args, queue }: Request, result: ChangeResult): void {
    const name = newName({ operation, args });
    if (name === undefined) return;
    const done = result.outcome === "done" && !result.ignored.includes(operation.renames!);
    this.#given.set(queue, done ? name : undefined);
    if (result.outcome === "unknown") this.#lose(queue, name);
  }

  /** From what became of a change in an earlier run, in the file's order. What this run has read since then shows what was done. */
  recall(change: Change, outcome: ChangeResult["outcome"]): void {
    const name = newName(change);
    if (name === undefined) return;
    const target = queueOf(change);
    if (outcome === "unknown") this.#lose(target, name);
    else if (outcome === "done") this.#refused.delete(target);
    else this.#refused.set(target, name);
  }

  #lose(target: string, name: string): void {
    this.#lost.set(target, (this.#lost.get(target) ?? new Set()).add(name));
  }

  /** The request by the name that its target has by now; undefined where that is not known. */
  follow(request: Request): Request | undefined {
    const { operation, args, queue } = request;
    const { naming } = operation;
    if (!naming) return request;
    const given = this.#given.has(queue);
    const name = given ? this.#given.get(queue) : naming.nameIn(args);
    const another = (other: string | undefined) => other !== undefined && other !== name;
    if (name === undefined ? given : !given && another(this.#refused.get(queue))) return undefined;
    if ([...(this.#lost.get(queue) ?? [])].some(another)) return undefined;
    return given ? { ...request, args: naming.renamed(args, name!) } : request;
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

/** What things are called by now: a request that names its target follows what the run itself renames. */
import { type Failure, Refused } from "../errors.ts";
import type { Change, ChangeResult } from "./change.ts";
import { type Request, subjectOf, type Task } from "./task.ts";

export class Renames {
  /** By subject, the name that this run has given it last; undefined where that was not done. */
  readonly #given = new Map<string, string | undefined>();
  /** By subject, the last name that an earlier run was refused. */
  readonly #refused = new Map<string, string>();
  /** By subject, names that it was given without an answer: these requests may be on their way still. */
  readonly #lost = new Map<string, Set<string>>();

  /** From what became of a change in this run. A rename that the server refused is as little known to be done as a lost one. */
  learn(change: Change, result: ChangeResult): void {
    const name = newName(change);
    if (name === undefined) return;
    const subject = subjectOf(change);
    const done = result.outcome === "done" && !result.ignored.includes(change.operation.renames ?? "");
    this.#given.set(subject, done ? name : undefined);
    if (result.outcome === "unknown") this.#lose(subject, name);
  }

  /** From what became of a change in an earlier run, in the file's order. What this run has read since then shows what was done. */
  recall(change: Change, outcome: ChangeResult["outcome"]): void {
    const name = newName(change);
    if (name === undefined) return;
    const subject = subjectOf(change);
    if (outcome === "unknown") this.#lose(subject, name);
    else if (outcome === "done") this.#refused.delete(subject);
    else this.#refused.set(subject, name);
  }

  #lose(subject: string, name: string): void {
    this.#lost.set(subject, (this.#lost.get(subject) ?? new Set()).add(name));
  }

  /** The request by the name that its target has by now; undefined where that is not known. */
  follow(request: Request): Request | undefined {
    const { operation, args } = request;
    const { naming } = operation;
    const [task] = request.tasks;
    if (!naming || !task) return request;
    const subject = subjectOf(task.change);
    const given = this.#given.has(subject);
    const name = given ? this.#given.get(subject) : naming.nameIn(args);
    const another = (other: string | undefined) => other !== undefined && other !== name;
    if (name === undefined ? given : !given && another(this.#refused.get(subject))) return undefined;
    if ([...(this.#lost.get(subject) ?? [])].some(another)) return undefined;
    return given && name !== undefined ? { ...request, args: naming.renamed(args, name) } : request;
  }
}

const newName = ({ operation, args }: Pick<Change, "operation" | "args">): string | undefined =>
  operation.renames && (args[operation.renames] as string | undefined);

/** Why a request is not sent whose target may be called otherwise by now. */
export const nameless = ({ change }: Task): Failure =>
  new Refused(
    `${subjectOf(change)} may be called otherwise by now: an earlier change renames it, and is not known to be done`,
    {
      outcome: "not_sent",
      hint: "Check with: zulipctl channel list --archived",
    },
  );

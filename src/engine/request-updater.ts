/** What a request is by the time it is sent: what became of the changes before it decides on names, ids, and what is left of it. */
import { Refused } from "../errors.ts";
import { call } from "../wire/call.ts";
import { type Change, type ChangeResult, unchanged } from "./change.ts";
import { ProvisionalIds } from "./provisional-ids.ts";
import { nameless, Renames } from "./renames.ts";
import { type Request, subjectOf } from "./task.ts";

export class RequestUpdater {
  readonly #renames = new Renames();
  readonly #ids = new ProvisionalIds();
  /** The subjects of which some change was not done: what relies on it is no longer so already. */
  readonly #troubled = new Set<string>();

  /** From what became of a change in an earlier run, in the file's order. */
  recall(change: Change, outcome: ChangeResult["outcome"] | undefined): void {
    if (!outcome) return;
    this.#renames.recall(change, outcome);
    if (outcome !== "done") this.#troubled.add(subjectOf(change));
  }

  /** From what this run has sent, or left out. */
  learn(change: Change, result: ChangeResult): void {
    this.#renames.learn(change, result);
  }

  finished(change: Change, result: ChangeResult): void {
    if (result.outcome === "done") this.#ids.learn(change, result.answer);
    else this.#troubled.add(subjectOf(change));
  }

  /** The same change with real ids, as far as they are known. */
  identified(change: Change): Change {
    return this.#ids.fill(change) ?? change;
  }

  /** As it is to be sent now, or what it comes to without being sent. */
  of(request: Request): Request | ChangeResult {
    const named = this.#renames.follow(request);
    if (!named) return { outcome: "not_sent", failure: nameless(request.tasks[0].change) };
    const left = this.#left(named);
    return left ? (this.#ids.fill(left) ?? unidentified(request)) : unchanged;
  }

  /** What of it is not so already; undefined where the changes before it have made all of it so. */
  #left(request: Request): Request | undefined {
    const [{ change }] = request.tasks;
    if (!change.relies) return request;
    if (this.#troubled.has(subjectOf(change)))
      return { ...request, ...call(change.operation, change.asked ?? change.args) };
    return change.unchanged ? undefined : request;
  }
}

const unidentified = ({ tasks }: Request): ChangeResult => ({
  outcome: "not_sent",
  failure: new Refused(`${tasks[0].change.target}: the id of something that was made before was not told`, {
    outcome: "not_sent",
    hint: "Run it again: what is there by now is found by its name.",
  }),
});

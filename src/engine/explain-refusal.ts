/** Which rows of a refused membership change reading explains: the refusal itself names the first of them only. */
import { Failure, Refused } from "../errors.ts";
import type { Membership } from "../wire/membership.ts";
import { type ChangeResult, unchanged } from "./change.ts";
import { touched } from "./settle.ts";
import type { Request, Task } from "./task.ts";
import type { Transport } from "./transport.ts";

export interface Explanation {
  /** Tasks that the server would refuse by themselves, or whose wish is fulfilled, each with what is to be said of it. */
  explained: { task: Task; result: ChangeResult }[];
  rest: Task[];
}

/** `unexplained`: a read has told nothing, and would not tell more of a part. `unread`: there was none. */
export type Finding = Explanation | "unexplained" | "unread";

type Present = (membership: Membership) => ReadonlySet<number>;

/** Why the server refuses it, and whether all of it is so already. */
function standing(task: Task, present: Present): { why?: string; fulfilled: boolean } {
  let why: string | undefined;
  let fulfilled = true;
  for (const membership of touched(task.change)) {
    const there = present(membership);
    for (const id of membership.added) {
      if (there.has(id)) why ??= membership.there?.(id);
      else fulfilled = false;
    }
    for (const id of membership.removed) {
      if (!there.has(id)) why ??= membership.absent?.(id);
      else fulfilled = false;
    }
  }
  return { ...(why !== undefined && { why }), fulfilled };
}

const refusal = (why: string, { details }: Failure): ChangeResult => ({
  outcome: "refused",
  failure: new Refused(`${why}, as a read after the refusal showed`, {
    ...details,
    outcome: "not_applied",
    hint: "Pass --if-changed to skip what is unchanged.",
  }),
});

/** Reads each list that the request would have changed once. A read that fails explains nothing. */
export async function explainRefusal(transport: Transport, request: Request, refused: Failure): Promise<Finding> {
  // Where the server takes what is so already for done, a refusal has another reason, which no read of the list tells.
  if (!touched(request).some(({ there, absent }) => there ?? absent)) return "unexplained";
  const lists = new Map<string, ReadonlySet<number>>();
  try {
    for (const { list, read, args, members } of touched(request))
      lists.set(list, new Set(members(await transport.read(read, args))));
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return failure instanceof Refused ? "unexplained" : "unread";
  }
  const explained: Explanation["explained"] = [];
  const rest: Task[] = [];
  for (const task of request.tasks) {
    const { why, fulfilled } = standing(task, ({ list }) => lists.get(list)!);
    if (why === undefined) rest.push(task);
    else
      explained.push({
        task,
        result: fulfilled && task.change.ifChanged ? unchanged : refusal(why, refused),
      });
  }
  return explained.length ? { explained, rest } : "unexplained";
}

/**
 * Reads to find out whether a change without an answer was applied, and why one was refused. Membership changes are
 * transactions, and servers name only the first bad row.
 */
import { errorRecord } from "../error-record.ts";
import { Failure, Refused, undefinedOnFailure } from "../errors.ts";
import type { Membership } from "../wire/membership.ts";
import type { Evidence } from "../wire/operation.ts";
import type { Clock, Signals } from "../world.ts";
import { type ChangeResult, unchanged } from "./change.ts";
import type { Entry } from "./journal.ts";
import type { Request, Task } from "./task.ts";
import type { Transport } from "./transport.ts";

/** `mixed`: some of it is applied. Only somebody else can have done that. */
type State = "applied" | "absent" | "mixed";

/** The result of settling. `open`: reading was interrupted or failed, and can be repeated later. */
export type Settled = "applied" | "not_applied" | "mixed" | "open";

/** The memberships that a request changes. */
const touched = ({ operation, args }: Pick<Request, "operation" | "args">): Membership[] =>
  (operation.memberships?.(args) ?? []).filter(({ added, removed }: Membership) => added.length + removed.length > 0);

export const settleable = (request: Pick<Request, "operation" | "args">): boolean =>
  request.operation.evidence !== undefined || touched(request).length > 0;

/** Reads once and evaluates the evidence. Throws the `Failure` of a failed read, unless the server refused it. */
async function isApplied(
  transport: Transport,
  { read, argsOf, isApplied }: Evidence<Record<string, unknown>>,
  args: Record<string, unknown>,
): Promise<boolean> {
  const found = await transport.read(read, argsOf(args)).catch((failure) => {
    if (failure instanceof Refused && failure.details.code === "BAD_REQUEST") return undefined;
    throw failure;
  });
  return isApplied(found, args);
}

/** Reads once. Throws the `Failure` of a failed read. */
export async function readState(transport: Transport, request: Pick<Request, "operation" | "args">): Promise<State> {
  const { evidence } = request.operation;
  if (evidence) return (await isApplied(transport, evidence, request.args)) ? "applied" : "absent";
  const lists = await readLists(transport, request);
  const applied = touched(request).flatMap(({ list, added, removed }) => {
    const isMember = (id: number) => lists.get(list)!.has(id);
    return [...added.map(isMember), ...removed.map((id) => !isMember(id))];
  });
  return applied.every(Boolean) ? "applied" : applied.some(Boolean) ? "mixed" : "absent";
}

/** By list, its members. */
type Lists = ReadonlyMap<string, ReadonlySet<number>>;

/** Reads the lists that a request changes. Throws the `Failure` of a failed read. */
async function readLists(transport: Transport, request: Pick<Request, "operation" | "args">): Promise<Lists> {
  const lists = new Map<string, ReadonlySet<number>>();
  for (const { list, read, args, members } of touched(request))
    lists.set(list, new Set(members(await transport.read(read, args))));
  return lists;
}

/** Returns the journal entry of a settled request. Undefined if it is open. */
export function settlement(sent: number, settled: Settled, failure: Failure): Entry | undefined {
  if (settled === "applied") return { settled: sent, as: "done" };
  if (settled === "not_applied") return { settled: sent, as: "not_applied" };
  return settled === "mixed" ? { settled: sent, as: "unknown", error: errorRecord(failure) } : undefined;
}

interface SettleOptions {
  clock: Clock;
  signals: Signals;
  /**
   * How long nothing of the change may be visible, from the first read on, before it counts as lost. In milliseconds.
   */
  wait: number;
}

/** Reads repeatedly until the result is clear. It uses the monotonic clock of this process. */
export async function settle(
  transport: Transport,
  request: Pick<Request, "operation" | "args">,
  { clock, signals, wait }: SettleOptions,
): Promise<Settled> {
  const began = clock.monotonic();
  let first: number | undefined;
  for (let pause = 1000; ; pause = Math.min(pause * 2, 10_000)) {
    if (signals.stop.aborted) return "open";
    const readAt = clock.monotonic();
    try {
      const found = await readState(transport, request);
      if (found !== "absent") return found;
      // The time between the first answer and the last request lies within the time that the server saw.
      if (first !== undefined && readAt - first >= wait) return request.operation.evidence ? "open" : "not_applied";
      first ??= clock.monotonic();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (readAt - (first ?? began) >= wait || failure.kind === "login" || failure.kind === "refused") return "open";
    }
    const rest = (first ?? began) + wait - clock.monotonic();
    try {
      await clock.sleep(rest > 0 ? Math.min(pause, rest) : 0, signals.stop);
    } catch {
      return "open";
    }
  }
}

/** Returns why the server refuses it, and whether all of it is unchanged. */
function refusalOf(task: Task, lists: Lists): { why: string | undefined; isUnchanged: boolean } {
  let why: string | undefined;
  let isUnchanged = true;
  for (const { list, added, removed, there, absent } of touched(task.change)) {
    const present = lists.get(list);
    for (const [ids, isAdded, error] of [
      [added, true, there],
      [removed, false, absent],
    ] as const)
      for (const id of ids)
        if (present?.has(id) === isAdded) why ??= error?.(id);
        else isUnchanged = false;
  }
  return { why, isUnchanged };
}

/** Separates the tasks that the server would refuse alone. Undefined if reading explains nothing. */
export async function explainRefusal(
  transport: Transport,
  request: Request,
  { details }: Failure,
): Promise<{ explained: { task: Task; result: ChangeResult }[]; rest: Task[] } | undefined> {
  const { evidence } = request.operation;
  if (evidence && !evidence.duplicates) {
    const applied = await undefinedOnFailure(isApplied(transport, evidence, request.args));
    return applied ? { explained: request.tasks.map((task) => ({ task, result: unchanged })), rest: [] } : undefined;
  }
  // Servers that accept existing members refused for another reason.
  if (!touched(request).some(({ there, absent }) => there ?? absent)) return undefined;
  const lists = await undefinedOnFailure(readLists(transport, request));
  if (!lists) return undefined;
  const explained: { task: Task; result: ChangeResult }[] = [];
  const rest: Task[] = [];
  for (const task of request.tasks) {
    const { why, isUnchanged } = refusalOf(task, lists);
    if (why === undefined) rest.push(task);
    else if (isUnchanged && task.change.ifChanged) explained.push({ task, result: unchanged });
    else {
      const hint = "Pass --if-changed to skip what is unchanged.";
      const failure = new Refused(`${why}, as a read after the refusal showed`, {
        ...details,
        outcome: "not_applied",
        hint,
      });
      explained.push({ task, result: { outcome: "refused", failure } });
    }
  }
  return explained.length ? { explained, rest } : undefined;
}

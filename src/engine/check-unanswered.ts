/**
 * Reads to find out whether a change without an answer was applied, and why one was refused. Membership changes are
 * transactions, and servers name only the first bad row.
 */
import { errorRecord } from "../common/error-record.ts";
import { Failure, Refused, undefinedOnFailure } from "../errors.ts";
import { recordsIn } from "../resolve/current-values.ts";
import { desiredOf, differingIn } from "../resolve/desired.ts";
import type { Evidence, Membership } from "../wire/operation.ts";
import { type Change, type ChangeResult, unchangedResult } from "./change.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { JournalEntry } from "./journal.ts";
import type { Request, Task, TaskAndResult } from "./task.ts";
import type { Transport } from "./transport.ts";

/** `mixed`: some of it is applied. Only somebody else can have done that. */
type AppliedState = "applied" | "not_applied" | "mixed";

/** `open`: reading was interrupted or failed, and can be repeated later. */
export type CheckResult = AppliedState | "open";

type Checkable = Pick<Request, "operation" | "args">;

/** The memberships that a request changes. */
const membershipsOf = ({ operation, args }: Checkable): Membership[] =>
  (operation.memberships?.(args) ?? []).filter(({ added, removed }: Membership) => added.length + removed.length > 0);

export function canCheck(request: Checkable): boolean {
  const { evidence } = request.operation;
  return evidence ? !evidence.onlyRefusals : membershipsOf(request).length > 0;
}

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
export async function readState(transport: Transport, request: Checkable): Promise<AppliedState> {
  const { evidence } = request.operation;
  if (evidence) return (await isApplied(transport, evidence, request.args)) ? "applied" : "not_applied";
  const lists = await readLists(transport, request);
  const applied = membershipsOf(request).flatMap(({ list, added, removed }) => {
    const isMember = (id: number) => lists.get(list)!.has(id);
    return [...added.map(isMember), ...removed.map((id) => !isMember(id))];
  });
  return applied.every(Boolean) ? "applied" : applied.some(Boolean) ? "mixed" : "not_applied";
}

/** By list, its members. */
type Lists = ReadonlyMap<string, ReadonlySet<number>>;

/** Reads the lists that a request changes. Throws the `Failure` of a failed read. */
async function readLists(transport: Transport, request: Checkable): Promise<Lists> {
  const lists = new Map<string, ReadonlySet<number>>();
  for (const { list, read, args, members } of membershipsOf(request))
    lists.set(list, new Set(members(await transport.read(read, args))));
  return lists;
}

/** Returns the journal entry of a checked request. Undefined if it is open. */
export function entryOfCheck(sent: number, result: CheckResult, failure: Failure): JournalEntry | undefined {
  if (result === "open") return undefined;
  if (result === "mixed") return { settled: sent, as: "unknown", error: errorRecord(failure) };
  return { settled: sent, as: result === "applied" ? "done" : result };
}

/**
 * Reads repeatedly until the result is clear. A change counts as lost if nothing of it is visible for `wait` milliseconds
 * after the first read. It uses the monotonic clock of this process.
 */
export async function checkUnanswered(
  transport: Transport,
  request: Checkable,
  { clock, signals, checkUnanswered: wait }: Pick<EngineOptions, "clock" | "signals" | "checkUnanswered">,
): Promise<CheckResult> {
  if (wait === undefined || !canCheck(request)) return "open";
  const began = clock.monotonic();
  let first: number | undefined;
  for (let pause = 1000; ; pause = Math.min(pause * 2, 10_000)) {
    if (signals.stop.aborted) return "open";
    const readAt = clock.monotonic();
    try {
      const found = await readState(transport, request);
      if (found !== "not_applied") return found;
      // The time between the first answer and the last request lies within the time that the server saw.
      if (first !== undefined && readAt - first >= wait) return request.operation.evidence ? "open" : found;
      first ??= clock.monotonic();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (readAt - (first ?? began) >= wait || failure.kind === "login" || failure.kind === "refused") return "open";
    }
    const rest = (first ?? began) + wait - clock.monotonic();
    await clock.sleep(rest > 0 ? Math.min(pause, rest) : 0, signals.stop).catch(() => undefined);
  }
}

/** Returns why the server refuses a task, and whether all of it is unchanged. */
function refusalOf(task: Task, lists: Lists): { why: string | undefined; isUnchanged: boolean } {
  const parts = membershipsOf(task.change).flatMap(({ list, added, removed, memberError, nonMemberError }) => {
    const isMember = (id: number) => lists.get(list)?.has(id) === true;
    return [
      ...added.map((id) => ({ isUnchanged: isMember(id), why: memberError?.(id) })),
      ...removed.map((id) => ({ isUnchanged: !isMember(id), why: nonMemberError?.(id) })),
    ];
  });
  return {
    why: parts.find(({ isUnchanged, why }) => isUnchanged && why !== undefined)?.why,
    isUnchanged: parts.every(({ isUnchanged }) => isUnchanged),
  };
}

/** Reads whether a thing is in the state that a change asks for. */
async function isReached(transport: Transport, { operation, args }: Checkable): Promise<boolean> {
  const { before } = operation;
  if (!before) return false;
  const { read, argsOf, inList, values } = before;
  const answer = await transport.read(read, argsOf?.(args, { level: 0, single: false }) ?? {});
  const found = inList ? recordsIn(answer, inList.list).find((each) => each[inList.id] === inList.idOf(args)) : answer;
  return (
    found !== undefined && differingIn(operation, desiredOf({ operation, args }), values(found, args)).length === 0
  );
}

/** Returns what to do about a thing that exists, if that is why its creation was refused. */
async function changesOfExisting(
  transport: Transport,
  { newChannel, whenExists }: Change,
  { details }: Failure,
): Promise<Change[] | undefined> {
  // Whoever may not create it is not told that it exists.
  if (newChannel !== undefined || details.code === "UNAUTHORIZED_PRINCIPAL") return undefined;
  return undefinedOnFailure(whenExists?.(transport.read) ?? Promise.resolve(undefined));
}

interface Explained {
  readonly explained: readonly TaskAndResult[];
  readonly rest: readonly Task[];
  /** The changes to make in place of the only task. */
  readonly instead?: readonly Change[];
}

async function explainCreation(transport: Transport, task: Task, failure: Failure): Promise<Explained | undefined> {
  const changes = await changesOfExisting(transport, task.change, failure);
  if (!changes) return undefined;
  const refusal = changes.find((each) => each.refusal !== undefined)?.refusal;
  if (refusal === undefined && changes.some(({ unchanged }) => !unchanged))
    return { explained: [], rest: [], instead: changes };
  const result: ChangeResult =
    refusal === undefined
      ? { ...unchangedResult, answer: { ...changes[0]?.knownAnswer } }
      : {
          outcome: "refused",
          failure: new Refused(refusal, { ...failure.details, outcome: "not_applied", hint: undefined }),
        };
  return { explained: [{ task, result }], rest: [] };
}

/** Separates the tasks that the server would refuse alone. Undefined if reading explains nothing. */
export async function explainRefusal(
  transport: Transport,
  request: Request,
  failure: Failure,
): Promise<Explained | undefined> {
  const { evidence } = request.operation;
  const [first] = request.tasks;
  if (first.change.whenExists) return explainCreation(transport, first, failure);
  const { details } = failure;
  const isJudged = first.change.already !== undefined;
  if (isJudged || (evidence && !evidence.duplicates)) {
    const applied = await undefinedOnFailure(
      evidence ? isApplied(transport, evidence, request.args) : isReached(transport, request),
    );
    return applied
      ? { explained: request.tasks.map((task) => ({ task, result: unchangedResult })), rest: [] }
      : undefined;
  }
  // Servers that accept existing members refused for another reason.
  if (!membershipsOf(request).some(({ memberError, nonMemberError }) => memberError ?? nonMemberError))
    return undefined;
  const lists = await undefinedOnFailure(readLists(transport, request));
  if (!lists) return undefined;
  const explained: TaskAndResult[] = [];
  const rest: Task[] = [];
  for (const task of request.tasks) {
    const { why, isUnchanged } = refusalOf(task, lists);
    if (why === undefined) rest.push(task);
    else if (isUnchanged && task.change.ifChanged) explained.push({ task, result: unchangedResult });
    else {
      const hint = "Pass --if-changed to skip what is unchanged.";
      const refusal = new Refused(`${why}, as a read after the refusal showed`, {
        ...details,
        outcome: "not_applied",
        hint,
      });
      explained.push({ task, result: { outcome: "refused", failure: refusal } });
    }
  }
  return explained.length ? { explained, rest } : undefined;
}

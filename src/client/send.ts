/** Makes one call: waits for the rate limit, repeats it if that is safe, and ends on Ctrl-C. */
import { Cancelled, Interrupted, Unreachable } from "../errors.ts";
import type { ActiveWait, Wait } from "../output/wait-display.ts";
import { isChange } from "../wire/operation.ts";
import { type Connection, type HttpResponse, NoAnswer, type World } from "../world/world.ts";
import { outcomeOf, type RequestInfo } from "./outcome.ts";
import type { Prepared } from "./prepared.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { type AnswerReader, answerReader, rememberHead } from "./response-reader.ts";
import { describeFailure, pauseBefore } from "./retry.ts";
import type { Attempts, ServerOptions } from "./sending-types.ts";
import type { StreamingAnswer } from "./streaming-answer.ts";
import { type Verdict, verdictText } from "./verdict.ts";

export interface SendContext {
  world: World;
  options: ServerOptions;
  rateLimiter: RateLimiter;
  host: string;
  connect(): Promise<Connection>;
}

interface SendOptions<A> {
  attempts?: Attempts | undefined;
  /** Reads the answer. By default all of it. */
  read?: (response: HttpResponse, reader: AnswerReader) => Promise<Verdict | A>;
}

export async function send<A extends StreamingAnswer = never>(
  link: SendContext,
  prepared: Prepared,
  sendOptions: SendOptions<A> = {},
): Promise<Verdict | A> {
  const { world, options, host } = link;
  const { trace, retryBudget, waits } = options;
  const { clock, signals } = world;
  const { info, describe } = prepared;
  const { attempts } = sendOptions;
  // Servers count calls without credentials separately.
  const limiter = info.operation.anonymous ? undefined : link.rateLimiter;
  const waiting = info.operation.longPoll ? undefined : waits?.begin();
  const waitFor = (what: string, next: string, ms: number | undefined) =>
    waiting?.update({ what, next, until: ms && clock.monotonic() + ms, isFixed: true });
  const onRateLimit = (ms?: number) => waitFor(`${host} limits the requests of this account`, "the next one goes", ms);
  try {
    for (let nth = 1, last: Verdict | undefined; ; nth++) {
      await interruptible(info, last, limiter?.acquire(signals.stop, onRateLimit));
      await attempts?.beforeSend().catch((error) => {
        limiter?.recordFailure(false);
        throw error;
      });
      trace?.(`> ${describe()}`);
      const verdict = await attempt(link, prepared, { ...sendOptions, limiter, waiting });
      trace?.(`< ${verdict.kind === "streaming" ? "200, a record at a time" : verdictText(verdict)}`);
      if (verdict.kind === "streaming" || verdict.kind === "success") return verdict;
      const pause = pauseBefore(info.operation, verdict, nth, clock.random());
      if (!pause || !retryBudget.spend(pause.counted, clock.monotonic())) return verdict;
      await attempts?.notApplied();
      waitFor(describeFailure(host, verdict), "trying again", pause.ms);
      await interruptible(info, verdict, clock.sleep(pause.ms, signals.stop));
      last = verdict;
    }
  } finally {
    waiting?.end();
  }
}

/** Waits before an attempt. `verdict`: the result of the last one. */
async function interruptible(info: RequestInfo, verdict: Verdict | undefined, waiting?: Promise<void>): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    const details = {
      request: { method: info.operation.method, path: info.path },
      outcome: verdict ? outcomeOf(info, verdict) : isChange(info.operation) ? ("not_sent" as const) : undefined,
    };
    if (error instanceof Unreachable) Object.assign(error.details, details);
    if (!(error instanceof Interrupted)) throw error;
    throw new Cancelled("interrupted while waiting", error.signal, details);
  }
}

interface Attempt<A> extends SendOptions<A> {
  limiter: RateLimiter | undefined;
  waiting: ActiveWait | undefined;
}

/** Makes one exchange. The records of a streamed list may still be arriving afterwards. */
async function attempt<A extends StreamingAnswer>(
  { world: { signals, clock }, options: { grace }, host, connect }: SendContext,
  { info: { operation }, request, redactor }: Prepared,
  { attempts, read = (response, reader) => reader.bytes(response.body), limiter, waiting }: Attempt<A>,
): Promise<Verdict | A> {
  if (signals.stop.aborted) {
    limiter?.recordFailure(false);
    return { kind: "none", failure: new NoAnswer("interrupted", "stopped", false) };
  }
  const until = clock.monotonic() + request.timeout;
  const wait = (what: string): Wait => ({ what, next: "giving up", until });
  const change = isChange(operation) ? interruptGuard({ signals, clock }, grace) : undefined;
  const leaves = () => {
    attempts?.onFirstByte?.();
    waiting?.update(wait(`waiting for ${host}`));
    change?.leaves();
  };
  waiting?.update(wait(`connecting to ${host}`));
  try {
    const connection = await connect();
    const response = await connection.request({
      ...request,
      signal: change?.signal ?? signals.stop,
      beforeSend: leaves,
    });
    waiting?.update(wait(`receiving the answer of ${host}`));
    const verdict = await read(response, answerReader(operation, response, { now: clock.now, redactor }));
    limiter?.recordAnswer(response, "retryAfter" in verdict ? verdict.retryAfter : undefined);
    // Of changes, only `zulipctl api` prints the head.
    if (verdict.kind === "success" && (!change || operation.generic)) rememberHead(verdict.answer, response, redactor);
    return verdict;
  } catch (error) {
    limiter?.recordFailure(error instanceof NoAnswer && error.maybeSent);
    if (error instanceof NoAnswer) return { kind: "none", failure: error };
    throw error;
  } finally {
    change?.ends();
  }
}

/** An interrupt ends a change before it is sent. Afterwards its answer is awaited for `grace` milliseconds. */
function interruptGuard({ signals, clock }: Pick<World, "signals" | "clock">, grace: number) {
  const { stop } = signals;
  const abort = new AbortController();
  const answered = new AbortController();
  let isUnderway = false;
  const onInterrupt = () => {
    const end = () => abort.abort(stop.reason);
    if (isUnderway) clock.sleep(grace, answered.signal).then(end, () => undefined);
    else end();
  };
  stop.addEventListener("abort", onInterrupt, { once: true });
  return {
    signal: abort.signal,
    leaves() {
      if (isUnderway) return;
      isUnderway = true;
      signals.unansweredChanges++;
      signals.outcome = "unknown";
    },
    ends() {
      if (isUnderway) signals.unansweredChanges--;
      answered.abort("answered");
      stop.removeEventListener("abort", onInterrupt);
    },
  };
}

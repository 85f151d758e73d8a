/** Makes one call: waits for the rate limit, repeats it if that is safe, and ends on Ctrl-C. */
import { Cancelled, Interrupted, Unreachable } from "../errors.ts";
import type { ActiveWait, Wait } from "../output/wait-display.ts";
import { isChange } from "../wire/operation.ts";
import { type Connection, type HttpResponse, NoAnswer, type World } from "../world.ts";
import type { Arriving } from "./arriving.ts";
import { outcomeOf, type RequestInfo } from "./outcome.ts";
import type { Prepared } from "./prepared.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { type AnswerReader, answerReader, keepHead } from "./response-reader.ts";
import { pauseBefore, why } from "./retry.ts";
import type { Attempts, ServerOptions } from "./sending.ts";
import { summaryOf, type Verdict } from "./verdict.ts";

export interface Link {
  world: World;
  options: ServerOptions;
  rateLimiter: RateLimiter;
  host: string;
  connect(): Promise<Connection>;
}

interface How<A> {
  attempts?: Attempts | undefined;
  /** Reads the answer. By default all of it. */
  read?: (response: HttpResponse, reader: AnswerReader) => Promise<Verdict | A>;
}

export async function send<A extends Arriving = never>(
  link: Link,
  prepared: Prepared,
  how: How<A> = {},
): Promise<Verdict | A> {
  const { world, options, host } = link;
  const { trace, retryBudget, waits } = options;
  const { clock, signals } = world;
  const { info, shown } = prepared;
  const { attempts } = how;
  // Servers count calls without credentials separately.
  const limiter = info.operation.anonymous ? undefined : link.rateLimiter;
  const waiting = info.operation.longPoll ? undefined : waits?.begin();
  const waitFor = (what: string, next: string, ms: number | undefined) =>
    waiting?.update({ what, next, until: ms && clock.monotonic() + ms, isFixed: true });
  const limited = (ms?: number) => waitFor(`${host} limits the requests of this account`, "the next one goes", ms);
  try {
    for (let nth = 1, last: Verdict | undefined; ; nth++) {
      await interruptible(info, last, limiter?.turn(signals.stop, limited));
      await attempts?.beforeSend().catch((error) => {
        limiter?.unanswered(false);
        throw error;
      });
      trace?.(`> ${shown()}`);
      const verdict = await attempt(link, prepared, { ...how, limiter, waiting });
      trace?.(`< ${verdict.kind === "arriving" ? "200, a record at a time" : summaryOf(verdict)}`);
      if (verdict.kind === "arriving" || verdict.kind === "success") return verdict;
      const pause = pauseBefore(info.operation, verdict, nth, clock.random());
      if (!pause || !retryBudget.spend(pause.limited, clock.monotonic())) return verdict;
      await attempts?.notApplied();
      waitFor(why(host, verdict), "trying again", pause.ms);
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

interface Attempt<A> extends How<A> {
  limiter: RateLimiter | undefined;
  waiting: ActiveWait | undefined;
}

/** Makes one exchange. The records of a streamed list may still be arriving afterwards. */
async function attempt<A extends Arriving>(
  { world: { signals, clock }, options: { grace }, host, connect }: Link,
  { info: { operation }, request, redactor }: Prepared,
  { attempts, read = (response, reader) => reader.bytes(response.body), limiter, waiting }: Attempt<A>,
): Promise<Verdict | A> {
  if (signals.stop.aborted) {
    limiter?.unanswered(false);
    return { kind: "none", failure: new NoAnswer("interrupted", "stopped", false) };
  }
  const until = clock.monotonic() + request.timeout;
  const wait = (what: string): Wait => ({ what, next: "giving up", until });
  const change = isChange(operation) ? protectedChange({ signals, clock }, grace) : undefined;
  const leaves = () => {
    attempts?.onFirstByte?.();
    waiting?.update(wait(`waiting for ${host}`));
    change?.leaves();
  };
  waiting?.update(wait(`connecting to ${host}`));
  try {
    const connection = await connect();
    const response = await connection.request({ ...request, signal: change?.signal ?? signals.stop, leaves });
    waiting?.update(wait(`receiving the answer of ${host}`));
    const verdict = await read(response, answerReader(operation, response, { now: clock.now, redactor }));
    limiter?.answered(response, "retryAfter" in verdict ? verdict.retryAfter : undefined);
    // Of changes, only `zulipctl api` prints the head.
    if (verdict.kind === "success" && (!change || operation.generic)) keepHead(verdict.answer, response, redactor);
    return verdict;
  } catch (error) {
    limiter?.unanswered(error instanceof NoAnswer && error.left);
    if (error instanceof NoAnswer) return { kind: "none", failure: error };
    throw error;
  } finally {
    change?.ends();
  }
}

/** An interrupt ends a change before it is sent. Afterwards its answer is awaited for `grace` milliseconds. */
function protectedChange({ signals, clock }: Pick<World, "signals" | "clock">, grace: number) {
  const { stop } = signals;
  const abort = new AbortController();
  const answered = new AbortController();
  let underway = false;
  const interrupted = () => {
    const end = () => abort.abort(stop.reason);
    if (underway) clock.sleep(grace, answered.signal).then(end, () => undefined);
    else end();
  };
  stop.addEventListener("abort", interrupted, { once: true });
  return {
    signal: abort.signal,
    leaves() {
      if (underway) return;
      underway = true;
      signals.underway++;
      signals.outcome = "unknown";
    },
    ends() {
      if (underway) signals.underway--;
      answered.abort("answered");
      stop.removeEventListener("abort", interrupted);
    },
  };
}

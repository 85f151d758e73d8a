/** Makes one call: waits for the rate limit, repeats it if that is safe, and ends on Ctrl-C. */
import { Cancelled, Interrupted, Unreachable } from "../errors.ts";
import type { Wait, Waiting } from "../output/waiting.ts";
import { alters } from "../wire/operation.ts";
import { type Connection, NoAnswer, type World } from "../world.ts";
import { type Arriving, arriving, type Wanted } from "./arriving.ts";
import { type Asked, outcomeOf } from "./outcome.ts";
import type { Prepared } from "./prepared.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { answerReader, keepHead } from "./response-reader.ts";
import { pauseBefore, why } from "./retry.ts";
import type { Attempts, ServerOptions } from "./sending.ts";
import { inShort, type Verdict } from "./verdict.ts";

export interface Link {
  world: World;
  options: ServerOptions;
  rateLimiter: RateLimiter;
  host: string;
  connect(): Promise<Connection>;
}

interface How {
  attempts?: Attempts | undefined;
  /** The list to stream. */
  wanted?: Wanted | undefined;
}

export async function send(link: Link, prepared: Prepared, how: How & { wanted?: undefined }): Promise<Verdict>;
export async function send(link: Link, prepared: Prepared, how: How): Promise<Verdict | Arriving>;
export async function send(link: Link, prepared: Prepared, { attempts, wanted }: How): Promise<Verdict | Arriving> {
  const { world, options, rateLimiter, host } = link;
  const { trace, retryBudget, waits } = options;
  const { clock, signals } = world;
  const { asked, shown } = prepared;
  // Servers count calls without credentials separately.
  const pace = asked.operation.anonymous ? undefined : rateLimiter;
  const waiting = asked.operation.longPoll ? undefined : waits?.begin();
  const waitFor = (what: string, next: string, ms: number | undefined) =>
    waiting?.now({ what, next, until: ms && clock.monotonic() + ms, fixed: true });
  const held = (ms?: number) => waitFor(`${host} limits the requests of this account`, "the next one goes", ms);
  try {
    for (let nth = 1, last: Verdict | undefined; ; nth++) {
      await interruptible(asked, last, pace?.turn(signals.stop, held));
      await attempts?.leaving().catch((error) => {
        pace?.unanswered(false);
        throw error;
      });
      trace?.(`> ${shown()}`);
      const verdict = await attempt(link, prepared, { leaves: attempts?.leaves, wanted, pace, waiting });
      trace?.(`< ${verdict.kind === "arriving" ? "200, a record at a time" : inShort(verdict)}`);
      if (verdict.kind === "arriving" || verdict.kind === "success") return verdict;
      const pause = pauseBefore(asked.operation, verdict, nth, clock.random());
      if (!pause || !retryBudget.spend(pause.limited, clock.monotonic())) return verdict;
      await attempts?.returned();
      waitFor(why(host, verdict), "trying again", pause.ms);
      await interruptible(asked, verdict, clock.sleep(pause.ms, signals.stop));
      last = verdict;
    }
  } finally {
    waiting?.end();
  }
}

/** Waits before an attempt. `verdict`: the result of the last one. */
async function interruptible(asked: Asked, verdict: Verdict | undefined, waiting?: Promise<void>): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    const details = {
      request: { method: asked.operation.method, path: asked.path },
      outcome: verdict ? outcomeOf(asked, verdict) : alters(asked.operation) ? ("not_sent" as const) : undefined,
    };
    if (error instanceof Unreachable) Object.assign(error.details, details);
    if (!(error instanceof Interrupted)) throw error;
    throw new Cancelled("interrupted while waiting", error.signal, details);
  }
}

interface Attempt extends Pick<How, "wanted"> {
  /** If it throws, nothing is sent. */
  leaves: (() => void) | undefined;
  pace: RateLimiter | undefined;
  waiting: Waiting | undefined;
}

/**
 * Makes one exchange. An interrupt ends it, but waits some time for a change that was sent. The records of a streamed
 * list may still be arriving afterwards.
 */
async function attempt(
  { world: { signals, clock }, options: { grace, waits }, host, connect }: Link,
  { asked: { operation }, request, redactor }: Prepared,
  { leaves: permitted, wanted, pace, waiting }: Attempt,
): Promise<Verdict | Arriving> {
  const { stop } = signals;
  if (stop.aborted) {
    pace?.unanswered(false);
    return { kind: "none", failure: new NoAnswer("interrupted", "stopped", false) };
  }
  const abort = new AbortController();
  const over = new AbortController();
  let underway = false;
  const until = clock.monotonic() + request.timeout;
  const wait = (what: string): Wait => ({ what, next: "giving up", until });
  const leaves = () => {
    permitted?.();
    waiting?.now(wait(`waiting for ${host}`));
    if (underway || !alters(operation)) return;
    underway = true;
    signals.underway++;
    signals.outcome = "unknown";
  };
  const interrupted = () => {
    const end = () => abort.abort(stop.reason);
    if (underway) clock.sleep(grace, over.signal).then(end, () => undefined);
    else end();
  };
  const end = () => {
    if (underway) signals.underway--;
    over.abort("over");
    stop.removeEventListener("abort", interrupted);
  };
  stop.addEventListener("abort", interrupted, { once: true });
  waiting?.now(wait(`connecting to ${host}`));
  let going = false;
  try {
    const connection = await connect();
    const response = await connection.request({ ...request, signal: abort.signal, leaves });
    const receiving = `receiving the answer of ${host}`;
    waiting?.now(wait(receiving));
    const reader = answerReader(operation, response, { now: clock.now, redactor });
    const verdict = wanted ? await arriving(operation, wanted, response, reader) : await reader.bytes(response.body);
    pace?.answered(response, "retryAfter" in verdict ? verdict.retryAfter : undefined);
    // Of changes only `zulipctl api` asks for it.
    if (verdict.kind === "success" && (!alters(operation) || operation.unstated))
      keepHead(verdict.answer, response, redactor);
    if (verdict.kind !== "arriving") return verdict;
    going = true;
    const during = <T>(work: Promise<T>) => waits?.during({ what: receiving }, work) ?? work;
    return { ...verdict, batches: watched(verdict.batches, during, end) };
  } catch (error) {
    pace?.unanswered(error instanceof NoAnswer && error.left);
    if (error instanceof NoAnswer) return { kind: "none", failure: error };
    throw error;
  } finally {
    if (!going) end();
  }
}

/** Passes on batches, each awaited with `during`. Calls `end` at the end. */
async function* watched<B, R>(
  batches: AsyncGenerator<B, R>,
  during: <T>(work: Promise<T>) => Promise<T>,
  end: () => void,
): AsyncGenerator<B, R> {
  try {
    for (;;) {
      const { done, value } = await during(batches.next());
      if (done) return value;
      yield value;
    }
  } finally {
    await batches.return(undefined as R);
    end();
  }
}

/** One request and its answer, as a verdict. */
import type { Wait, Waiting, Waits } from "../output/waiting.ts";
import { type AnyOperation, alters } from "../wire/operation.ts";
import { type Connection, type HttpRequest, NoAnswer, type World } from "../world.ts";
import { type Arriving, arriving, type Wanted } from "./arriving.ts";
import { keepHead } from "./head.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Redactor } from "./redactor.ts";
import { responseReader } from "./response-reader.ts";
import type { Verdict } from "./verdict.ts";

interface Dependencies {
  connect(): Promise<Connection>;
  world: Pick<World, "signals" | "clock">;
  host: string;
  /** How long an interrupted change that is on its way is awaited, in milliseconds. */
  grace: number;
  redactor: Redactor;
  /** What it throws keeps the request here. */
  leaves?: (() => void) | undefined;
  /** Told what became of it, once. */
  pace?: Pick<RateLimiter, "heard" | "silent" | "unsent"> | undefined;
  /** Told what is waited for: by this request, and by records that arrive after it. */
  waiting?: Waiting | undefined;
  waits?: Waits | undefined;
}

/**
 * An interruption ends it at once unless it is a change that has left this machine: that is awaited for a while. Where
 * one list of the answer is wanted, its records may still be arriving afterwards.
 */
export async function attempt(
  operation: AnyOperation,
  request: Omit<HttpRequest, "signal" | "leaves">,
  { connect, world: { signals, clock }, host, grace, redactor, leaves: permitted, pace, waiting, waits }: Dependencies,
  wanted?: Wanted,
): Promise<Verdict | Arriving> {
  const { stop } = signals;
  if (stop.aborted) {
    pace?.unsent();
    return none(new NoAnswer("interrupted", "stopped", false));
  }
  const abort = new AbortController();
  // Made when it is needed: an abort without a reason makes an error with a stack, which takes longer than all else here.
  let done: AbortController | undefined;
  let underway = false;
  const until = clock.monotonic() + request.timeout;
  const wait = (what: string): Wait => ({ what, next: "giving up", until });
  waiting?.now(wait(`connecting to ${host}`));
  const leaves = () => {
    permitted?.();
    waiting?.now(wait(`waiting for ${host}`));
    if (underway || !alters(operation)) return;
    underway = true;
    signals.underway++;
    signals.outcome = "unknown";
  };
  const interrupted = () => {
    if (!underway) return abort.abort(stop.reason);
    const end = () => abort.abort(stop.reason);
    done = new AbortController();
    clock.sleep(grace, done.signal).then(end, () => undefined);
  };
  stop.addEventListener("abort", interrupted, { once: true });
  const over = () => {
    if (underway) signals.underway--;
    done?.abort();
    stop.removeEventListener("abort", interrupted);
  };
  let going = false;
  try {
    const connection = await connect();
    const response = await connection.request({ ...request, signal: abort.signal, leaves });
    const arrives = wait(`receiving the answer of ${host}`);
    waiting?.now(arrives);
    const hear = responseReader(operation, response, { now: clock.now, redactor, stop: abort.signal });
    const verdict = wanted ? await arriving(operation, wanted, response, hear) : await hear.bytes(response.body);
    pace?.heard(response, "retryAfter" in verdict ? verdict.retryAfter : undefined);
    // Of changes nobody asks for it but who made the request out.
    if (verdict.kind === "success" && (!alters(operation) || operation.unstated))
      keepHead(verdict.answer, response, redactor);
    if (verdict.kind !== "arriving") return verdict;
    going = true;
    return { ...verdict, batches: before(watched(verdict.batches, arrives.what, waits), over) };
  } catch (error) {
    const left = error instanceof NoAnswer && error.left;
    if (left) pace?.silent();
    else pace?.unsent();
    if (error instanceof NoAnswer) return none(error);
    throw error;
  } finally {
    if (!going) over();
  }
}

/** The same batches; `over` is called when they end or nobody wants more. */
async function* before<B, R>(batches: AsyncGenerator<B, R>, over: () => void): AsyncGenerator<B, R> {
  try {
    return yield* batches;
  } finally {
    over();
  }
}

/** The same batches; each is waited for. */
async function* watched<B, R>(batches: AsyncGenerator<B, R>, what: string, waits?: Waits): AsyncGenerator<B, R> {
  try {
    for (;;) {
      const next = batches.next();
      const { done, value } = await (waits ? waits.during({ what }, next) : next);
      if (done) return value;
      yield value;
    }
  } finally {
    await batches.return(undefined as R);
  }
}

const none = (failure: NoAnswer): Verdict => ({ kind: "none", failure });

/** One call until there is something to tell of it: paced, tried again where that is safe, and left on Ctrl-C. */
import { Cancelled, Interrupted, Unreachable } from "../errors.ts";
import type { Waiting } from "../output/waiting.ts";
import { alters } from "../wire/operation.ts";
import type { Connection, World } from "../world.ts";
import type { Arriving, Wanted } from "./arriving.ts";
import { attempt } from "./attempt.ts";
import { type Asked, outcomeOf } from "./outcome.ts";
import type { Prepared } from "./prepared.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { paced, pauseBefore, why } from "./retry.ts";
import type { Attempts, ServerOptions } from "./server-options.ts";
import { inShort, type Verdict } from "./verdict.ts";

export interface SendDependencies {
  world: World;
  options: ServerOptions;
  rateLimiter: RateLimiter;
  host: string;
  connect(): Promise<Connection>;
}

interface SendOptions {
  attempts?: Attempts | undefined;
  wanted?: Wanted | undefined;
}

export async function send(
  dependencies: SendDependencies,
  prepared: Prepared,
  wish: SendOptions & { wanted?: undefined },
): Promise<Verdict>;
export async function send(
  dependencies: SendDependencies,
  prepared: Prepared,
  wish: SendOptions,
): Promise<Verdict | Arriving>;
export async function send(
  dependencies: SendDependencies,
  prepared: Prepared,
  wish: SendOptions,
): Promise<Verdict | Arriving> {
  const waiting = dependencies.options.waits?.begin();
  try {
    return await tryOn(dependencies, prepared, { ...wish, waiting });
  } finally {
    waiting?.end();
  }
}

async function tryOn(
  { world, options, rateLimiter, host, connect }: SendDependencies,
  { asked, request, shown, redactor }: Prepared,
  { attempts, wanted, waiting }: SendOptions & { waiting: Waiting | undefined },
): Promise<Verdict | Arriving> {
  const { trace, retryBudget, grace, waits } = options;
  const { clock, signals } = world;
  const { operation } = asked;
  // A call without credentials is in another bucket.
  const pace = operation.anonymous ? undefined : rateLimiter;
  const leaves = attempts?.leaves;
  const each = { world, host, grace, redactor, pace, leaves, waiting, waits, connect };
  const until = (ms: number) => clock.monotonic() + ms;
  const pacing = (ms?: number) =>
    waiting?.now({ what: paced(host), next: "the next one goes", until: ms && until(ms), fixed: true });
  for (let nth = 1, last: Verdict | undefined; ; nth++) {
    await whileWaiting(asked, last, pace?.turn(signals.stop, pacing));
    await attempts?.leaving().catch((error) => {
      pace?.unsent();
      throw error;
    });
    trace?.(`> ${shown()}`);
    const verdict = await attempt(operation, request, each, wanted);
    trace?.(`< ${verdict.kind === "arriving" ? "200, a record at a time" : inShort(verdict)}`);
    if (verdict.kind === "arriving") return verdict;
    const pause = pauseBefore(operation, verdict, nth, clock.random());
    if (!pause || !retryBudget.spend(pause.limited, clock.monotonic())) return verdict;
    await attempts?.returned();
    waiting?.now({ what: why(host, verdict), next: "trying again", until: until(pause.ms), fixed: true });
    await whileWaiting(asked, verdict, clock.sleep(pause.ms, signals.stop));
    last = verdict;
  }
}

/** `verdict` is that of the last attempt. */
async function whileWaiting(asked: Asked, verdict: Verdict | undefined, waiting?: Promise<void>): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    const unmade = {
      request: { method: asked.operation.method, path: asked.path },
      outcome: verdict ? outcomeOf(asked, verdict) : alters(asked.operation) ? ("not_sent" as const) : undefined,
    };
    if (error instanceof Unreachable) Object.assign(error.details, unmade);
    if (!(error instanceof Interrupted)) throw error;
    throw new Cancelled("interrupted while waiting", error.signal, unmade);
  }
}

/** Follows the changes of an organization: over lost connections, and until a time or a signal. */

import type { Server } from "../client/server.ts";
import { Failure, Unreachable } from "../errors.ts";
import { programLine } from "../output/line.ts";
import { timeText } from "../output/when.ts";
import { type Clock, NoAnswer, type Signals } from "../world/world.ts";
import { type Burst, EventReader } from "./event-reader.ts";

interface FollowOptions {
  readonly server: Server;
  readonly clock: Clock;
  readonly signals: Signals;
  /** Include events of messages that the account receives. */
  readonly messages: boolean;
  readonly notice: (line: string) => Promise<void>;
  /** The end, in milliseconds of the monotonic clock. */
  readonly until: number | undefined;
}

/** The time between two attempts, in milliseconds. */
const shortestDelay = 1000;
const longestDelay = 60_000;

/** Each attempt with a wrong password counts against its account. */
const isRefusedByProxy = ({ details: { cause } }: Unreachable): boolean =>
  cause instanceof NoAnswer && cause.why === "proxy";

const isQueueLost = (error: unknown): boolean =>
  error instanceof Failure && error.details.code === "BAD_EVENT_QUEUE_ID";

/** Says that events since `answered`, in milliseconds since 1970, cannot be read any more. */
function lossNotice(host: string, answered: number, messages: boolean): string {
  const others = messages ? " Messages received meanwhile are not printed." : "";
  return programLine(
    `${host} no longer has the events since ${timeText(answered)}. zulipctl reads the organization again and marks what changed as missed. What was changed back is not visible.${others}`,
  );
}

/** Continues after network errors. Throws the `Failure` of an account that cannot read the organization. */
export async function* follow(options: FollowOptions): AsyncGenerator<Burst> {
  const { server, clock, signals, messages, notice, until = Number.POSITIVE_INFINITY } = options;
  const { host } = server;
  const reader = new EventReader(server, clock, { messages });
  const timeLeft = () => until - clock.monotonic();
  /** The number of requests in a row that brought no event. */
  let fruitless = 0;
  let isAway = false;

  /** Pauses longer after each request without an event, so that no answer makes this loop fast. */
  async function backOff(began: number): Promise<void> {
    const delay = Math.min(longestDelay, shortestDelay * 2 ** fruitless) - (clock.monotonic() - began);
    fruitless++;
    if (delay > 0) await clock.sleep(Math.min(delay, timeLeft()), signals.stop);
  }

  try {
    while (timeLeft() > 0) {
      const began = clock.monotonic();
      const { lastEvent, isCaughtUp } = reader;
      try {
        yield* reader.read(timeLeft());
        const hasNewEvents = reader.lastEvent !== lastEvent;
        if (isCaughtUp && hasNewEvents) fruitless = 0;
        yield [];
        if (isAway) await notice(programLine(`connected to ${host} again`));
        isAway = false;
        if (!hasNewEvents) await backOff(began);
      } catch (error) {
        if (isQueueLost(error)) {
          reader.forgetQueue();
          if (!fruitless) await notice(lossNotice(host, reader.answered, messages));
        } else if (error instanceof Unreachable && reader.hasState && !isRefusedByProxy(error)) {
          if (timeLeft() <= 0) break;
          if (!isAway) await notice(programLine(`${error.message}. Trying again until it answers.`));
          isAway = true;
        } else throw error;
        await backOff(began);
      }
    }
  } finally {
    await reader.close();
  }
}

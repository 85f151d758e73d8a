/** Waiting as long as a caller does. */
import { type HttpRequest, NoAnswer } from "../world.ts";

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** What can be waited with for one request, in all no longer than its caller waits. */
export type Wait = (ms: number, until?: AbortSignal) => Promise<void>;

/** When the caller gives up, throws as a connection would; `until` ends the wait before its time. */
export function waiting({ timeout, signal }: Pick<HttpRequest, "timeout" | "signal">, sleep: Sleep): Wait {
  let left = timeout;
  return async (ms, until) => {
    const pause = Math.min(ms, left);
    left -= pause;
    const ends = until ? AbortSignal.any([until, ...(signal ? [signal] : [])]) : signal;
    await sleep(pause, ends).catch(() => {
      if (signal?.aborted || !until?.aborted) throw new NoAnswer("the request was stopped", "stopped", true);
    });
    if (until?.aborted) return;
    if (ms > pause) throw new NoAnswer(`timed out after ${timeout / 1000} seconds`, "timeout", true);
  };
}

/** Rate limits: sliding windows that forget each call one window after it was made. */
import { ApiError } from "./answers.ts";

/** At most `hits` calls in any `seconds`. */
export interface RateLimit {
  seconds: number;
  hits: number;
}

/** The state of a bucket, for headers. */
export interface BucketState {
  limit: number;
  remaining: number;
  /** Milliseconds since the epoch at which the bucket is empty again. */
  reset: number;
}

export const perUser = (level: number): RateLimit[] => [
  { seconds: 60, hits: 200 },
  ...(level > 371 ? [{ seconds: 3600, hits: 2000 }] : []),
];
export const perAddress: RateLimit[] = [{ seconds: 60, hits: 100 }];

export const loginLimit: RateLimit[] = [{ seconds: 1800, hits: 5 }];

export const rateLimitHeaders = (buckets: readonly BucketState[]): Record<string, string> =>
  buckets.length === 0
    ? {}
    : {
        "x-ratelimit-limit": String(Math.min(...buckets.map(({ limit }) => limit))),
        "x-ratelimit-remaining": String(Math.min(...buckets.map(({ remaining }) => remaining))),
        "x-ratelimit-reset": String(Math.ceil(Math.max(...buckets.map(({ reset }) => reset)) / 1000)),
      };

function rateLimitError(level: number, wait: number, headers: Record<string, string>): ApiError {
  const words = "API usage exceeded rate limit";
  const msg = level > 371 ? `${words}; see https://zulip.com/api/http-headers#rate-limiting-response-headers` : words;
  return new ApiError(429, "RATE_LIMIT_HIT", msg, { "retry-after": wait }, { ...headers, "retry-after": String(wait) });
}

export class Limits {
  readonly #calls = new Map<string, number[]>();

  /** Counts a call. If the bucket is full, throws the 429 instead. */
  hit(bucket: string, rules: readonly RateLimit[], now: number, level: number): BucketState {
    const longest = Math.max(...rules.map(({ seconds }) => seconds)) * 1000;
    const calls = (this.#calls.get(bucket) ?? []).filter((at) => at > now - longest);
    this.#calls.set(bucket, calls);
    const limit = Math.min(...rules.map(({ hits }) => hits));
    for (const { seconds, hits } of rules.toSorted((a, b) => b.seconds - a.seconds)) {
      const [last, newest] = [calls.at(-hits), calls.at(-1)];
      if (last === undefined || newest === undefined || last + seconds * 1000 <= now) continue;
      const reset = newest + seconds * 1000;
      throw rateLimitError(
        level,
        (last + seconds * 1000 - now) / 1000,
        rateLimitHeaders([{ limit, remaining: 0, reset }]),
      );
    }
    calls.push(now);
    // Zulip does not document which of several rules the headers show. A client can pace itself by the rule that is
    // exhausted first. Of equals, the longer one counts.
    const states = rules.map(({ seconds, hits }) => ({
      limit,
      remaining: hits - calls.filter((at) => at > now - seconds * 1000).length,
      reset: now + seconds * 1000,
    }));
    return states.reduce((tightest, each) => (each.remaining <= tightest.remaining ? each : tightest));
  }

  /** A success clears the history of a bucket that counts failures. */
  clear(bucket: string): void {
    this.#calls.delete(bucket);
  }
}

/** Counts the calls of an account in sliding windows, and says when the next one may be sent. */
import { hour, minute } from "../common/unit-sizes.ts";

/** At most `capacity` calls in any `window` milliseconds, without the calls of unknown processes. */
interface WindowRule {
  window: number;
  capacity: number;
  /** The server's limit for all processes, if known. The capacity is never larger. */
  limit?: number;
  /** When the server last stated it. */
  at: number;
}

/** The default limit of servers for an account in a minute. */
const defaultLimit = 200;
/** Servers count at most an hour. Clocks may differ a little. */
const maxWindow = hour + 5000;
/** Reset times have whole seconds, and clocks differ a little. */
const tolerance = 2500;

/** Returns the index of the first time after `since` in a sorted list. */
function indexAfter(times: readonly number[], since: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? since) > since) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** All times are milliseconds of a clock that never jumps. */
export class RateWindow {
  readonly rules: WindowRule[] = [];
  /** When this process received answers, the oldest first. The server counted the calls no later. */
  own: number[] = [];
  /** The same of other processes. */
  #others: number[] = [];
  /** Unanswered calls of this process. */
  underway = 0;
  /** The end of a wait after a 429. */
  blocked = Number.NEGATIVE_INFINITY;

  #count(window: number, now: number): number {
    const since = now - window;
    return this.own.length - indexAfter(this.own, since) + this.#others.length - indexAfter(this.#others, since);
  }

  /** Learns from other processes: their calls, the oldest first, and newer limits. */
  setOthers(others: number[], rules: readonly WindowRule[]): void {
    for (const rule of this.rules) {
      // The server's last statement already subtracted these calls, but the capacity did not count them.
      const counted = (times: number[]) => indexAfter(times, rule.at) - indexAfter(times, rule.at - rule.window);
      // A call with an answer at the same time may count twice. The limit bounds that.
      rule.capacity = Math.min(
        rule.capacity + counted(others) - counted(this.#others),
        rule.limit ?? Number.POSITIVE_INFINITY,
      );
    }
    this.#others = others;
    for (const { window, capacity, at } of others.length ? rules : []) {
      if (!(window > 0 && window < maxWindow)) continue;
      const known = this.#findRule(window);
      if (!known) this.rules.push({ window, capacity, at });
      else if (at > known.at) Object.assign(known, { capacity, at });
    }
  }

  #findRule(window: number): WindowRule | undefined {
    return this.rules.find((rule) => Math.abs(rule.window - window) <= tolerance);
  }

  /** Counts a call that was answered, or that will never be. */
  recordCall(now: number): void {
    this.own.push(now);
    if (this.own.length > 4096) this.own = this.own.slice(indexAfter(this.own, now - hour));
  }

  /**
   * Learns from an answer to a counted call: the limit, the `remaining` calls, and the milliseconds until none counts. A
   * call was just made, so these milliseconds are the window.
   */
  learn({ limit, remaining, window }: Record<"limit" | "remaining" | "window", number>, now: number): void {
    if (!(window > 0 && window < maxWindow)) return;
    const rule = this.#ruleFor(window, limit, now);
    // The server may or may not have counted the calls that are underway.
    const least = remaining + this.#count(rule.window, now);
    if (rule.capacity < least || rule.capacity > least + this.underway) rule.capacity = least;
    rule.at = now;
    // Servers state the smallest of their limits, which is that of the shortest window.
    if (rule.window <= minute + tolerance && least <= limit) rule.limit = limit;
    const slow = rule.window > minute + tolerance && limit / rule.window <= defaultLimit / minute;
    // Some servers state only the limit of an hour, but also limit a minute. Assuming it costs a long run nothing.
    if (slow && !this.rules.some((other) => other.window <= minute))
      this.rules.push({ window: minute, capacity: defaultLimit, at: now });
  }

  #ruleFor(sample: number, limit: number, at: number): WindowRule {
    const whole = Math.round(sample / minute) * minute;
    const window = whole > 0 && Math.abs(sample - whole) <= tolerance ? whole : sample;
    const found = this.#findRule(window);
    if (!found) {
      const rule = { window, capacity: limit, at };
      this.rules.push(rule);
      return rule;
    }
    found.window = Math.max(found.window, window);
    return found;
  }

  /** Returns whether so few calls are left that processes must share them. */
  isScarce(now: number): boolean {
    if (this.blocked > now) return true;
    return this.rules.some((rule) => {
      const left = rule.capacity - this.#count(rule.window, now) - this.underway;
      return left * 4 <= rule.capacity;
    });
  }

  /**
   * Returns the milliseconds until the next call. 0 for now, undefined if only an answer can tell. `sharers` processes
   * have equal shares. `othersUnderway`: the unanswered calls of the others.
   */
  wait(now: number, sharers = 1, othersUnderway = 0): number | undefined {
    let longest = Math.max(0, this.blocked - now);
    for (const rule of this.rules) {
      const since = now - rule.window;
      const usable = Math.max(1, rule.capacity);
      const own = this.own.slice(indexAfter(this.own, since));
      const all = [...this.#others.slice(indexAfter(this.#others, since)), ...own].sort((one, other) => one - other);
      for (const [calls, underway, most] of [
        [all, this.underway + othersUnderway, usable],
        [own, this.underway, Math.ceil(usable / sharers)],
      ] as const) {
        const over = calls.length + underway - most;
        if (over < 0) continue;
        const freeing = calls[over];
        if (freeing === undefined) return undefined;
        longest = Math.max(longest, freeing + rule.window - now);
      }
    }
    return longest;
  }
}

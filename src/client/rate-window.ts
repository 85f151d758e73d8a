/** The calls that an account has made and how many its server takes: what may still be sent, and when. */

/** At most `capacity` calls in any `window` milliseconds, not counting calls that nobody here knows of. Windows slide. */
export interface Rule {
  window: number;
  capacity: number;
}

export interface Learned extends Rule {
  /** What the server allows everybody together, where it said so: no capacity is larger. */
  limit?: number;
  /** When the server last told of it. */
  at: number;
}

const minute = 60_000;
export const hour = 60 * minute;
/** What servers allow an account in a minute, unless told otherwise. */
const usual = 200;
/** No server is known to count longer; a little for clocks that differ. */
const longest = hour + 5000;
/** Reset times come in whole seconds and clocks differ a little. */
const close = 2500;

/** Where the first time after `since` stands in a sorted list. */
function after(times: readonly number[], since: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? since) > since) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** All times are milliseconds of one clock that does not jump. */
export class RateWindow {
  readonly rules: Learned[] = [];
  /** When the answers to this process's calls came, the oldest first: the server counted them no later than that. */
  own: number[] = [];
  /** The same of other processes. */
  #others: number[] = [];
  /** Calls of this process that have no answer yet. */
  underway = 0;
  /** Nothing is to be sent before. */
  blocked = Number.NEGATIVE_INFINITY;

  #count(window: number, now: number): number {
    const since = now - window;
    return this.own.length - after(this.own, since) + this.#others.length - after(this.#others, since);
  }

  /** Takes over what other processes know: their calls, the oldest first, and limits that they were told of later. */
  share(others: number[], rules: readonly Learned[]): void {
    for (const rule of this.rules) {
      // What the server told before counted these calls off without our knowing.
      const counted = (times: number[]) => after(times, rule.at) - after(times, rule.at - rule.window);
      // A call whose answer came at the same time may have been counted after all the same.
      rule.capacity = Math.min(
        rule.capacity + counted(others) - counted(this.#others),
        rule.limit ?? Number.POSITIVE_INFINITY,
      );
    }
    this.#others = others;
    for (const rule of others.length ? rules : []) {
      if (!(rule.window > 0 && rule.window < longest)) continue;
      const known = this.#known(rule.window);
      if (!known) this.rules.push({ window: rule.window, capacity: rule.capacity, at: rule.at });
      else if (rule.at > known.at) Object.assign(known, { capacity: rule.capacity, at: rule.at });
    }
  }

  #known(window: number): Learned | undefined {
    return this.rules.find((rule) => Math.abs(rule.window - window) <= close);
  }

  /** Notes an answered call, or one whose answer will never come. */
  made(now: number): void {
    this.own.push(now);
    if (this.own.length > 4096) this.own = this.own.slice(after(this.own, now - hour));
  }

  /**
   * Learns from an answer to a call that is noted already: the limit, of which `remaining` are left, and the milliseconds
   * until the bucket would be empty. A call was made just now, so that is the window.
   */
  learn({ limit, remaining, window }: Record<"limit" | "remaining" | "window", number>, now: number): void {
    if (!(window > 0 && window < longest)) return;
    const rule = this.#rule(window, limit, now);
    // How many of the calls that are on their way the server has counted by now cannot be known.
    const least = remaining + this.#count(rule.window, now);
    if (rule.capacity < least || rule.capacity > least + this.underway) rule.capacity = least;
    rule.at = now;
    // Of several limits the least is told, whichever window it belongs to; that is the shortest.
    if (rule.window <= minute + close && least <= limit) rule.limit = limit;
    const slow = rule.window > minute + close && limit / rule.window <= usual / minute;
    // Some servers tell of the hour's limit alone and have the minute's all the same. It costs a long run nothing.
    if (slow && !this.rules.some((other) => other.window <= minute))
      this.rules.push({ window: minute, capacity: usual, at: now });
  }

  #rule(sample: number, limit: number, at: number): Learned {
    const whole = Math.round(sample / minute) * minute;
    const window = whole > 0 && Math.abs(sample - whole) <= close ? whole : sample;
    const found = this.#known(window);
    if (!found) {
      const rule = { window, capacity: limit, at };
      this.rules.push(rule);
      return rule;
    }
    found.window = Math.max(found.window, window);
    return found;
  }

  /** True where so little is left that the processes of the account must share it. */
  scarce(now: number): boolean {
    if (this.blocked > now) return true;
    return this.rules.some((rule) => {
      const left = rule.capacity - this.#count(rule.window, now) - this.underway;
      return left * 4 <= rule.capacity;
    });
  }

  /**
   * Milliseconds until one more call may be made; 0 at once; undefined where only an answer can tell.
   * `sharers` processes have equal parts; `away` calls of the others have no answer yet.
   */
  wait(now: number, sharers = 1, away = 0): number | undefined {
    let longest = Math.max(0, this.blocked - now);
    for (const rule of this.rules) {
      const since = now - rule.window;
      const usable = Math.max(1, rule.capacity);
      const own = this.own.slice(after(this.own, since));
      const all = [...this.#others.slice(after(this.#others, since)), ...own].sort((one, other) => one - other);
      for (const [calls, away_, most] of [
        [all, this.underway + away, usable],
        [own, this.underway, Math.ceil(usable / sharers)],
      ] as const) {
        const over = calls.length + away_ - most;
        if (over < 0) continue;
        const freeing = calls[over];
        if (freeing === undefined) return undefined;
        longest = Math.max(longest, freeing + rule.window - now);
      }
    }
    return longest;
  }
}

/**
 * Sends no faster than the server allows. While many requests are left, each process counts alone. When few are left,
 * the processes of an account share them through a small file with a lock. The file may be old, missing or unwritable.
 */

import { createHash, randomUUID } from "node:crypto";
import { hour } from "../common/unit-sizes.ts";
import { Unreachable } from "../errors.ts";
import { durationText } from "../output/progress.ts";
import { fits } from "../wire/fits.ts";
import { integer, list, number, object, record, type Value } from "../wire/types.ts";
import type { HttpResponse, Lock, World } from "../world/world.ts";
import { RateWindow } from "./rate-window.ts";

/** How long a process keeps its share after its last request, in milliseconds. */
const lease = 5000;

const sharedFile = object({
  /** Times in the file are milliseconds since the epoch. */
  rules: list(object({ window: number, capacity: number, at: number })),
  /** The processes that share, by id. `until`: the end of the lease. */
  sharers: record(object({ until: number, underway: integer, calls: list(number) })),
});

type Shared = Value<typeof sharedFile>;

/** An invalid file counts as empty. */
function parse(text: string | undefined): Shared {
  try {
    const shared: unknown = JSON.parse(text ?? "");
    if (fits(sharedFile)(shared)) return shared;
  } catch {}
  return { rules: [], sharers: {} };
}

interface Options {
  /** Reads the file before the first request, for long runs. */
  isLongRun?: boolean | undefined;
  /** The longest wait after a 429, in milliseconds. */
  maxWait?: number;
}

export class RateLimiter {
  readonly #window = new RateWindow();
  #ownId: string | undefined;
  #firstRead: Promise<void> | undefined;
  #queue: Promise<void> = Promise.resolve();
  #onAnswer: (() => void) | undefined;
  /** The number of processes that share, with this one. */
  #sharers = 1;
  /** The number of unanswered calls of the other processes. */
  #othersUnderway = 0;
  /** The file has an entry for this process. */
  #hasEntry = false;
  #isFileBroken = false;

  constructor(
    private readonly world: World,
    private readonly account: { site: string; email?: string },
    private readonly options: Options = {},
  ) {}

  // Most commands share nothing, and loading node:crypto takes longer than they run.
  get #id(): string {
    this.#ownId ??= randomUUID();
    return this.#ownId;
  }

  get #path(): string {
    const { site, email } = this.account;
    const name = createHash("sha256").update(`${site} ${email}`).digest("hex").slice(0, 16);
    return `${this.world.directories.state}/pace/${name}.json`;
  }

  /**
   * Resolves when a request may be sent. Rejects with the reason of `stop`. Call `recordAnswer` or
   * `recordFailure` afterwards.
   * `onWait` receives the milliseconds, if they are known. Throws `Unreachable` if a 429 requires more than `maxWait`.
   */
  async acquire(stop: AbortSignal, onWait?: (ms?: number) => void): Promise<void> {
    if (this.options.isLongRun) {
      this.#firstRead ??= this.#readFile();
      await this.#firstRead;
    }
    if (!this.#window.isScarce(this.world.clock.monotonic())) {
      this.#window.underway++;
      return;
    }
    const own = this.#queue.then(() => this.#wait(stop, onWait));
    this.#queue = own.catch(() => {});
    await own;
  }

  async #wait(stop: AbortSignal, onWait?: (ms?: number) => void): Promise<void> {
    const { clock } = this.world;
    const { maxWait = Number.POSITIVE_INFINITY } = this.options;
    for (;;) {
      const wait = await this.#tryAcquire();
      if (wait === 0) return;
      if (wait !== undefined && this.#window.blocked - clock.monotonic() > maxWait) {
        const { host } = new URL(this.account.site);
        const when = durationText(wait / 1000);
        throw new Unreachable(`${host} takes the next request of this account in ${when}, longer than --max-wait`, {
          hint: "Try again later.",
        });
      }
      onWait?.(wait);
      const answer = new Promise<void>((resolve) => {
        this.#onAnswer = resolve;
      });
      if (wait === undefined) await Promise.race([answer, clock.sleep(1000, stop)]);
      // Meanwhile another process may end, or learn of a higher limit.
      else await clock.sleep(Math.min(wait + 5, lease / 2), stop);
    }
  }

  /** Records an answer. `retryAfter`: the answer's value in seconds. */
  recordAnswer({ status, headers }: Pick<HttpResponse, "status" | "headers">, retryAfter?: number): void {
    const now = this.world.clock.monotonic();
    this.#window.underway--;
    this.#onAnswer?.();
    if (status === 429) {
      if (retryAfter !== undefined) this.#window.blocked = Math.max(this.#window.blocked, now + retryAfter * 1000);
      return;
    }
    const limit = Number(headers["x-ratelimit-limit"]);
    const remaining = Number(headers["x-ratelimit-remaining"]);
    const reset = Number(headers["x-ratelimit-reset"]);
    if (!(limit > 0 && remaining >= 0 && reset > 0)) return;
    this.#window.recordCall(now);
    this.#window.learn({ limit, remaining, window: reset * 1000 - this.#serverTime(headers.date) }, now);
  }

  /** Records that no answer came. `wasSent`: the request may have reached the server. */
  recordFailure(wasSent: boolean): void {
    this.#window.underway--;
    if (wasSent) this.#window.recordCall(this.world.clock.monotonic());
    this.#onAnswer?.();
  }

  /** Ends the lease of this process. */
  async end(): Promise<void> {
    if (this.#hasEntry) await this.#exchange((shared) => this.#writeEntry(shared, 0));
  }

  /** Returns this machine's time if it is near the server's, whose time has whole seconds. */
  #serverTime(date: string | undefined): number {
    const now = this.world.clock.now();
    const serverTime = date === undefined ? Number.NaN : Date.parse(date) + 500;
    return Math.abs(serverTime - now) > 2000 ? serverTime : now;
  }

  async #readFile(): Promise<void> {
    try {
      this.#learn(parse(await this.world.files.read(this.#path)));
    } catch {
      this.#isFileBroken = true;
    }
  }

  /** Returns 0 if a call may be made, and counts it as underway. */
  async #tryAcquire(): Promise<number | undefined> {
    const result = await this.#exchange((shared) => {
      const wait = this.#countCall();
      const { clock } = this.world;
      this.#writeEntry(shared, clock.now() + lease);
      const shift = clock.now() - clock.monotonic();
      shared.rules = this.#window.rules.map(({ window, capacity, at }) => ({ window, capacity, at: at + shift }));
      return { wait };
    });
    return result ? result.wait : this.#countCall();
  }

  #countCall(): number | undefined {
    const wait = this.#window.wait(this.world.clock.monotonic(), this.#sharers, this.#othersUnderway);
    if (wait === 0) this.#window.underway++;
    return wait;
  }

  /** Reads the file, calls `work`, and writes the changed content. Returns undefined if the file cannot be used. */
  async #exchange<T>(work: (shared: Shared) => T): Promise<T | undefined> {
    if (this.#isFileBroken) return undefined;
    const { files, clock } = this.world;
    let lock: Lock | undefined;
    try {
      // A process that holds the lock for longer is on another machine, or dead.
      lock = await files.lock(this.#path, 1000, AbortSignal.timeout(1500));
      if (!lock) throw new Error("locked");
      const shared = parse(await files.read(this.#path));
      this.#learn(shared);
      const result = work(shared);
      const now = clock.now();
      const live = Object.entries(shared.sharers).filter(
        ([, { until, calls }]) => until > now || (calls.at(-1) ?? 0) > now - hour,
      );
      await files.write(this.#path, `${JSON.stringify({ ...shared, sharers: Object.fromEntries(live) })}\n`);
      this.#hasEntry = true;
      return result;
    } catch {
      this.#isFileBroken = true;
      return undefined;
    } finally {
      await lock?.release().catch(() => {});
    }
  }

  /** Learns limits and the calls of other processes from the file. */
  #learn({ rules, sharers }: Shared): void {
    const { clock } = this.world;
    const now = clock.now();
    const shift = clock.monotonic() - now;
    const others = Object.entries(sharers).flatMap(([id, each]) => (id === this.#id ? [] : each));
    // Times may be in the future after a clock was set back. They must not block the account.
    const calls = others
      .flatMap((each) => each.calls)
      .filter((at) => at > now - hour)
      .map((at) => Math.min(at, now) + shift)
      .sort((one, other) => one - other);
    this.#window.setOthers(
      calls,
      rules.map((rule) => ({ ...rule, at: Math.min(rule.at, now) + shift })),
    );
    const active = others.filter(({ until }) => until > now);
    this.#sharers = active.length + 1;
    this.#othersUnderway = active.reduce((sum, { underway }) => sum + underway, 0);
  }

  /** Writes the entry of this process. */
  #writeEntry(shared: Shared, until: number): void {
    const { clock } = this.world;
    const shift = clock.now() - clock.monotonic();
    const longest = Math.max(0, ...this.#window.rules.map(({ window }) => window));
    // Other processes may have learned limits that count older calls.
    const since = clock.monotonic() - 2 * longest;
    const calls = this.#window.own.filter((at) => at > since).map((at) => Math.round(at + shift));
    shared.sharers[this.#id] = { until, underway: this.#window.underway, calls };
  }
}

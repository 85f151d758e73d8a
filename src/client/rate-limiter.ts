/**
 * Sends no faster than the server says it takes. While plenty is left that is this process's own affair; when little
 * is, the processes of one account share it through a small locked file, which may be stale, missing or unwritable.
 */
import { createHash, randomUUID } from "node:crypto";
import { Unreachable } from "../errors.ts";
import { inWords } from "../output/rate.ts";
import type { HttpResponse, Lock, World } from "../world.ts";
import { parse, type Shared, type Sharer } from "./pace-file.ts";
import { RateWindow } from "./rate-window.ts";

/** How long a process that says nothing still has its part. */
const lease = 5000;
const hour = 3_600_000;
/** The longest window that servers are known to have, and a little for clocks that differ. */
const longest = hour + 5000;

export interface Held {
  /** Reads the file before the first request: for runs of many. */
  many?: boolean;
  /** Milliseconds for which 429 answers are waited out. */
  most?: number;
  /** One line that a person should see although all goes on. */
  warn?(line: string): Promise<void>;
}

export class RateLimiter {
  readonly #world: World;
  readonly #account: { site: string; email?: string };
  #ownId: string | undefined;
  #name: string | undefined;
  readonly #window = new RateWindow();
  readonly #held: Held;
  /** A person knows of a wait that is longer than any should be. */
  #warned = false;
  #begun: Promise<void> | undefined;
  #turns: Promise<void> = Promise.resolve();
  #answered: (() => void) | undefined;
  /** The processes that want their part, this one included, and how many calls of the others are on their way. */
  #sharers = 1;
  #away = 0;
  /** The file holds something of this process. */
  #listed = false;
  /** The file cannot be used. */
  #alone = false;

  constructor(world: World, account: { site: string; email?: string }, held: Held = {}) {
    this.#world = world;
    this.#account = account;
    this.#held = held;
  }

  // Most commands never share anything, and node:crypto takes longer to load than they take to run.
  get #id(): string {
    this.#ownId ??= randomUUID();
    return this.#ownId;
  }

  get #path(): string {
    const { site, email } = this.#account;
    this.#name ??= createHash("sha256").update(`${site} ${email}`).digest("hex").slice(0, 16);
    return `${this.#world.places.state}/pace/${this.#name}.json`;
  }

  /**
   * Resolves when a request may leave; rejects with the reason of `stop`. Each is followed by `heard`, `silent` or
   * `unsent`. `told` hears how many milliseconds that may take; of none where it is not known. Throws `Unreachable`
   * where that is longer than anybody would wait.
   */
  async turn(stop: AbortSignal, told?: (ms?: number) => void): Promise<void> {
    if (this.#held.many) {
      this.#begun ??= this.#begin();
      await this.#begun;
    }
    if (!this.#window.scarce(this.#world.clock.monotonic())) {
      this.#window.underway++;
      return;
    }
    const mine = this.#turns.then(() => this.#wait(stop, told));
    this.#turns = mine.catch(() => {});
    await mine;
  }

  async #wait(stop: AbortSignal, told?: (ms?: number) => void): Promise<void> {
    const { clock } = this.#world;
    for (;;) {
      const wait = await this.#ask();
      if (wait === 0) return;
      if (wait !== undefined) await this.#bear(wait);
      told?.(wait);
      // Nothing but an answer can tell, or it will be told by one.
      const answer = new Promise<void>((resolve) => {
        this.#answered = resolve;
      });
      if (wait === undefined) await Promise.race([answer, clock.sleep(1000, stop)]);
      // Another process may end, or be told that more is left.
      else await clock.sleep(Math.min(wait + 5, lease / 2), stop);
    }
  }

  /** A wait of days is a person's to decide on; where there is none, the next run is early enough. */
  async #bear(wait: number): Promise<void> {
    const { clock, stderr } = this.#world;
    const { most = Number.POSITIVE_INFINITY, warn } = this.#held;
    const { host } = new URL(this.#account.site);
    const refused = this.#window.blocked - clock.monotonic();
    const said = `${host} takes the next request of this account in ${inWords(wait / 1000)}`;
    if (refused > most) throw new Unreachable(`${said}, longer than --max-wait`, { hint: "Try again later." });
    if (wait <= longest) return;
    if (!stderr.isTerminal)
      throw new Unreachable(`${said}, which is longer than the hour that servers are known to count`, {
        hint: "Try again later. On a terminal it would be waited for.",
      });
    if (this.#warned) return;
    this.#warned = true;
    await warn?.(`zulipctl: ${said}; Ctrl-C ends the wait`);
  }

  /** The request of the last turn was answered; `retryAfter` in seconds, where the answer says so. */
  heard({ status, headers }: Pick<HttpResponse, "status" | "headers">, retryAfter?: number): void {
    const now = this.#world.clock.monotonic();
    this.#window.underway--;
    this.#answered?.();
    if (status === 429) {
      if (retryAfter !== undefined) this.#window.refused(retryAfter * 1000, now);
      return;
    }
    const limit = Number(headers["x-ratelimit-limit"] ?? Number.NaN);
    const remaining = Number(headers["x-ratelimit-remaining"] ?? Number.NaN);
    const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
    if (!(limit > 0 && remaining >= 0 && reset > 0)) return;
    this.#window.made(now);
    const window = reset * 1000 - this.#serverTime(headers.date);
    if (window > 0 && window < 2 * 24 * hour) this.#window.told({ limit, remaining, window }, now);
  }

  /** No answer to the request of the last turn came. */
  silent(): void {
    this.#window.underway--;
    this.#window.made(this.#world.clock.monotonic());
    this.#answered?.();
  }

  /** The request of the last turn did not leave. */
  unsent(): void {
    this.#window.underway--;
    this.#answered?.();
  }

  /** Gives up this process's part. */
  async end(): Promise<void> {
    if (!this.#listed) return;
    await this.#exchange((shared) => {
      shared.sharers[this.#id] = this.#entry(0);
      return undefined;
    });
  }

  /** Ours where it is near the server's, because that comes in whole seconds. */
  #serverTime(date: string | undefined): number {
    const now = this.#world.clock.now();
    const told = date === undefined ? Number.NaN : Date.parse(date) + 500;
    return Math.abs(told - now) > 2000 ? told : now;
  }

  /** Looks whether others are at work already. */
  async #begin(): Promise<void> {
    try {
      this.#learn(parse(await this.#world.files.read(this.#path)));
    } catch {
      this.#alone = true;
    }
  }

  /** 0 where one more call may be made, which then counts as underway. */
  async #ask(): Promise<number | undefined> {
    const asked = await this.#exchange((shared) => {
      const wait = this.#take();
      shared.sharers[this.#id] = this.#entry(this.#world.clock.now() + lease);
      const shift = this.#world.clock.now() - this.#world.clock.monotonic();
      shared.rules = this.#window.rules.map((rule) => ({ ...rule, at: rule.at + shift }));
      return { wait };
    });
    return asked ? asked.wait : this.#take();
  }

  #take(): number | undefined {
    const wait = this.#window.wait(this.#world.clock.monotonic(), this.#sharers, this.#away);
    if (wait === 0) this.#window.underway++;
    return wait;
  }

  /** Reads the file, lets `work` change what it says, and writes it. Undefined where the file cannot be used now. */
  async #exchange<T>(work: (shared: Shared) => T): Promise<T | undefined> {
    if (this.#alone) return undefined;
    const { files, clock } = this.#world;
    let lock: Lock | undefined;
    try {
      // Whoever holds it for longer is on another machine, or dead: requests go on without the file.
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
      this.#listed = true;
      return result;
    } catch {
      this.#alone = true;
      return undefined;
    } finally {
      await lock?.release().catch(() => {});
    }
  }

  /** What the file says of limits and of others, in this process's time. */
  #learn({ rules, sharers }: Shared): void {
    const { clock } = this.#world;
    const shift = clock.monotonic() - clock.now();
    const calls = Object.entries(sharers).flatMap(([id, { calls }]) => (id === this.#id ? [] : calls));
    const now = clock.now();
    // A clock that was set back must not block the account until it has caught up.
    const others = calls
      .map((at) => Math.min(at, now) + shift)
      .filter((at) => at > now + shift - hour)
      .sort((one, other) => one - other);
    const known = rules.map((rule) => ({ ...rule, at: Math.min(rule.at, now) + shift }));
    this.#window.share(others, known);
    const sharing = Object.entries(sharers).filter(([id, { until }]) => id !== this.#id && until > now);
    this.#sharers = sharing.length + 1;
    this.#away = sharing.reduce((sum, [, { underway }]) => sum + underway, 0);
  }

  #entry(until: number): Sharer {
    const { clock } = this.#world;
    const shift = clock.now() - clock.monotonic();
    const longest = Math.max(0, ...this.#window.rules.map(({ window }) => window));
    // What others were told before may count older calls.
    const since = clock.monotonic() - 2 * longest;
    const calls = this.#window.own.filter((at) => at > since).map((at) => Math.round(at + shift));
    return { until, underway: this.#window.underway, calls };
  }
}

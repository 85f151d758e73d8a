/**
 * Sends no faster than the server says it takes. While plenty is left that is this process's own affair; when little
 * is, the processes of one account share it through a small locked file, which may be stale, missing or unwritable.
 */
import { createHash, randomUUID } from "node:crypto";
import { Unreachable } from "../errors.ts";
import { inWords } from "../output/progress.ts";
import { fits } from "../wire/fits.ts";
import { integer, list, number, object, record, type Value } from "../wire/types.ts";
import type { HttpResponse, Lock, World } from "../world.ts";
import { hour, RateWindow } from "./rate-window.ts";

/** How long a process that says nothing still has its part. */
const lease = 5000;

/** A process that sends much. Times in the file are milliseconds since the epoch. */
const sharer = object({
  /** It wants its part until then. */
  until: number,
  underway: integer,
  calls: list(number),
});

const sharedFile = object({
  rules: list(object({ window: number, capacity: number, at: number })),
  sharers: record(sharer),
});

type Shared = Value<typeof sharedFile>;

/** A file that cannot be understood says nothing. */
function parse(text: string | undefined): Shared {
  try {
    const shared: unknown = JSON.parse(text ?? "");
    if (fits(sharedFile)(shared)) return shared;
  } catch {}
  return { rules: [], sharers: {} };
}

interface Options {
  /** Reads the file before the first request: for runs of many. */
  many?: boolean | undefined;
  /** Milliseconds for which 429 answers are waited out. */
  most?: number;
}

export class RateLimiter {
  readonly #world: World;
  readonly #account: { site: string; email?: string };
  readonly #options: Options;
  readonly #window = new RateWindow();
  #ownId: string | undefined;
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

  constructor(world: World, account: { site: string; email?: string }, options: Options = {}) {
    this.#world = world;
    this.#account = account;
    this.#options = options;
  }

  // Most commands never share anything, and node:crypto takes longer to load than they take to run.
  get #id(): string {
    this.#ownId ??= randomUUID();
    return this.#ownId;
  }

  get #path(): string {
    const { site, email } = this.#account;
    const name = createHash("sha256").update(`${site} ${email}`).digest("hex").slice(0, 16);
    return `${this.#world.places.state}/pace/${name}.json`;
  }

  /**
   * Resolves when a request may leave; rejects with the reason of `stop`. Each is followed by `answered` or
   * `unanswered`. `onWait` gets how many milliseconds that may take; none where it is not known. Throws `Unreachable`
   * where a 429 asked to wait longer than `most`.
   */
  async turn(stop: AbortSignal, onWait?: (ms?: number) => void): Promise<void> {
    if (this.#options.many) {
      this.#begun ??= this.#begin();
      await this.#begun;
    }
    if (!this.#window.scarce(this.#world.clock.monotonic())) {
      this.#window.underway++;
      return;
    }
    const mine = this.#turns.then(() => this.#wait(stop, onWait));
    this.#turns = mine.catch(() => {});
    await mine;
  }

  async #wait(stop: AbortSignal, onWait?: (ms?: number) => void): Promise<void> {
    const { clock } = this.#world;
    const { most = Number.POSITIVE_INFINITY } = this.#options;
    for (;;) {
      const wait = await this.#ask();
      if (wait === 0) return;
      if (wait !== undefined && this.#window.blocked - clock.monotonic() > most) {
        const { host } = new URL(this.#account.site);
        const when = inWords(wait / 1000);
        throw new Unreachable(`${host} takes the next request of this account in ${when}, longer than --max-wait`, {
          hint: "Try again later.",
        });
      }
      onWait?.(wait);
      const answer = new Promise<void>((resolve) => {
        this.#answered = resolve;
      });
      if (wait === undefined) await Promise.race([answer, clock.sleep(1000, stop)]);
      // Another process may end, or be told that more is left.
      else await clock.sleep(Math.min(wait + 5, lease / 2), stop);
    }
  }

  /** The request of the last turn was answered; `retryAfter` in seconds, where the answer says so. */
  answered({ status, headers }: Pick<HttpResponse, "status" | "headers">, retryAfter?: number): void {
    const now = this.#world.clock.monotonic();
    this.#window.underway--;
    this.#answered?.();
    if (status === 429) {
      if (retryAfter !== undefined) this.#window.blocked = Math.max(this.#window.blocked, now + retryAfter * 1000);
      return;
    }
    const limit = Number(headers["x-ratelimit-limit"]);
    const remaining = Number(headers["x-ratelimit-remaining"]);
    const reset = Number(headers["x-ratelimit-reset"]);
    if (!(limit > 0 && remaining >= 0 && reset > 0)) return;
    this.#window.made(now);
    this.#window.learn({ limit, remaining, window: reset * 1000 - this.#serverTime(headers.date) }, now);
  }

  /** No answer came; `left` where the request may have reached the server. */
  unanswered(left: boolean): void {
    this.#window.underway--;
    if (left) this.#window.made(this.#world.clock.monotonic());
    this.#answered?.();
  }

  /** Gives up this process's part. */
  async end(): Promise<void> {
    if (this.#listed) await this.#exchange((shared) => this.#enter(shared, 0));
  }

  /** Ours where it is near the server's, because that comes in whole seconds. */
  #serverTime(date: string | undefined): number {
    const now = this.#world.clock.now();
    const said = date === undefined ? Number.NaN : Date.parse(date) + 500;
    return Math.abs(said - now) > 2000 ? said : now;
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
      const { clock } = this.#world;
      this.#enter(shared, clock.now() + lease);
      const shift = clock.now() - clock.monotonic();
      shared.rules = this.#window.rules.map(({ window, capacity, at }) => ({ window, capacity, at: at + shift }));
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
    const now = clock.now();
    const shift = clock.monotonic() - now;
    const others = Object.entries(sharers).flatMap(([id, each]) => (id === this.#id ? [] : each));
    // A clock that was set back must not block the account until it has caught up.
    const calls = others
      .flatMap((each) => each.calls)
      .filter((at) => at > now - hour)
      .map((at) => Math.min(at, now) + shift)
      .sort((one, other) => one - other);
    this.#window.share(
      calls,
      rules.map((rule) => ({ ...rule, at: Math.min(rule.at, now) + shift })),
    );
    const sharing = others.filter(({ until }) => until > now);
    this.#sharers = sharing.length + 1;
    this.#away = sharing.reduce((sum, { underway }) => sum + underway, 0);
  }

  #enter(shared: Shared, until: number): void {
    const { clock } = this.#world;
    const shift = clock.now() - clock.monotonic();
    const longest = Math.max(0, ...this.#window.rules.map(({ window }) => window));
    // What others were told before may count older calls.
    const since = clock.monotonic() - 2 * longest;
    const calls = this.#window.own.filter((at) => at > since).map((at) => Math.round(at + shift));
    shared.sharers[this.#id] = { until, underway: this.#window.underway, calls };
  }
}

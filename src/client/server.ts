/** A server as one account sees it: sends operations, waits and tries again where that is safe, and judges answers. */
import { getServerSettings } from "../api/server.ts";
import { Cancelled, type Failure, Interrupted, Partial, TooOld } from "../errors.ts";
import { encode, encodingVaries, type Gap, gaps, mayBeTooNew } from "../wire/encode.ts";
import type { AnswerOf, AnyOperation, ArgsOf } from "../wire/operation.ts";
import { type Connection, type HttpRequest, NoAnswer, type World } from "../world.ts";
import type { Account, Site } from "./account.ts";
import { recall, remember } from "./level.ts";
import { type Asked, alters, failure } from "./outcome.ts";
import { judge, type Verdict } from "./verdict.ts";

export interface Manner {
  /** Milliseconds for one exchange. */
  timeout: number;
  /** Milliseconds that 429 answers may cost in all. */
  maxWait: number;
  /** Taken instead of asking. */
  level?: number;
  allowIgnored: boolean;
  /** One line about each request and answer, secrets masked. */
  trace?(line: string): void;
  /** How long an interrupted change is awaited, in milliseconds. */
  grace: number;
}

/** An account, or a site alone for operations that need no credentials. */
export type Sender = Site & { email?: string; key?: Account["key"] };

export interface Sending {
  /** The command that shows whether the change happened. */
  check?: string;
  /** Told around each attempt, and awaited: before it leaves, and when it certainly did nothing and another follows. */
  attempts?: { leaving(): Promise<void>; returned(): Promise<void> };
}

export interface Delivered {
  answer: Record<string, unknown>;
  /** Parameters that the server says it ignored. */
  ignored: string[];
}

const tries = 4;
const largest = 512 * 1024 * 1024;

const basic = (email: string, key: string) => `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;

export class Server {
  readonly #world: World;
  readonly #account: Sender;
  readonly #manner: Manner;
  #connection?: Promise<Connection>;
  #level?: Promise<{ level: number; asked: boolean }>;
  #waited = 0;

  constructor(world: World, account: Sender, manner: Manner) {
    this.#world = world;
    this.#account = account;
    this.#manner = manner;
  }

  get site(): string {
    return this.#account.site;
  }

  get host(): string {
    return new URL(this.site).host;
  }

  async close(): Promise<void> {
    await (await this.#connection)?.close();
  }

  /** The server's feature level; 0 for servers that tell none. */
  async level(): Promise<number> {
    return (await this.#knownLevel()).level;
  }

  async #knownLevel(): Promise<{ level: number; asked: boolean }> {
    const { level } = this.#manner;
    if (level !== undefined) return { level, asked: true };
    this.#level ??= recall(this.#world, this.site).then((known) =>
      known === undefined ? this.#askLevel() : { level: known, asked: false },
    );
    return this.#level;
  }

  async #askLevel(): Promise<{ level: number; asked: boolean }> {
    const { zulip_feature_level: level = 0 } = await this.call(getServerSettings, {});
    await remember(this.#world, this.site, level);
    return { level, asked: true };
  }

  /** Asks for the level anew, unless that was done in this run or the command line fixed it. */
  async #surprised(): Promise<number> {
    const known = await this.#knownLevel();
    if (!known.asked) this.#level = this.#askLevel();
    return this.level();
  }

  /** Refuses what the server does not know, before anything is sent; a remembered level is asked again first. */
  async gate<O extends AnyOperation>(operation: O, args: ArgsOf<O>): Promise<void> {
    if (mayBeTooNew(operation, args)) await this.insist(operation, (level) => gaps(operation, args, level));
  }

  /** The same for what `lacking` finds missing at a level. */
  async insist(operation: AnyOperation, lacking: (level: number) => Gap[]): Promise<void> {
    const seen = lacking(await this.level());
    const [gap] = seen.length ? lacking(await this.#surprised()) : [];
    if (gap) throw await this.#tooOld(operation, gap);
  }

  async #tooOld(operation: AnyOperation, { flag, needs }: Gap): Promise<TooOld> {
    const has = await this.level();
    const outcome = alters(operation) ? "not_sent" : undefined;
    return new TooOld(`${flag ?? operation.name} needs feature level ${needs}; ${this.host} has ${has}`, {
      outcome,
      more: { needs, has },
    });
  }

  /** The level where what is sent depends on it. */
  async encodingLevel<O extends AnyOperation>(operation: O, args: ArgsOf<O>): Promise<number | undefined> {
    return encodingVaries(operation, args) ? this.level() : this.#manner.level;
  }

  /** The answer to a read; throws the `Failure` that anything else amounts to. */
  async call<O extends AnyOperation>(operation: O, args: ArgsOf<O>): Promise<AnswerOf<O> & Record<string, unknown>> {
    const { answer, ignored } = await this.deliver(operation, args);
    if (ignored.length && !this.#manner.allowIgnored) throw await this.ignored(operation, ignored);
    return answer as never;
  }

  /** Sends one operation, once unless it is certain that it did nothing; throws the `Failure` that no success amounts to. */
  async deliver<O extends AnyOperation>(
    operation: O,
    args: ArgsOf<O>,
    { check, attempts }: Sending = {},
  ): Promise<Delivered> {
    await this.gate(operation, args);
    const encoded = encode(operation, args, await this.encodingLevel(operation, args));
    const asked: Asked = {
      operation,
      host: this.host,
      path: encoded.target.split("?")[0]!,
      parameters: operation.method === "GET" ? [] : Object.keys(encoded.parameters),
      check,
    };
    const key = operation.anonymous ? undefined : await this.#account.key?.();
    const request: HttpRequest = {
      method: operation.method,
      url: this.site + encoded.target,
      headers: {
        ...(key && { authorization: basic(this.#account.email ?? "", key.reveal()) }),
        accept: "application/json",
        "accept-language": "en",
        "user-agent": `zulipctl/${this.#world.version} (${this.#world.platform})`,
        ...(encoded.body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
      },
      body: encoded.body,
      timeout: this.#manner.timeout,
    };
    const shown = `${operation.method} ${this.site}${encoded.shown.target}`;
    const verdict = await this.#persist(asked, request, shown, encoded.shown.body, attempts);
    if (verdict.kind === "success") return verdict;
    throw await this.#explain(asked, verdict);
  }

  /** The failure of an answer that says that it ignored parameters. */
  async ignored(operation: AnyOperation, names: string[]): Promise<Failure> {
    const level = await this.#surprised();
    const said = names.map((name) => operation.params[name]?.flag ?? name).join(", ");
    return new Partial(`${this.host} (feature level ${level}) ignored ${said}: that part did not happen`, {
      hint: "With --allow-ignored this is a warning.",
      more: { ignored: names },
    });
  }

  async #explain(asked: Asked, verdict: Exclude<Verdict, { kind: "success" }>): Promise<Failure> {
    const { since } = asked.operation;
    if (since !== undefined && "status" in verdict && verdict.status === 404 && (await this.#surprised()) < since)
      return this.#tooOld(asked.operation, { flag: undefined, needs: since });
    const stopped = this.#world.signals.stop.reason;
    const said = failure(asked, verdict);
    if (said instanceof Cancelled && stopped instanceof Interrupted)
      return new Cancelled("interrupted", stopped.signal, said.details);
    return said;
  }

  /** Tries until there is something to tell. */
  async #persist(
    asked: Asked,
    request: HttpRequest,
    shown: string,
    body?: string,
    attempts?: Sending["attempts"],
  ): Promise<Verdict> {
    const { trace, maxWait } = this.#manner;
    for (let attempt = 1; ; attempt++) {
      await attempts?.leaving();
      trace?.(`> ${shown}${body ? ` ${body}` : ""}`);
      const verdict = await this.#once(asked, request);
      trace?.(`< ${describe(verdict)}`);
      const pause = this.#pauseBefore(asked, verdict, attempt);
      if (pause === undefined) return verdict;
      if ("status" in verdict && verdict.status === 429) {
        if (this.#waited + pause > maxWait) return verdict;
        this.#waited += pause;
      }
      await attempts?.returned();
      await this.#sleep(pause, asked);
    }
  }

  /** Milliseconds until the next try; undefined where there is none. */
  #pauseBefore({ operation }: Asked, verdict: Verdict, attempt: number): number | undefined {
    const jitter = this.#world.clock.random();
    const growing = 500 * 2 ** (attempt - 1) * (0.5 + jitter);
    if (verdict.kind === "success") return undefined;
    if (verdict.kind !== "none" && verdict.status === 429) {
      if (operation.anonymous && operation.method !== "GET") return undefined;
      const seconds = verdict.retryAfter ?? Math.min(2 ** (attempt - 1), 30);
      return seconds * 1000 + 50 + jitter * 200;
    }
    if (attempt >= tries) return undefined;
    if (verdict.kind === "none") {
      const { left, why } = verdict.failure;
      if (why === "stopped") return undefined;
      if (!left && why !== "tls" && why !== "timeout") return growing;
      return operation.method === "GET" && ["reset", "cut", "network"].includes(why) ? growing : undefined;
    }
    return operation.method === "GET" && [502, 503, 504].includes(verdict.status) ? growing : undefined;
  }

  async #sleep(ms: number, { operation, path }: Asked): Promise<void> {
    const { clock, signals } = this.#world;
    try {
      await clock.sleep(ms, signals.stop);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      throw new Cancelled("interrupted while waiting", error.signal, {
        outcome: alters(operation) ? "not_sent" : undefined,
        request: { method: operation.method, path },
      });
    }
  }

  /** One exchange, as a verdict. An interrupted read ends at once; an interrupted change is awaited for a while. */
  async #once({ operation }: Asked, request: HttpRequest): Promise<Verdict> {
    const { signals, clock } = this.#world;
    const change = alters(operation);
    const abort = new AbortController();
    const done = new AbortController();
    const stop = () => {
      if (!change) return abort.abort(signals.stop.reason);
      clock.sleep(this.#manner.grace, done.signal).then(
        () => abort.abort(signals.stop.reason),
        () => undefined,
      );
    };
    if (signals.stop.aborted) return none(new NoAnswer("interrupted", "stopped", false));
    signals.stop.addEventListener("abort", stop, { once: true });
    if (change) signals.underway++;
    try {
      this.#connection ??= this.#world.connect(this.#account.tls);
      const connection = await this.#connection;
      const response = await connection.request({ ...request, signal: abort.signal });
      return judge(operation, response, await whole(response.body));
    } catch (error) {
      if (error instanceof NoAnswer) return none(error);
      throw error;
    } finally {
      if (change) signals.underway--;
      done.abort();
      signals.stop.removeEventListener("abort", stop);
    }
  }
}

const none = (error: NoAnswer): Verdict => ({ kind: "none", failure: error });

function describe(verdict: Verdict): string {
  if (verdict.kind === "none") return verdict.failure.message;
  if (verdict.kind === "success") return "200";
  return `${verdict.status} ${verdict.kind === "error" ? `${verdict.code ?? ""} ${verdict.msg}` : verdict.what}`;
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largest) throw new NoAnswer(`the answer is larger than ${largest / 1024 / 1024} MiB`, "protocol", true);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

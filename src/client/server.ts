/** A server as one account sees it: sends operations, waits and tries again where that is safe, and judges answers. */
import { getServerSettings } from "../api/server.ts";
import { type Failure, orUndefined, Partial, unsent } from "../errors.ts";
import { type Call, call, type Spelling } from "../wire/call.ts";
import { encodingVaries, type Gap, type Typed } from "../wire/encode.ts";
import type { Batch } from "../wire/large-list/skimmed.ts";
import { type AnswerOf, type AnyOperation, type ArgsOf, alters } from "../wire/operation.ts";
import type { Connection, World } from "../world.ts";
import { gathering, type Wanted } from "./arriving.ts";
import type { Fetched } from "./download.ts";
import { Gate } from "./gate.ts";
import { Level, oldest, requireOldest } from "./level.ts";
import { failure } from "./outcome.ts";
import { type Frame, frameOf, type Prepared, prepare } from "./prepared.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { Records } from "./records.ts";
import { RoleHint } from "./role-hint.ts";
import { type SendDependencies, send } from "./send.ts";
import type { Delivered, ItemOf, Sender, Sending } from "./sending.ts";
import type { SentChange } from "./sent-change.ts";
import type { ServerOptions } from "./server-options.ts";
import type { Failed, Verdict } from "./verdict.ts";

/** Records of a list at most that are told of when it is there: of more, to keep them until then would take all the room. */
const mostHeard = 10_000;

export class Server {
  readonly host: string;
  readonly #world: World;
  readonly #account: Sender;
  readonly #options: ServerOptions;
  readonly #level: Level;
  readonly #roleHint: RoleHint;
  readonly #rateLimiter: RateLimiter;
  readonly #gate: Gate;
  readonly #dependencies: SendDependencies;
  readonly #lookUps = new Map<string, Promise<Record<string, unknown>>>();
  #connection?: Promise<Connection>;
  /** The last that was made. */
  #frame: { key: string | undefined; frame: Frame } | undefined;

  constructor(world: World, account: Sender, options: ServerOptions) {
    this.host = new URL(account.site).host;
    this.#world = world;
    this.#account = account;
    this.#options = options;
    this.#roleHint = new RoleHint(account.email);
    this.#level = new Level(world, account.site, () => this.#askLevel(), options.level);
    this.#gate = new Gate(this.host, this.#level);
    const { many, retryBudget, warn } = options;
    this.#rateLimiter = new RateLimiter(world, account, { many, most: retryBudget.budget, warn });
    const connect = () => this.#connect();
    this.#dependencies = { world, options, rateLimiter: this.#rateLimiter, host: this.host, connect };
  }

  get site(): string {
    return this.#account.site;
  }

  /** The level of `--feature-level`. */
  get assumedLevel(): number | undefined {
    return this.#options.level;
  }

  /** Of the account; undefined for a site alone. */
  get email(): string | undefined {
    return this.#account.email;
  }

  /** That which the account was found by. */
  get profile(): string | undefined {
    return this.#account.profile;
  }

  async close(): Promise<void> {
    await this.#rateLimiter.end();
    // Why no connection was made has been told where one was wanted.
    await (await this.#connection?.catch(() => undefined))?.close();
  }

  /** For whoever makes changes: what became of one that was sent, to be written down. */
  concluded(change: SentChange): void {
    this.#options.concluded?.(change);
  }

  /** The server's feature level; 0 for servers that tell none. */
  level(): Promise<number> {
    return this.#level.known();
  }

  async #askLevel(): Promise<number> {
    // What it says of ignored parameters is heeded by who asks for more: telling of that needs the level.
    const { answer } = await this.deliver(call(getServerSettings, {}));
    return (answer as AnswerOf<typeof getServerSettings>).zulip_feature_level ?? 0;
  }

  /** Refuses what the server does not know, before anything is sent; a remembered level is asked again first. */
  gate(asked: Call, spelled?: Spelling): Promise<void> {
    return this.#gate.pass(asked, spelled);
  }

  /** The same for what somebody typed, before its names are looked up. */
  foresee(operation: AnyOperation, typed: readonly Typed[], spelled?: Spelling): Promise<void> {
    return this.#gate.foresee(operation, typed, spelled);
  }

  /** The same for what `lacking` finds missing at a level. */
  insist(operation: AnyOperation, lacking: (level: number) => Gap[], spelled?: Spelling): Promise<void> {
    return this.#gate.insist(operation, lacking, spelled);
  }

  /** Throws `TooOld` below Zulip 10; a remembered level is asked again first. */
  async requireSupported(): Promise<void> {
    const level = await this.level().catch((error: Failure) => {
      // The command's own request says what is wrong with a server that answers something else.
      if (error.details?.httpStatus === undefined) throw error;
      return oldest;
    });
    if (level < oldest) requireOldest(await this.#level.surprised(), this.host);
  }

  /** The level where what is sent depends on it. */
  async encodingLevel(asked: Call): Promise<number | undefined> {
    return encodingVaries(asked) ? this.level() : this.#options.level;
  }

  /** The answer to a read; throws the `Failure` that anything else amounts to. */
  async call<O extends AnyOperation>(
    operation: O,
    args: ArgsOf<O>,
    spelled: Spelling = {},
  ): Promise<AnswerOf<O> & Record<string, unknown>> {
    const asked = call(operation, args);
    const { answer, ignored } = await this.deliver(asked, spelled);
    this.#options.heard?.(asked, answer);
    const undoing = operation.undoing?.(answer);
    // What was asked for is there already, and what is left behind comes to an end by itself.
    if (undoing) await orUndefined(this.deliver(call(undoing.operation, undoing.args)));
    await this.#heed(ignored, spelled);
    return answer as AnswerOf<O> & Record<string, unknown>;
  }

  /** The same, once for a run however often it is asked: what names stand for, and what there is before it is changed. */
  lookUp<O extends AnyOperation>(operation: O, args: ArgsOf<O>): Promise<AnswerOf<O> & Record<string, unknown>> {
    const question = `${operation.name} ${JSON.stringify(args)}`;
    const made = this.#lookUps.get(question) ?? this.call(operation, args);
    this.#lookUps.set(question, made);
    return made as Promise<AnswerOf<O> & Record<string, unknown>>;
  }

  /**
   * The records of a read whose answer is one big list, as they arrive. Reading them throws the `Failure` that no
   * success amounts to; once there is a record nothing is tried again. `whole`: the first record comes when the whole
   * answer is there, and until then it is asked for again as by `call`.
   */
  list<O extends AnyOperation, M extends keyof AnswerOf<O> & string>(
    operation: O,
    args: ArgsOf<O>,
    member: M,
    { whole = false, ...spelled }: { whole?: boolean } & Spelling = {},
  ): Records<ItemOf<AnswerOf<O>[M]>> {
    const asked = call(operation, args);
    return new Records((skim) =>
      this.#batches<ItemOf<AnswerOf<O>[M]>>(asked, { member, whole, skim: skim && !whole }, spelled),
    );
  }

  /** The bytes of a file as they arrive, whole and unchanged once they have ended: throws `Unreachable` otherwise. */
  async *download<O extends AnyOperation>(operation: O, args: ArgsOf<O>, fetched: Fetched): AsyncGenerator<Uint8Array> {
    const { download } = await import("./download.ts");
    const [world, account, options, connect] = [this.#world, this.#account, this.#options, () => this.#connect()];
    yield* download({ world, account, options, connect }, call(operation, args), fetched);
  }

  async *#batches<I>(asked: Call, wanted: Wanted, spelled: Spelling): AsyncGenerator<Batch<I>> {
    const prepared = await this.#prepare(asked, spelled);
    let verdict = await send(this.#dependencies, prepared, { wanted });
    const all: I[] = [];
    if (verdict.kind === "arriving") {
      const batches = verdict.batches as AsyncGenerator<Batch<I>, Verdict>;
      verdict = yield* wanted.whole ? gathering(batches, all, mostHeard) : batches;
    }
    if (verdict.kind !== "success") throw await this.#explain(prepared, verdict, spelled);
    const { answer, ignored } = verdict;
    const last = answer[wanted.member] as I[];
    if (wanted.whole && all.length <= mostHeard)
      this.#options.heard?.(asked, { ...answer, [wanted.member]: [...all, ...last] });
    yield last;
    await this.#heed(ignored, spelled);
  }

  /** What the server ignored of a read. */
  async #heed(ignored: string[], spelled: Spelling): Promise<void> {
    if (!ignored.length) return;
    const failure = await this.ignored(ignored, spelled);
    if (!this.#options.allowIgnored) throw failure;
    await this.#options.warn?.(`zulipctl: ${failure.message}`);
  }

  /** Sends one operation, once unless it is certain that it did nothing; throws the `Failure` that no success amounts to. */
  async deliver(asked: Call, sending: Sending = {}): Promise<Delivered> {
    const ready = () => this.#prepare(asked, sending);
    const prepared = await (alters(asked.operation) ? unsent(ready) : ready());
    const verdict = await send(this.#dependencies, prepared, { attempts: sending.attempts });
    if (verdict.kind === "success") {
      this.#roleHint.heard(asked, verdict.answer);
      return verdict;
    }
    throw await this.#explain(prepared, verdict, sending);
  }

  async #prepare(asked: Call, sending: Sending): Promise<Prepared> {
    await this.gate(asked, sending);
    const level = await this.encodingLevel(asked);
    const key = asked.operation.anonymous ? undefined : (await this.#account.key?.())?.reveal();
    return prepare(asked, level, this.#frameFor(key), sending.verifyWith);
  }

  /** Requests follow each other with the same key, mostly. */
  #frameFor(key: string | undefined): Frame {
    if (this.#frame && this.#frame.key === key) return this.#frame.frame;
    const { site, email = "" } = this.#account;
    const { version, platform } = this.#world;
    const { timeout } = this.#options;
    const credentials = key ? { email, key } : undefined;
    const frame = frameOf({ site, host: this.host, credentials, version, platform, timeout });
    this.#frame = { key, frame };
    return frame;
  }

  /** The failure of an answer that says that it ignored parameters. */
  async ignored(names: readonly string[], { flags = {} }: Spelling = {}): Promise<Failure> {
    const level = await orUndefined(this.#level.surprised());
    const server = level === undefined ? this.host : `${this.host} (feature level ${level})`;
    const said = names.map((name) => (Object.hasOwn(flags, name) ? flags[name] : name)).join(", ");
    return new Partial(`${server} ignored ${said}: that part was not applied`, {
      hint: "Pass --allow-ignored to make this a warning.",
      more: { ignored: names },
    });
  }

  #connect(): Promise<Connection> {
    this.#connection ??= this.#world.connect(this.#account.tls);
    return this.#connection;
  }

  async #explain(prepared: Prepared, verdict: Failed, spelled: Spelling): Promise<Failure> {
    const { asked, request, level, bodyFor } = prepared;
    const { operation, host } = asked;
    const { since } = operation;
    const said = failure(asked, verdict, this.#world.signals.stop.reason);
    if (!("status" in verdict)) return said;
    // A path that is older than the method answers 405.
    if (since !== undefined && (verdict.status === 404 || verdict.status === 405)) {
      const has = await orUndefined(this.#level.surprised());
      if (has !== undefined && has < since)
        return this.#gate.tooOld(
          operation,
          { flag: undefined, needs: since },
          { has, spelled, outcome: "not_applied" },
        );
    }
    if (level !== undefined && verdict.status === 400) {
      const has = await orUndefined(this.#level.surprised());
      if (has !== undefined && bodyFor(has) !== request.body)
        said.details.hint = `${host} had feature level ${level} when it was last asked and has ${has} now: run the command again.`;
    }
    this.#roleHint.explain(said, asked, verdict);
    return said;
  }
}

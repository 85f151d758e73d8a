/** A server as one account sees it. */

import type { getChannels } from "../api/channels.ts";
import { getServerSettings } from "../api/server.ts";
import { beforeSending, type Failure, Partial, Usage, undefinedOnFailure } from "../errors.ts";
import { programLine } from "../output/line.ts";
import { type Call, call, type Spelling } from "../wire/call.ts";
import { dependsOnLevel, encode } from "../wire/encode.ts";
import type { Batch } from "../wire/large-list/unparsed-records.ts";
import { type AnswerOf, type AnyOperation, type ArgsOf, isChange } from "../wire/operation.ts";
import type { Connection, World } from "../world/world.ts";
import type { FileRequest } from "./download.ts";
import { FeatureLevel } from "./level.ts";
import { failure } from "./outcome.ts";
import { type Prepared, prepare } from "./prepared.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { Records } from "./records.ts";
import { RoleHint } from "./role-hint.ts";
import { type SendContext, send } from "./send.ts";
import type { Delivery, ItemOf, Sender, Sending, SentChange, ServerOptions } from "./sending-types.ts";
import { readStreaming, type StreamedList } from "./streaming-answer.ts";
import type { Failed, Verdict } from "./verdict.ts";

/** The largest number of records kept for `onRead`. More would need too much memory. */
const maxGathered = 10_000;

export class Server {
  readonly host: string;
  readonly site: string;
  /** Undefined without an account. */
  readonly email: string | undefined;
  /** The profile that the account comes from. */
  readonly profile: string | undefined;
  readonly featureLevel: FeatureLevel;
  readonly #account: Sender;
  readonly #roleHint: RoleHint;
  readonly #link: SendContext;
  readonly #lookUps = new Map<string, Promise<Record<string, unknown>>>();
  #connection?: Promise<Connection>;

  constructor(world: World, account: Sender, options: ServerOptions) {
    this.host = new URL(account.site).host;
    this.site = account.site;
    this.email = account.email;
    this.profile = account.profile;
    this.#account = account;
    this.#roleHint = new RoleHint(account.email);
    this.featureLevel = new FeatureLevel(world, account.site, () => this.#fetchLevel(), options.level);
    const { isLongRun, retryBudget } = options;
    const rateLimiter = new RateLimiter(world, account, { isLongRun, maxWait: retryBudget.budget });
    this.#link = { world, options, rateLimiter, host: this.host, connect: () => this.#connect() };
  }

  /** The level of `--feature-level`. */
  get assumedLevel(): number | undefined {
    return this.#link.options.level;
  }

  async close(): Promise<void> {
    await this.#link.rateLimiter.end();
    // The reason for a missing connection was already reported.
    await (await this.#connection?.catch(() => undefined))?.close();
  }

  /** Reports a change that is sent next, for the log. */
  async onSending(change: SentChange): Promise<void> {
    await this.#link.options.onSending?.(change);
  }

  /** Reports the result of a change, for the log. */
  onSent(change: SentChange): void {
    this.#link.options.onSent?.(change);
  }

  /** Returns whether the log keeps what changes replace. */
  async keepsPrevious(): Promise<boolean> {
    return (await this.#link.options.keepsPrevious?.()) ?? false;
  }

  /** Makes look-ups read again. */
  forget(): void {
    this.#lookUps.clear();
  }

  /** Returns the server's feature level. 0 for servers without one. */
  level(): Promise<number> {
    return this.featureLevel.get();
  }

  async #fetchLevel(): Promise<number> {
    // Callers handle ignored parameters: warning about them needs the level.
    const { answer } = await this.deliver(call(getServerSettings, {}));
    return Number(answer.zulip_feature_level ?? 0);
  }

  /** Returns the level if the request depends on it. */
  async encodingLevel(call: Call): Promise<number | undefined> {
    return dependsOnLevel(call) ? this.level() : this.#link.options.level;
  }

  /** Returns the answer to a read. Throws the `Failure` of any other result. */
  async call<O extends AnyOperation>(
    operation: O,
    args: ArgsOf<O>,
    spelled: Spelling = {},
  ): Promise<AnswerOf<O> & Record<string, unknown>> {
    const asked = call(operation, args);
    const { answer, ignored } = await this.deliver(asked, spelled);
    this.#link.options.onRead?.(asked, answer);
    const undoing = operation.cleanup?.(answer);
    // A failed cleanup does not matter: servers remove old queues themselves.
    if (undoing) await undefinedOnFailure(this.deliver(call(undoing.operation, undoing.args)));
    await this.#reportIgnored(ignored, spelled);
    return answer as AnswerOf<O> & Record<string, unknown>;
  }

  /** Like `call`, but each read is made once in a run: for names and current values. */
  lookUp<O extends AnyOperation>(operation: O, args: ArgsOf<O>): Promise<AnswerOf<O> & Record<string, unknown>> {
    const key = `${operation.name} ${JSON.stringify(args)}`;
    const answer = this.#lookUps.get(key) ?? this.call(operation, args);
    this.#lookUps.set(key, answer);
    return answer as Promise<AnswerOf<O> & Record<string, unknown>>;
  }

  /**
   * Streams the records of one large list. Throws the `Failure` of any other result. After the first record nothing is
   * repeated. `whole`: the first record comes when the answer is complete, so it can be repeated until then.
   */
  list<O extends AnyOperation, M extends keyof AnswerOf<O> & string>(
    operation: O,
    args: ArgsOf<O>,
    member: M,
    { whole = false, ...spelled }: { whole?: boolean } & Spelling = {},
  ): Records<ItemOf<AnswerOf<O>[M]>> {
    const asked = call(operation, args);
    return new Records((acceptsUnparsed = false) =>
      this.#batches<ItemOf<AnswerOf<O>[M]>>(
        asked,
        { member, whole, acceptsUnparsed: acceptsUnparsed && !whole },
        spelled,
      ),
    );
  }

  /** Streams the bytes of a file. Throws `Unreachable` unless they are complete and unchanged. */
  async *download<O extends AnyOperation>(
    operation: O,
    args: ArgsOf<O>,
    file: FileRequest,
  ): AsyncGenerator<Uint8Array> {
    const { download } = await import("./download.ts");
    yield* download({ ...this.#link, account: this.#account }, call(operation, args), file);
  }

  async *#batches<I>(call: Call, list: StreamedList, spelled: Spelling): AsyncGenerator<Batch<I>> {
    const { waits, onRead } = this.#link.options;
    const prepared = await this.#prepare(call, spelled);
    let verdict = await send(this.#link, prepared, {
      read: ({ status, body }, reader) => {
        const shownBody = waits?.each({ what: `receiving the answer of ${this.host}` }, body) ?? body;
        return readStreaming(call.operation, list, { status, body: shownBody }, reader);
      },
    });
    const all: I[] = [];
    if (verdict.kind === "streaming") {
      for await (const batch of verdict.batches as AsyncIterable<Batch<I>>) {
        if (list.whole && all.length <= maxGathered) for (const record of batch) all.push(record);
        yield batch;
      }
      verdict = verdict.verdict();
    }
    if (verdict.kind !== "success") throw await this.#explain(prepared, verdict, spelled);
    const { answer, ignored } = verdict;
    const last = answer[list.member] as I[];
    if (list.whole && all.length <= maxGathered) onRead?.(call, { ...answer, [list.member]: [...all, ...last] });
    yield last;
    await this.#reportIgnored(ignored, spelled);
  }

  /** Throws or warns about ignored parameters of a read. */
  async #reportIgnored(ignored: string[], spelled: Spelling): Promise<void> {
    if (!ignored.length) return;
    const failure = await this.ignoredFailure(ignored, spelled);
    if (!this.#link.options.allowIgnored) throw failure;
    await this.#link.options.warn?.(programLine(failure.message));
  }

  /** Throws if changes are refused. `deliver` asks it; ask it earlier to spare people a question. */
  requireWritable(): void {
    const { readOnlyBy } = this.#link.options;
    if (readOnlyBy === undefined) return;
    throw new Usage(`${this.host} is read-only here (${readOnlyBy}): no change was sent`, {
      outcome: "not_sent",
      hint: "Reads, plans and dry runs work.",
    });
  }

  /** Sends one operation. It is repeated only if it certainly did nothing. Throws the `Failure` of any other result. */
  async deliver(call: Call, sending: Sending = {}): Promise<Delivery> {
    if (isChange(call.operation)) this.requireWritable();
    const prepareCall = () => this.#prepare(call, sending);
    const prepared = await (isChange(call.operation) ? beforeSending(prepareCall) : prepareCall());
    const verdict = await this.#send(prepared, sending);
    if (verdict.kind === "success") {
      this.#roleHint.learn(call, verdict.answer);
      await this.featureLevel.learn(verdict.answer);
      return verdict;
    }
    throw await this.#explain(prepared, verdict, sending);
  }

  async #send(prepared: Prepared, { attempts }: Sending): Promise<Verdict> {
    const { form, request } = prepared;
    if (!form) return send<never>(this.#link, prepared, { attempts });
    const { randomBoundary, withUpload } = await import("./multipart.ts");
    const { clock, files } = this.#link.world;
    const boundary = randomBoundary(clock.random);
    const headers = { ...request.headers, "content-type": `multipart/form-data; boundary=${boundary}` };
    return withUpload(form, boundary, files, (upload) =>
      send<never>(this.#link, { ...prepared, request: { ...request, headers, upload } }, { attempts }),
    );
  }

  async #prepare(call: Call, sending: Sending): Promise<Prepared> {
    await this.featureLevel.check(call, sending);
    const level = await this.encodingLevel(call);
    const key = call.operation.anonymous ? undefined : (await this.#account.key?.())?.reveal();
    const timeout = sending.timeout ?? Math.max(this.#link.options.timeout, call.operation.maxDuration ?? 0);
    return prepare(call, level, { world: this.#link.world, account: this.#account, key, timeout }, sending.verifyWith);
  }

  /** Returns the failure of an answer with ignored parameters. */
  async ignoredFailure(names: readonly string[], { flags = {} }: Spelling = {}): Promise<Failure> {
    const level = await undefinedOnFailure(this.featureLevel.refresh());
    const server = level === undefined ? this.host : `${this.host} (feature level ${level})`;
    const parameters = names.map((name) => (Object.hasOwn(flags, name) ? flags[name] : name)).join(", ");
    return new Partial(`${server} ignored ${parameters}: that part was not applied`, {
      hint: "Pass --allow-ignored to make this a warning.",
      more: { ignored: names },
    });
  }

  #connect(): Promise<Connection> {
    this.#connection ??= this.#link.world.connect(this.#account.tls);
    return this.#connection;
  }

  async #explain(prepared: Prepared, verdict: Failed, spelled: Spelling): Promise<Failure> {
    const { info, request, level } = prepared;
    const { operation, host } = info;
    const { since } = operation;
    const explained = failure(info, verdict, this.#link.world.signals.stop.reason);
    if (!("status" in verdict)) return explained;
    // A path that is older than the method answers 405.
    if (since !== undefined && (verdict.status === 404 || verdict.status === 405)) {
      const has = await undefinedOnFailure(this.featureLevel.refresh());
      if (has !== undefined && has < since)
        return this.featureLevel.tooOld(
          operation,
          { flag: undefined, needs: since },
          { has, spelled, outcome: "not_applied" },
        );
    }
    if (level !== undefined && verdict.status === 400) {
      const has = await undefinedOnFailure(this.featureLevel.refresh());
      if (has !== undefined && encode(prepared.call, has).body !== request.body)
        explained.details.hint = `${host} had feature level ${level} when it was last asked and has ${has} now: run the command again.`;
    }
    this.#roleHint.explain(explained, info, verdict);
    if (operation.ofArchived === undefined) return explained;
    const { explainArchived } = await import("./archived-channel.ts");
    const reading = {
      host,
      level: () => this.featureLevel.refresh(),
      lookUp: (read: typeof getChannels, args: ArgsOf<typeof getChannels>) => this.lookUp(read, args),
    };
    return explainArchived(reading, prepared.call, explained);
  }
}

/** Sends one request, and finds out what became of it: a journal beside it, and a second look where no answer came. */
import { errorRecord, Failure, Refused, Unknown, Unreachable } from "../errors.ts";
import type { Clock, Signals } from "../world.ts";
import { type Carrier, concernsAll } from "./carrier.ts";
import type { Delivery } from "./change.ts";
import type { Growth } from "./growth.ts";
import { conclusion, type Entry, type Journal } from "./journal.ts";
import { judge } from "./judge.ts";
import { type Piece, type Request, requestOf } from "./piece.ts";
import { lost } from "./recall.ts";
import { type Settled, settle, settleable, standing } from "./settle.ts";

export type Lacking = Delivery & { failure: Failure };

export const applied: Delivery = { outcome: "done", answer: {}, ignored: [] };

/** Repetitions of one request that got no answer each time before it is given up. */
const mostRepetitions = 5;

/** Who is told what became of requests. */
export interface Fates {
  /** Why nothing new is sent any more. */
  readonly stopped: Failure | undefined;
  finish(request: Request, delivery: Delivery): void;
  /** The server refused it, for one of its pieces or several. */
  refused(request: Request, delivery: Lacking): void;
  /** Reading has told what became of these pieces of a refused request; the rest is to be sent. */
  judged(explained: readonly { piece: Piece; delivery: Delivery }[], rest: Request | undefined): void;
  /** Nobody can tell. */
  unknown(request: Request, delivery: Lacking): void;
  /** An answer came, whatever it says, or nothing has left. */
  answered(): void;
  /** Nothing new is to be sent. */
  stop(why: Failure): void;
  broken(bug: unknown): void;
}

export interface Means {
  carrier: Carrier;
  journal: Journal;
  growth: Growth;
  clock: Clock;
  signals: Signals;
  /** Milliseconds for which a lost membership change is looked for; undefined where it is not. */
  settle: number | undefined;
}

export class Dispatch {
  readonly #means: Means;
  readonly #fates: Fates;
  #unwritten = 0;

  constructor(means: Means, fates: Fates) {
    this.#means = means;
    this.#fates = fates;
  }

  /** How many answers are not on disk yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Sends a request until there is something to tell of its pieces. */
  async perform(first: Request): Promise<void> {
    for (let request = first, repetition = 1; ; repetition++) {
      const { sent, delivery } = await this.#send(request);
      if (delivery.outcome !== "unknown" || sent === undefined) return this.#conclude(request, sent, delivery);
      await this.record({ unanswered: sent, error: errorRecord(delivery.failure) });
      const settled = await this.settle(request, sent, delivery.failure);
      if (settled === "applied") return this.#fates.finish(request, applied);
      if (settled !== "not_applied") return this.#fates.unknown(request, delivery);
      request = { ...certain(request), again: true };
      if (this.#fates.stopped)
        return this.#fates.finish(request, { outcome: "not_sent", failure: this.#fates.stopped });
      if (repetition >= mostRepetitions) return this.#givenUp(request, delivery.failure, repetition);
    }
  }

  async #send(request: Request): Promise<{ sent: number | undefined; delivery: Delivery }> {
    const { clock } = this.#means;
    const { operation, args, pieces } = request;
    let sent: number | undefined;
    let left = 0;
    const leaving = async () => {
      sent = await this.#means.journal.sent(request);
      left = clock.monotonic();
    };
    const returned = async () => {
      if (sent !== undefined) await this.record({ returned: sent });
      sent = undefined;
    };
    const leaves = () => this.#means.journal.check();
    const { verifyWith } = pieces[0]!.change;
    const delivery = await this.#means.carrier.send({ operation, args, verifyWith }, { leaving, leaves, returned });
    if (sent !== undefined) {
      const answered = delivery.outcome === "done" || delivery.outcome === "refused";
      this.#means.growth.learn(request, answered ? clock.monotonic() - left : undefined);
    }
    return { sent, delivery };
  }

  /** An answer came, or the request did not leave. */
  async #conclude(request: Request, sent: number | undefined, delivery: Delivery): Promise<void> {
    const entry = sent === undefined ? undefined : conclusion(sent, request, delivery);
    this.#fates.answered();
    if (delivery.outcome === "done") {
      // The line goes on before this is on disk: the record of its next request comes after it in the same file.
      this.#unwritten++;
      this.record(entry)
        .finally(() => this.#unwritten--)
        .then(
          () => this.#fates.finish(request, delivery),
          (bug) => this.#fates.broken(bug),
        );
    } else if (concernsAll(delivery.failure)) {
      await this.record(entry);
      this.#fates.finish(request, delivery);
      this.#fates.stop(delivery.failure);
    } else if (delivery.outcome === "refused" && request.again) {
      await this.#refusedAgain(request, sent, delivery);
    } else {
      await this.record(entry);
      await this.#refused(request, sent, delivery);
    }
  }

  /** A request of several rows is judged by reading before it is split, and one that only wishes a thing so, too. */
  async #refused(request: Request, sent: number | undefined, delivery: Lacking): Promise<void> {
    const { pieces, judged } = request;
    const worthwhile = pieces.length > 1 || pieces[0]!.change.ifChanged;
    const readable = delivery.failure instanceof Refused && settleable(request);
    if (judged || !worthwhile || !readable || sent === undefined || this.#fates.stopped)
      return this.#fates.refused(request, delivery);
    const finding = await judge(this.#means.carrier, request, delivery.failure);
    if (typeof finding === "string")
      return this.#fates.refused(finding === "unread" ? request : { ...request, judged: true }, delivery);
    const { explained, rest } = finding;
    const [refused, so] = (["refused", "done"] as const).map((outcome) =>
      explained.filter((each) => each.delivery.outcome === outcome),
    );
    const rows = (some: typeof explained) => some.map(({ piece }) => piece.key);
    const errors = explained.flatMap(({ delivery }) =>
      delivery.outcome === "refused" ? [errorRecord(delivery.failure)] : [],
    );
    if (refused!.length) await this.record({ judged: sent, rows: rows(refused!), as: "refused", errors });
    if (so!.length) await this.record({ judged: sent, rows: rows(so!), as: "unchanged" });
    this.#fates.judged(explained, rest.length ? { ...requestOf(rest), judged: true } : undefined);
  }

  /** A repetition was refused: it may be so because the first request was applied after all. */
  async #refusedAgain(request: Request, sent: number | undefined, delivery: Lacking): Promise<void> {
    const readable = settleable(request);
    const reading = readable ? standing(this.#means.carrier, request) : Promise.resolve(undefined);
    const found = await reading.catch((failure) => {
      if (!(failure instanceof Failure)) throw failure;
      return undefined;
    });
    const alone = request.pieces.length === 1;
    if (found === "applied") {
      if (sent !== undefined) await this.record({ settled: sent, as: "done" });
      this.#fates.finish(request, applied);
    } else if (found === "absent" || !alone) {
      if (sent !== undefined) await this.record(conclusion(sent, request, delivery));
      this.#fates.refused(found === "absent" ? certain(request) : request, delivery);
    } else {
      const failure = new Unknown(`${delivery.failure.message}; whether it was applied before cannot be told`, {
        ...delivery.failure.details,
        outcome: "unknown",
        hint: `Find out with: ${request.pieces[0]!.change.verifyWith}`,
      });
      // What the read did not tell, a later run may find out.
      const entry = { error: errorRecord(failure) };
      const final = found === "mixed" || !readable;
      if (sent !== undefined)
        await this.record(final ? { settled: sent, as: "unknown", ...entry } : { unanswered: sent, ...entry });
      this.#fates.unknown(request, { outcome: "unknown", failure });
    }
  }

  #givenUp(request: Request, { message, details }: Failure, times: number): void {
    const failure = new Unreachable(`${message.split(";")[0]}; it was sent ${times} times and not applied`, {
      request: details.request,
      outcome: "not_applied",
    });
    this.#fates.finish(request, { outcome: "not_sent", failure });
    this.#fates.stop(failure);
  }

  /** Settles a request without an answer, where it can be, and records what that came to. */
  async settle(
    request: Pick<Request, "operation" | "args">,
    sent: number,
    failure: Failure = lost(),
  ): Promise<Settled> {
    const { carrier, clock, signals, settle: wait } = this.#means;
    if (wait === undefined || !settleable(request)) return "open";
    signals.underway++;
    const settled = await settle(carrier, request, { clock, signals, wait });
    signals.underway--;
    if (settled === "applied") await this.record({ settled: sent, as: "done" });
    if (settled === "not_applied") await this.record({ settled: sent, as: "not_applied" });
    if (settled === "mixed") await this.record({ settled: sent, as: "unknown", error: errorRecord(failure) });
    return settled;
  }

  /** A journal that cannot be written ends the run; what is known already stays known. */
  async record(entry: Entry | undefined): Promise<void> {
    if (!entry) return;
    try {
      await this.#means.journal.write(entry);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      this.#fates.stop(failure);
    }
  }
}

/** The same request, of which it has become clear that nothing of it was applied before. */
const certain = (request: Request): Request => ({
  ...request,
  pieces: request.pieces.map((piece) => ({ ...piece, again: true, doubt: undefined })),
});

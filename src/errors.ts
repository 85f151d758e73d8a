/** The failures we foresee. Each class fixes an exit code and a `kind`; anything else that is thrown is a bug (70). */

export type Outcome = "not_sent" | "not_applied" | "maybe_partial" | "unknown";

export interface Details {
  /** Names the next command or flag to try. */
  hint?: string;
  /** The server's own code. */
  code?: string;
  httpStatus?: number;
  request?: { method: string; path: string };
  /** Absent for reads. */
  outcome?: Outcome;
  /** Further members of the JSON error, such as `parameters` or `problems`. */
  more?: Record<string, unknown>;
  cause?: unknown;
}

export abstract class Failure extends Error {
  abstract readonly exitCode: number;
  abstract readonly kind: string;
  /** Open, so that a room above can add what the lower room could not know. */
  readonly details: Details;
  constructor(message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.details = details;
  }
}

/** The server said no. */
export class Refused extends Failure {
  readonly exitCode = 1;
  readonly kind = "refused";
}

/** The server does not know what was asked for yet; nothing of it was done. */
export class TooOld extends Failure {
  readonly exitCode = 1;
  readonly kind = "refused";
}

/** The command line or an input is wrong; nothing was sent. */
export class Usage extends Failure {
  readonly exitCode = 2;
  readonly kind = "usage";
  /** The flag or operand whose value is wrong, as messages call it. */
  at?: string;
}

/** Does the work; a `Usage` failure of it names this flag or operand. */
export async function readingWord<T>(flag: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof Usage) failure.at ??= flag;
    throw failure;
  }
}

/** There is nothing in the words that could be done: of a row of a batch it may be that its cells are empty. */
export class NothingAsked extends Usage {}

export class NeedsLogin extends Failure {
  readonly exitCode = 3;
  readonly kind = "login";
}

/** No usable answer, and nothing changed. */
export class Unreachable extends Failure {
  readonly exitCode = 4;
  readonly kind = "unreachable";
}

export class Partial extends Failure {
  readonly exitCode = 5;
  readonly kind = "partial";
}

/** Someone changed it first. */
export class Conflict extends Failure {
  readonly exitCode = 6;
  readonly kind = "conflict";
}

/** A change was sent and no answer of the server's came. */
export class Unknown extends Failure {
  readonly exitCode = 7;
  readonly kind = "unknown";
}

export class Difference extends Failure {
  readonly exitCode = 8;
  readonly kind = "difference";
}

/** The exit codes of the signals that ask a command to end. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type Signal = keyof typeof signalCodes;

/** "No" to the confirmation, or a signal when nothing was on its way. */
export class Cancelled extends Failure {
  readonly kind = "cancelled";
  readonly signal: Signal;
  readonly exitCode: (typeof signalCodes)[Signal];
  constructor(message: string, signal: Signal = "SIGINT", details: Details = {}) {
    super(message, details);
    this.signal = signal;
    this.exitCode = signalCodes[signal];
  }
}

/** For `catch`: returns an unexpected error as a value, and throws expected failures on. */
export function reasonOf(error: Error): Error {
  if (error instanceof Failure) throw error;
  return error;
}

/** For additions to a known failure: their errors must not replace it. */
export const orUndefined = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });

/** Runs work before sending: its failures say that nothing was sent. */
export async function unsent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) error.details.outcome ??= "not_sent";
    throw error;
  }
}

/** The reason of `world.signals.stop`. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  constructor(readonly signal: Signal) {
    super(signal);
  }
}

/** Returns a thrown value as an error. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** The code of a system call's error, such as `ENOENT`. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** The signal behind the reason of an abort; Ctrl-C where it is none. */
export const signalOf = (reason: unknown): Signal => (reason instanceof Interrupted ? reason.signal : "SIGINT");

/** Expected failures. Each class has an exit code and a `kind`. Any other thrown value is a bug (70). */

export type Outcome = "not_sent" | "not_applied" | "maybe_partial" | "unknown";

export interface Details {
  /** The next command or flag to try. */
  hint?: string;
  /** The server's code. */
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
  /** Callers may add details. */
  readonly details: Details;
  constructor(message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.details = details;
  }
}

/** Makes the base of a class of failures. */
const failureClass = <C extends number, K extends string>(exitCode: C, kind: K) =>
  class extends Failure {
    readonly exitCode = exitCode;
    readonly kind = kind;
  };

/** The server refused. */
export class Refused extends failureClass(1, "refused") {}

/** The server is too old. Nothing was done. */
export class TooOld extends failureClass(1, "refused") {}

/** The command line or an input is wrong. Nothing was sent. */
export class Usage extends failureClass(2, "usage") {
  /** The flag or argument with the wrong value. */
  flag?: string;
  /** The column of a batch's row whose cell is empty. */
  emptyColumn?: string;
}

/** Does the work. Its `Usage` failures name this flag or argument. */
export async function namingFlag<T>(flag: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof Usage) failure.flag ??= flag;
    throw failure;
  }
}

/** The command line asks for no change. In a batch, the cells of a row may be empty. */
export class NoChangeRequested extends Usage {}

export class NeedsLogin extends failureClass(3, "login") {}

/** No usable answer, and nothing changed. */
export class Unreachable extends failureClass(4, "unreachable") {}

export class Partial extends failureClass(5, "partial") {}

/** Someone changed it first. */
export class Conflict extends failureClass(6, "conflict") {}

/** A change was sent, and the server did not answer. */
export class Unknown extends failureClass(7, "unknown") {}

export class DifferenceFailure extends failureClass(8, "difference") {}

/** Another command line failed. This one ends with its exit code. */
export class CommandFailed extends Failure {
  constructor(
    message: string,
    readonly exitCode: number,
    readonly kind: string,
    details?: Details,
  ) {
    super(message, details);
  }
}

/** The exit codes of signals. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type Signal = keyof typeof signalCodes;

/** "No" at the confirmation, or a signal while no change was underway. */
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
export function unexpected(error: Error): Error {
  if (error instanceof Failure) throw error;
  return error;
}

/** For additions to a known failure: their errors must not replace it. */
export const undefinedOnFailure = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });

/** Runs work before sending: its failures say that nothing was sent. */
export async function beforeSending<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) error.details.outcome ??= "not_sent";
    throw error;
  }
}

/** Why the run ends: a signal arrived. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  constructor(readonly signal: Signal) {
    super(signal);
  }
}

/** Returns a thrown value as an error. */
/** Joins two hints as sentences. */
export const joinHints = (first: string | undefined, second: string | undefined): string =>
  [first?.replace(/([^.])$/, "$1."), second].filter(Boolean).join(" ");

export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** The code of a system call's error, such as `ENOENT`. */
export const systemErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Returns the signal of an abort. By default Ctrl-C. */
export const signalOf = (reason: unknown): Signal => (reason instanceof Interrupted ? reason.signal : "SIGINT");

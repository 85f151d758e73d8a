/**
 * Everything zulipctl needs from outside, handed in as one plain object. `src/node` makes the real one;
 * tests and the simulation make others.
 */
import type { EmbeddedSetup, SandboxInfo } from "./embedded.ts";
import type { Peers, Tls } from "./peers.ts";
import type { Appending, Incoming, Log, Rolling, RollingOptions } from "./writing.ts";

/** A key, password or device token. Every way of printing it gives `[secret]`; only `reveal` gives the text. */
export class Secret {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  reveal(): string {
    return this.#text;
  }
  toString(): string {
    return "[secret]";
  }
  toJSON(): string {
    return "[secret]";
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "[secret]";
  }
}

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "HEAD" | "OPTIONS";

/** A body that is made while it is sent. */
export interface Upload {
  /** Bytes in all. */
  readonly size: number;
  /** May be called again for another attempt. What it throws the request fails with, and the server never gets the end. */
  bytes(): AsyncIterable<Uint8Array>;
}

export interface HttpRequest {
  method: Method;
  /** Absolute, query string included. */
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** In place of `body`. */
  upload?: Upload;
  /** Milliseconds for the whole exchange, the end of the answer's body included; it begins anew with each part of an upload. */
  timeout: number;
  /** The time limit begins anew with each part of the answer: it is one for silence, however long the whole takes. */
  patient?: boolean;
  /** On a connection of its own, on which nothing comes after the answer; changes have one without saying so. */
  alone?: boolean;
  signal?: AbortSignal;
  /**
   * Called just before the first byte leaves this machine; where that never happens, not at all. What it throws the
   * request fails with, and nothing leaves.
   */
  leaves?(): void;
}

export interface HttpResponse {
  status: number;
  /** Names in lower case; of a header that comes several times, the last. */
  headers: Record<string, string>;
  /** Read once. Throws `NoAnswer` where the body ends early. */
  body: AsyncIterable<Uint8Array>;
}

/** Resolves with whatever status came back, redirects included; rejects with `NoAnswer` only when no response did. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

export type Cause = "dns" | "refused" | "network" | "tls" | "reset" | "timeout" | "cut" | "stopped" | "protocol";

/** No whole response came. `left` is false only where it is certain that nothing of the request left this machine. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  constructor(
    message: string,
    readonly why: Cause,
    readonly left: boolean,
  ) {
    super(message);
  }
}

export interface Connection {
  request: Http;
  /** Ends idle connections, so that the process can end. */
  close(): Promise<void>;
}

export interface Clock {
  /** Milliseconds since the epoch; may jump. */
  now(): number;
  /** Milliseconds of a clock that never jumps, from an arbitrary start. */
  monotonic(): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

export interface Output {
  /** Resolves when more may be written. Where the reader has gone, `gone` becomes true and writing does nothing. */
  write(text: string | Uint8Array): Promise<void>;
  readonly gone: boolean;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  /** Colours the terminal shows: 0 none, 1 sixteen, 2 256, 3 all. */
  readonly colorLevel: 0 | 1 | 2 | 3;
}

export interface Input {
  readonly isTerminal: boolean;
  bytes(): AsyncIterable<Uint8Array>;
}

export interface Prompts {
  /** The default answer is no. Throws `Cancelled` on Ctrl-C. */
  confirm(question: string): Promise<boolean>;
  /** Throws `Cancelled` on Ctrl-C. */
  text(question: string): Promise<string>;
  /** Not echoed. Throws `Cancelled` on Ctrl-C. */
  password(question: string): Promise<Secret>;
}

/** Milliseconds. A keychain that asks a person who is not there would wait for ever. */
export const keychainPatience = 5000;

/** The OS keychain. Every call ends within `keychainPatience` and throws `KeychainFailure` where it cannot be done. */
export interface Keychain {
  get(account: string): Promise<Secret | undefined>;
  set(account: string, secret: Secret): Promise<void>;
  /** False where there was none. */
  forget(account: string): Promise<boolean>;
}

export class KeychainFailure extends Error {
  override readonly name = "KeychainFailure";
  constructor(
    message: string,
    readonly why: "missing" | "locked" | "silent" | "package" | "other",
  ) {
    super(message);
  }
}

/** Milliseconds without a sign of life after which the holder of a lock counts as dead. */
export const longestSilence = 30_000;

/** Held by this process until it is released, or lost. */
export interface Lock {
  /**
   * False for good once it is another's, or nobody can tell. Looks before it returns, so that what is done in the same
   * turn of the event loop is done by the holder.
   */
  held(): boolean;
  /** Does nothing to what another holds by now. */
  release(): Promise<void>;
}

/** What others than its owner may do with a file. */
export interface Access {
  /** Whose it is where it is neither ours nor the administrator's: `bob`, or `user id 1001`. */
  owner?: string;
  readable: boolean;
  writable: boolean;
}

/** A regular file that stays open: what has its name later plays no part. */
export interface OpenFile {
  readonly size: number;
  /** All of it from the beginning. Throws where somebody has changed it since it was opened. */
  bytes(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export interface Files {
  /** Undefined where there is no such file; throws where it is larger than so many bytes (16 MiB where none are said). */
  read(path: string, largest?: number): Promise<string | undefined>;
  /** The same, and who else may read and change what was read. */
  guarded(path: string): Promise<{ text: string; access: Access } | undefined>;
  /** Throws where there is no such file. Waits for the writer of a pipe. */
  stream(path: string): AsyncIterable<Uint8Array>;
  /** Throws where there is none, or anything else than a regular file. */
  open(path: string): Promise<OpenFile>;
  /** A new file of mode 0600 takes the place of what is there, a link included; makes missing directories 0700. */
  write(path: string, text: string): Promise<void>;
  /** A new file that comes piece by piece, in a directory that is there. */
  incoming(path: string): Promise<Incoming>;
  /** What has a name: a link that leads nowhere is `other`; undefined where nothing has it. */
  kind(path: string): Promise<"file" | "directory" | "other" | undefined>;
  /** Does nothing where there is none. */
  remove(path: string): Promise<void>;
  list(directory: string): Promise<string[]>;
  /**
   * Removes files of these names from the directories in one that are not kept, and such a directory once it is empty.
   * Follows no link. `modified` in milliseconds since the epoch.
   */
  sweep(directory: string, names: RegExp, keeps: (name: string, modified: number) => boolean): Promise<void>;
  /** Which file a path leads to, whatever it is called there, and whether that is a plain one; undefined for none. */
  identity(path: string): Promise<{ id: string; plain: boolean } | undefined>;
  /** Where a path leads, links followed; undefined where nothing is. */
  actual(path: string): Promise<string | undefined>;
  /** Opens for appending; made 0600 where it is missing. */
  append(path: string, options?: Appending): Promise<Log>;
  /** Nothing is opened or made before the first line. */
  rolling(path: string, options: RollingOptions): Rolling;
  /**
   * Undefined where another living process holds it after `wait` milliseconds. Locks of the dead do not block, though it
   * may take half a minute to tell that the holder is dead. Rejects with the reason of `stop`.
   */
  lock(path: string, wait: number, stop?: AbortSignal): Promise<Lock | undefined>;
}

export interface Loaded {
  document: unknown;
  access: Access;
}

/** The configuration file, one JSON document. */
export interface Settings {
  readonly path: string;
  /** The parsed document, `undefined` where there is none; throws `Usage` naming the file where it is unreadable. */
  load(): Promise<Loaded | undefined>;
  /** A critical section between processes: no other is inside one while `work` runs. `replace` writes the document. */
  edit<T>(work: (present: Loaded | undefined, replace: (document: unknown) => Promise<void>) => Promise<T>): Promise<T>;
}

export interface Ran {
  /** Null where it did not end by itself. */
  code: number | null;
  /** Why it was ended: the time was up, or it wrote more than a megabyte; or the signal that somebody else sent. */
  ended?: "timeout" | "output" | NodeJS.Signals;
  stdout: string;
  stderr: string;
}

/** A server in this process, which keeps nothing. */
export interface Embedded {
  site: string;
  info: SandboxInfo;
  request: Http;
  close(): Promise<void>;
}

export interface Places {
  home: string;
  cache: string;
  state: string;
}

/** What Ctrl-C, SIGTERM and SIGHUP say. The reason of `stop` is an `Interrupted`. */
export interface Signals {
  readonly stop: AbortSignal;
  /**
   * What can be said of the changes that the command makes if it breaks off now; undefined for commands that make none.
   * `unknown` from the moment on at which the first has left.
   */
  outcome?: "not_sent" | "unknown";
  /** Does what awaits nothing and may take long, and gives what it gives; a signal ends the process meanwhile. */
  computing<T>(work: () => T): T;
  /** How many changes are on their way now; a second signal ends the process at once, with 7 where it is not 0. */
  underway: number;
}

export interface World {
  version: string;
  /** For the User-Agent: `Linux; node 20.20.2`. */
  platform: string;
  env: Record<string, string | undefined>;
  places: Places;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  clock: Clock;
  /**
   * `many`: so many changes are to be made that they use connections again and again. Otherwise each has one of its own,
   * and an answer that comes to another change cannot pass for its.
   */
  connect(tls: Tls): Promise<Connection>;
  peers: Peers;
  prompts: Prompts;
  keychain: Keychain;
  files: Files;
  settings: Settings;
  signals: Signals;
  /** Runs a program without a shell, stdin closed, until it ends, or for `timeout` milliseconds; others that it started may go on. */
  run(argv: readonly string[], timeout: number): Promise<Ran>;
  /**
   * Runs a program with this process's streams until it ends, and passes signals on; the exit code, 128 and more for
   * one that a signal ended. Rejects where it cannot be started.
   */
  host(argv: readonly string[], env: World["env"], input?: string): Promise<number>;
  /** How many people one request of a long list names at most, where that is to be few; usually absent. */
  portion?: number;
  /** Starts the embedded server; throws `Usage` for a setup that cannot be. */
  embed(setup: EmbeddedSetup): Promise<Embedded>;
}

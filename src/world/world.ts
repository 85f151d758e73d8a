/** Everything that zulipctl needs from outside. `src/node` makes the real one, and tests make others. */

import type { EmbeddedSetup, SandboxInfo } from "./embedded.ts";
import type { Access } from "./file-access.ts";
import type { Installation } from "./installation.ts";
import type { Peers, Tls } from "./peers.ts";
import type { Processes } from "./processes.ts";
import type { AppendOptions, Log, NewFile, OpenFile, RollingLog, RollingLogOptions, Temporary } from "./writing.ts";

/** A key, password or device token. It prints as `[secret]`. Only `reveal` returns the text. */
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

/** A body that is read while it is sent. */
export interface Upload {
  /** The total number of bytes. */
  readonly size: number;
  /** May be called again for another attempt. If it throws, the request fails, and the server never gets the end. */
  bytes(): AsyncIterable<Uint8Array>;
}

export interface HttpRequest {
  method: Method;
  /** Absolute, with the query. */
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Replaces `body`. */
  upload?: Upload;
  /** Milliseconds for the whole exchange, until the end of the answer. It restarts with each part of an upload. */
  timeout: number;
  /** The time limit restarts with each part of the answer: it only limits silence. */
  limitsSilence?: boolean;
  /** Uses a connection of its own. Changes always do. */
  ownConnection?: boolean;
  signal?: AbortSignal;
  /** Called just before the first byte leaves this machine. If it throws, the request fails, and nothing leaves. */
  beforeSend?(): void;
}

export interface HttpResponse {
  status: number;
  /** By lower-case name. The last of repeated headers counts. */
  headers: Record<string, string>;
  /** Read once. Throws `NoAnswer` if the body ends early. */
  body: AsyncIterable<Uint8Array>;
}

/** Resolves with any status, also a redirect. Rejects with `NoAnswer` if there was no response. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

export type Cause =
  | "dns"
  | "refused"
  | "network"
  | "tls"
  | "reset"
  | "timeout"
  | "cut"
  | "stopped"
  | "protocol"
  | "proxy";

/** No complete response came. `maybeSent`: a part of the request may have left this machine. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  constructor(
    message: string,
    readonly why: Cause,
    readonly maybeSent: boolean,
    /** What to do about it. */
    readonly hint?: string,
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
  /** Milliseconds since the epoch. They may jump. */
  now(): number;
  /** Milliseconds of a clock that never jumps. */
  monotonic(): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

export interface Output {
  /** Resolves when more may be written. After the reader has gone, `isClosed` is true and writing does nothing. */
  write(text: string | Uint8Array): Promise<void>;
  readonly isClosed: boolean;
  /** It was closed from the beginning, or is the null device: nobody reads what is written. */
  readonly isDiscarded?: boolean;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  /** The colors of the terminal: 0 none, 1 sixteen, 2 256, 3 all. */
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

/** In milliseconds. A keychain may wait forever for an absent person. */
export const keychainTimeout = 5000;

/** The OS keychain. Each call ends within `keychainTimeout`. Throws `KeychainFailure`. */
export interface Keychain {
  get(account: string): Promise<Secret | undefined>;
  set(account: string, secret: Secret): Promise<void>;
  /** Returns false if there was none. */
  forget(account: string): Promise<boolean>;
}

export class KeychainFailure extends Error {
  override readonly name = "KeychainFailure";
  constructor(
    message: string,
    readonly why: "missing" | "locked" | "silent" | "package" | "other",
    /** The words of the system, if the message has none. */
    readonly detail?: string,
  ) {
    super(message);
  }
}

/** After this silence in milliseconds, the holder of a lock counts as dead. */
export const lockTimeout = 30_000;

/** Held by this process until it is released or lost. */
export interface Lock {
  /** Checks the lock now. Returns false from when it is lost, or nobody can tell. */
  isHeld(): boolean;
  /** A lock that another process holds now stays. */
  release(): Promise<void>;
}

export interface Files extends Temporary {
  /** Returns undefined for a missing file. Throws if it has more than `largest` bytes. The default is 16 MiB. */
  read(path: string, largest?: number): Promise<string | undefined>;
  /** The same, with the access of others. */
  readWithAccess(path: string): Promise<{ text: string; access: Access } | undefined>;
  /** Throws for a missing file, and unless it is regular or a pipe of the shell: `/dev/fd/63`. */
  stream(path: string): AsyncIterable<Uint8Array>;
  /** Yields the parts of a regular file from its end, the last one first. Throws for a missing file. */
  streamFromEnd(path: string): AsyncIterable<Uint8Array>;
  /** Throws unless there is a regular file. */
  open(path: string): Promise<OpenFile>;
  /** Replaces a file or link by a new file of mode 0600. Missing directories get mode 0700. */
  write(path: string, text: string): Promise<void>;
  /** Begins a new file in an existing directory. */
  createFile(path: string): Promise<NewFile>;
  /** A broken link is `other`. Undefined if nothing has the name. */
  kind(path: string): Promise<"file" | "directory" | "other" | undefined>;
  /** Does nothing for a missing file. */
  remove(path: string): Promise<void>;
  list(directory: string): Promise<string[]>;
  /** Removes files with these names from subdirectories that `keeps` rejects, and empty ones. `modified`: milliseconds. */
  sweep(directory: string, names: RegExp, keeps: (name: string, modified: number) => boolean): Promise<void>;
  /** Identifies the file of a path. `plain`: it is a regular file. Undefined for a missing file. */
  identity(path: string): Promise<{ id: string; plain: boolean } | undefined>;
  /** Follows links. Undefined for a missing file. */
  realPath(path: string): Promise<string | undefined>;
  /** Opens a file for appending. A new file has mode 0600. */
  append(path: string, options?: AppendOptions): Promise<Log>;
  /** The file is opened at the first line. */
  rollingLog(path: string, options: RollingLogOptions): RollingLog;
  /**
   * Returns undefined if another process still holds the lock after `wait` milliseconds. Locks of dead processes do not
   * count, but it may take half a minute to recognize one. Rejects with the reason of `stop`.
   */
  lock(path: string, wait: number, stop?: AbortSignal): Promise<Lock | undefined>;
}

export interface LoadedSettings {
  document: unknown;
  access: Access;
}

/** The configuration file, one JSON document. */
export interface Settings {
  readonly path: string;
  /** Returns undefined for a missing file. Throws `Usage` with the file if it is unreadable. */
  load(): Promise<LoadedSettings | undefined>;
  /** Runs `work` under a lock between processes. `replace` writes the document. */
  edit<T>(
    work: (present: LoadedSettings | undefined, replace: (document: unknown) => Promise<void>) => Promise<T>,
  ): Promise<T>;
}

export interface ProgramResult {
  /** Null if it did not end by itself. */
  code: number | null;
  /** Why it was ended: a timeout, more than a megabyte of output, or a signal of somebody else. */
  endedBy?: "timeout" | "output" | NodeJS.Signals;
  stdout: string;
}

/** A program that gets its whole stdin. It and what it starts end at a signal to this process. */
export interface StdinOptions {
  input: string;
  /** It ends after so many milliseconds. */
  timeout?: number | undefined;
}

/** A server in this process. It saves nothing. */
export interface EmbeddedServer {
  info: SandboxInfo;
  request: Http;
  close(): Promise<void>;
}

export interface Directories {
  home: string;
  cache: string;
  state: string;
}

/** Ctrl-C, SIGTERM and SIGHUP. The reason of `stop` is an `Interrupted`. */
export interface Signals {
  readonly stop: AbortSignal;
  /** The outcome of the command's changes if it ended now. Undefined for a command without changes. */
  outcome?: "not_sent" | "unknown";
  /** Runs long work that awaits nothing. A signal ends the process meanwhile. */
  runBlocking<T>(work: () => T): T;
  /** The number of unanswered changes. With any, a second signal ends the process with 7. */
  unansweredChanges: number;
}

/** The variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface World {
  version: string;
  installation(): Promise<Installation>;
  /** Gets the warnings about files that others can read, in place of stderr. With `--quiet` nobody does. */
  onExposedFile?: ((warning: string) => void) | undefined;
  /** For the User-Agent: `Linux; node 20.20.2`. */
  platform: string;
  env: Env;
  directories: Directories;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  clock: Clock;
  connect(tls: Tls): Promise<Connection>;
  peers: Peers;
  prompts: Prompts;
  keychain: Keychain;
  files: Files;
  settings: Settings;
  signals: Signals;
  processes(): Promise<Processes>;
  /** Runs a program without a shell and stdin, at most `timeout` milliseconds. Its own child processes may continue. */
  run(argv: readonly string[], timeout: number): Promise<ProgramResult>;
  /**
   * Runs a program with this process's streams and passes signals on. Returns the exit code, 128 and more after a
   * signal. Rejects if the program cannot be started.
   */
  runWithStreams(argv: readonly string[], env: World["env"], options?: StdinOptions): Promise<number>;
  /** The largest number of people in one request, for tests. */
  peoplePerRequest?: number;
  /** Starts the embedded server. Throws `Usage` for an invalid setup. */
  embed(setup: EmbeddedSetup): Promise<EmbeddedServer>;
}

/** Files that are written piece by piece. */

/** An append-only file of mode 0600. */
export interface Log {
  append(text: string): Promise<void>;
  /** Resolves when everything appended is on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Appending {
  /** Fails where it exists. */
  exclusive?: boolean;
  /** Cut to so many bytes first. */
  truncateTo?: number;
}

/** A file that is still coming, of mode 0600. Nothing stands under its name until it is there whole. */
export interface Incoming {
  /** Resolves when more may be written. */
  write(bytes: Uint8Array): Promise<void>;
  /** Gives it its name, at once and whole. False, and nothing given, where something has the name and may not be replaced. */
  complete(replace: boolean): Promise<boolean>;
  /** Takes away what has come, unless it is complete. */
  discard(): Promise<void>;
}

/** A log of lines, of mode 0600, to which other processes append as well. */
export interface Rolling {
  /** Appends one line, with its newline, in one write. It is not awaited on disk. */
  add(line: string): Promise<void>;
  close(): Promise<void>;
}

export interface RollingOptions {
  /** Bytes from which on the file gets another name and a new one begins. */
  largest: number;
  /** How many older files are kept. */
  kept: number;
}

/** The names of a rolling log, the newest first: `log.ndjson`, `log.1.ndjson`. */
export const rolled = (path: string, kept: number): string[] => [
  path,
  ...Array.from({ length: kept }, (_, n) => path.replace(/(\.[^./\\]+)?$/, `.${n + 1}$1`)),
];

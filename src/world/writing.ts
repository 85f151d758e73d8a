/** Files that are read or written in several pieces. */

/** An append-only file of mode 0600. */
export interface Log {
  append(text: string): Promise<void>;
  /** Resolves when everything appended is on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface AppendOptions {
  /** Fails if the file exists. */
  exclusive?: boolean;
  /** Cuts the file to this many bytes first. */
  truncateTo?: number;
}

/** A new file of mode 0600. It gets its name when it is complete. */
export interface NewFile {
  /** Resolves when more may be written. */
  write(bytes: Uint8Array): Promise<void>;
  /** Gives the file its name. Returns false if the name is in use and may not be replaced. */
  complete(replace: boolean): Promise<boolean>;
  /** Removes the file, unless it is complete. */
  discard(): Promise<void>;
}

/** A log of lines, of mode 0600. Other processes append to it too. */
export interface RollingLog {
  /** Appends a line with its newline in one write. It may not be on disk yet. */
  add(line: string): Promise<void>;
  close(): Promise<void>;
}

export interface RollingLogOptions {
  /** At this size in bytes the file is renamed, and a new one begins. */
  maxBytes: number;
  /** The number of older files. */
  olderFiles: number;
}

/** Returns the names of a rolling log, the newest first: `log.ndjson`, `log.1.ndjson`. */
export const rollingLogNames = (path: string, kept: number): string[] => [
  path,
  ...Array.from({ length: kept }, (_, n) => path.replace(/(\.[^./\\]+)?$/, `.${n + 1}$1`)),
];

export interface Temporary {
  /** Gives `work` a new directory, and removes it afterwards. */
  temporary<T>(work: (directory: string) => Promise<T>): Promise<T>;
}

/** An open regular file. Renaming or replacing it has no effect. */
export interface OpenFile {
  readonly size: number;
  /** Reads it from the beginning. Throws if somebody changed it since it was opened. */
  bytes(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Reads regular files, and pipes of a shell. A signal ends the wait for a pipe. */

import {
  closeSync,
  constants,
  createReadStream,
  promises as fs,
  fstatSync,
  open as openFile,
  readSync,
  type Stats,
} from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { promisify } from "node:util";
import { MiB } from "../common/unit-sizes.ts";
import { Cancelled, signalOf } from "../errors.ts";
import type { OpenFile } from "../world/writing.ts";
import { isOpenedByShell } from "./opened-by-shell.ts";

export interface ReadingOptions {
  /** Ends a wait. */
  stop?: AbortSignal | undefined;
  /** Not a link, nor a pipe of a shell. */
  plain?: boolean;
}

const open = promisify(openFile);
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

interface OpenedFile {
  readonly fd: number;
  readonly stats: Stats;
}

/** The stream closes the file. */
function streamOf({ fd, stats }: OpenedFile): Readable {
  if (stats.isFIFO()) return new Socket({ fd, readable: true, writable: false });
  return stats.isCharacterDevice() && isatty(fd) ? new ReadStream(fd) : createReadStream("", { fd });
}

/** Returns why a file is not read: a pipe could block, and a device has no end. */
function refusalOf(stats: Stats): Error | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return Object.assign(new Error("EISDIR: it is a directory"), { code: "EISDIR" });
  return new Error(`it is ${stats.isFIFO() ? "a named pipe" : "a device"}, not a regular file`);
}

async function opened(path: string, { stop, plain = false }: ReadingOptions): Promise<OpenedFile> {
  if (stop?.aborted) throw cancelled(path, stop);
  // Opening a pipe without a writer would block, and signals would not end that.
  const fd = await open(path, O_RDONLY | O_NONBLOCK | (plain ? O_NOFOLLOW : 0));
  const stats = fstatSync(fd);
  const refusal = plain || !isOpenedByShell(path, "stdin") ? refusalOf(stats) : undefined;
  if (!refusal) return { fd, stats };
  closeSync(fd);
  throw refusal;
}

const cancelled = (path: string, stop: AbortSignal) =>
  new Cancelled(`interrupted while reading ${path}`, signalOf(stop.reason));

async function* bytes(path: string, file: OpenedFile, { stop }: ReadingOptions): AsyncGenerator<Uint8Array> {
  const stream = streamOf(file);
  if (stop) addAbortSignal(stop, stream);
  try {
    yield* stream;
  } catch (error) {
    throw stop?.aborted ? cancelled(path, stop) : error;
  }
}

/** Throws the error of the system. */
export async function* bytesOf(path: string, options: ReadingOptions): AsyncGenerator<Uint8Array> {
  yield* bytes(path, await opened(path, options), options);
}

/** The size of the parts of a file that is read from its end. */
const partSize = 256 * 1024;

/** Yields the parts of a regular file, the last one first. Throws the error of the system. */
export async function* bytesFromEnd(path: string, options: ReadingOptions): AsyncGenerator<Uint8Array> {
  const { fd, stats } = await opened(path, { ...options, plain: true });
  try {
    for (let to = stats.size; to > 0; to -= partSize) {
      const from = Math.max(0, to - partSize);
      const part = Buffer.alloc(to - from);
      const read = readSync(fd, part, 0, part.length, from);
      yield part.subarray(0, read);
    }
  } finally {
    closeSync(fd);
  }
}

/** Returns the text of a file. Throws if it is larger than `largest` bytes. */
export async function readWhole(
  path: string,
  largest: number,
  options: ReadingOptions,
): Promise<{ text: string; stats: Stats }> {
  const file = await opened(path, options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes(path, file, options)) {
    size += chunk.length;
    if (size > largest) throw new Error(`it is larger than ${largest / MiB} MiB`);
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString("utf8"), stats: file.stats };
}

/** Opens a regular file, which stays open while it is sent. Throws the error of the system. */
export async function openRegular(path: string): Promise<OpenFile> {
  const handle = await fs.open(path, O_RDONLY | O_NONBLOCK);
  try {
    const found = await handle.stat();
    const refusal = refusalOf(found);
    if (refusal) throw refusal;
    const { size, mtimeMs } = found;
    return {
      size,
      async *bytes() {
        if (size > 0) yield* handle.createReadStream({ start: 0, end: size - 1, autoClose: false });
        const after = await handle.stat();
        if (after.size !== size || after.mtimeMs !== mtimeMs) throw new Error("the file changed while it was sent");
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads files of any kind. A signal ends the wait for a pipe. */
import { closeSync, constants, createReadStream, fstatSync, open as openFile, read, type Stats } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { promisify } from "node:util";
import { Cancelled, signalOf } from "../errors.ts";

export interface ReadingOptions {
  /** Ends a wait. */
  stop?: AbortSignal | undefined;
  /** Only a regular file is read, and no link to one. */
  plain?: boolean;
}

const open = promisify(openFile);
const readBlock = promisify(read);
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/** Reads a terminal, a pipe or a device. */
async function* flow(fd: number, stop: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const bytes = isatty(fd)
    ? new ReadStream(fd)
    : fstatSync(fd).isFIFO()
      ? new Socket({ fd, readable: true, writable: false })
      : createReadStream("", { fd });
  if (stop) addAbortSignal(stop, bytes);
  yield* bytes;
}

/** Reads a file. */
async function* blocks(fd: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await readBlock(fd, Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function opened(path: string, { stop, plain = false }: ReadingOptions): Promise<{ fd: number; stats: Stats }> {
  if (stop?.aborted) throw cancelled(path, stop);
  // Opening a pipe without a writer would block, and signals would not end that.
  const fd = await open(path, O_RDONLY | O_NONBLOCK | (plain ? O_NOFOLLOW : 0));
  return { fd, stats: fstatSync(fd) };
}

const cancelled = (path: string, stop: AbortSignal) =>
  new Cancelled(`interrupted while reading ${path}`, signalOf(stop.reason));

async function* bytes(path: string, { fd, stats }: { fd: number; stats: Stats }, options: ReadingOptions) {
  const { stop, plain = false } = options;
  const flows = !stats.isFile() && !stats.isDirectory();
  try {
    if (flows && plain) throw new Error("it is not a regular file");
    yield* flows ? flow(fd, stop) : blocks(fd);
  } catch (error) {
    throw stop?.aborted ? cancelled(path, stop) : error;
  } finally {
    // The stream of a pipe or device closes it.
    if (!flows || plain) closeSync(fd);
  }
}

/** Throws the error of the system. */
export async function* bytesOf(path: string, options: ReadingOptions): AsyncGenerator<Uint8Array> {
  yield* bytes(path, await opened(path, options), options);
}

const MiB = 1024 * 1024;

/** Returns the text of a file. Throws if it is larger than `largest` bytes. */
export async function whole(
  path: string,
  largest: number,
  options: ReadingOptions,
): Promise<{ text: string; stats: Stats }> {
  const from = await opened(path, options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes(path, from, options)) {
    size += chunk.length;
    if (size > largest) throw new Error(`it is larger than ${largest / MiB} MiB`);
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString("utf8"), stats: from.stats };
}

/** Files of any kind, read without waiting for what nobody writes. */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  open as openFile,
  read,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { promisify } from "node:util";
import { Cancelled, codeOf, signalOf } from "../errors.ts";

export interface ReadingOptions {
  /** Ends a wait. */
  stop?: AbortSignal | undefined;
  /** Milliseconds for which somebody is awaited who writes to a named pipe. */
  wait: number;
  /** Anything but a file, and a link in the path's last place, is an error. */
  plain?: boolean;
}

const open = promisify(openFile);
const readBlock = promisify(read);
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/** True for a pipe that lies in a directory: of others, such as `<(…)`, nobody can become the writer later. */
function named(path: string): boolean {
  try {
    return lstatSync(realpathSync(path)).isFIFO() && !path.startsWith("/dev/fd/");
  } catch {
    return false;
  }
}

/** Whether somebody has the pipe open to write. A byte that comes out of it goes back to its reader. */
function written(fd: number, reader: Readable): boolean {
  const byte = Buffer.alloc(1);
  try {
    if (readSync(fd, byte) === 0) return false;
    reader.unshift(byte);
    return true;
  } catch (error) {
    return codeOf(error) === "EAGAIN";
  }
}

/** The bytes of what is no regular file; `heard` is called when the first have come. */
function flowing(fd: number, path: string, wait: number): { bytes: Readable; heard(): void } {
  if (isatty(fd)) return { bytes: new ReadStream(fd), heard: () => undefined };
  if (!fstatSync(fd).isFIFO()) return { bytes: createReadStream("", { fd }), heard: () => undefined };
  const bytes = new Socket({ fd, readable: true, writable: false });
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (written(fd, bytes)) timer = setTimeout(look, wait);
    else bytes.destroy(new Error(`no data within ${wait === 1000 ? "a second" : `${wait / 1000} seconds`}`));
  };
  if (named(path)) timer = setTimeout(look, wait);
  return { bytes, heard: () => clearTimeout(timer) };
}

async function* flow(fd: number, path: string, { stop, wait }: ReadingOptions): AsyncGenerator<Uint8Array> {
  const { bytes, heard } = flowing(fd, path, wait);
  const end = () => bytes.destroy(stop!.reason);
  // It may have come while the file was opened.
  if (stop?.aborted) end();
  stop?.addEventListener("abort", end, { once: true });
  try {
    for await (const chunk of bytes) {
      heard();
      yield chunk;
    }
  } finally {
    heard();
    stop?.removeEventListener("abort", end);
    bytes.destroy();
  }
}

/** A stream would take longer to load than most files to read. */
async function* blocks(fd: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await readBlock(fd, Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function opened(path: string, { stop, plain = false }: ReadingOptions): Promise<{ fd: number; stats: Stats }> {
  if (stop?.aborted) throw cancelled(path, stop);
  // A pipe without a writer would be waited for here, by a thread that no signal reaches.
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
    yield* flows ? flow(fd, path, options) : blocks(fd);
  } catch (error) {
    throw stop?.aborted ? cancelled(path, stop) : error;
  } finally {
    // The stream of what flows has closed it.
    if (!flows || plain) closeSync(fd);
  }
}

/** Throws what the system says where it cannot be opened or read. */
export async function* bytesOf(path: string, options: ReadingOptions): AsyncGenerator<Uint8Array> {
  yield* bytes(path, await opened(path, options), options);
}

const MiB = 1024 * 1024;

/** All of it, and what kind of file it came from; throws where it is larger than so many bytes. */
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

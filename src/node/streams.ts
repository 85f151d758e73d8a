/** Standard input, output and error. */
import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { addAbortSignal, type Readable, type Writable } from "node:stream";
import { isatty, WriteStream } from "node:tty";
import { asError, Cancelled, signalOf, Usage } from "../errors.ts";
import type { Env, Input, Output } from "../world/world.ts";

type Level = Output["colorLevel"];
/** A stream that may be a terminal. */
type Screen = Writable & { columns?: number };

/**
 * Opens the stream on first use. A closed pipe is no error. Other errors, such as a full disk, reject the write unless
 * `lenient`.
 */
export function output(fd: 1 | 2, open: () => Screen, env: Env, lenient: boolean): Output {
  let opened: Screen | undefined;
  let gone = false;
  const stream = (): Screen => {
    if (opened) return opened;
    opened = open();
    // Without a listener the error would end the process. The callback of the write gets it too.
    opened.on("error", () => {
      gone = true;
    });
    return opened;
  };
  return {
    get isClosed() {
      return gone;
    },
    get isDiscarded() {
      return isNullDevice(fd);
    },
    get isTerminal() {
      return isatty(fd);
    },
    get columns() {
      // Only terminals have columns.
      return stream().columns || undefined;
    },
    get colorLevel() {
      return isatty(fd) ? colorsOf(env) : 0;
    },
    write(text) {
      if (gone || text.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        stream().write(text, (error: NodeJS.ErrnoException | null | undefined) => {
          if (!error) return resolve();
          gone = true;
          if (lenient || error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED") resolve();
          else reject(error);
        });
      });
    },
  };
}

/** Node opens the null device in place of a stream that was closed. */
export function isNullDevice(fd: number): boolean {
  const device = statSync(devNull, { throwIfNoEntry: false });
  const stream = fstatSync(fd);
  return device !== undefined && stream.isCharacterDevice() && stream.rdev === device.rdev;
}

/** Returns the color support of the terminal. Flags and variables are considered elsewhere. */
export function colorsOf({ FORCE_COLOR: _, NO_COLOR: __, ...env }: Env): Level {
  const depth = WriteStream.prototype.getColorDepth(env);
  return depth >= 24 ? 3 : depth >= 8 ? 2 : depth >= 4 ? 1 : 0;
}

/** `stop` ends a read that waits for input. */
export function input(open: () => Readable, stop: AbortSignal): Input {
  return {
    get isTerminal() {
      return isatty(0);
    },
    async *bytes() {
      try {
        yield* addAbortSignal(stop, open());
      } catch (error) {
        if (stop.aborted) throw new Cancelled("interrupted while reading stdin", signalOf(stop.reason));
        throw new Usage(`cannot read stdin: ${asError(error).message}`, { cause: error });
      }
    },
  };
}

/**
 * The line on a terminal that tells what is waited for, with a spinner before it. yocto-spinner draws it, a frame each
 * time that it is told what to say: its own clock is left alone, which would keep a process that waits for what can no
 * longer come, and hide the cursor meanwhile. ora takes 60 ms of the processor to load, in which no answer would be heard;
 * nanospinner ends the process at a signal, whatever is on its way.
 */
import yoctoSpinner from "yocto-spinner";
import type { Output } from "../world.ts";

export interface StatusLine {
  /** Draws it anew. */
  say(text: string): void;
  /** Leaves nothing on the screen. */
  end(): void;
}

/** Columns of the spinner with the blank behind it. */
export const spinnerWidth = 2;

/** A colour that nobody has asked for, and what only newer terminals know. */
const unwanted = /\x1b\[(\?2026[hl]|\d+m)/g;

export function statusLine(stderr: Output): StatusLine {
  const write = (said: string) => {
    const wanted = said.replace(unwanted, "");
    if (wanted) stderr.write(wanted).catch(() => {});
    return true;
  };
  // What the library needs of a stream.
  const stream = {
    isTTY: true,
    get columns() {
      return stderr.columns ?? 80;
    },
    write,
    cursorTo: () => write("\r"),
    clearLine: () => write("\x1b[K"),
    moveCursor: () => true,
  };
  const spinner = yoctoSpinner({
    stream: stream as unknown as NodeJS.WriteStream,
    // Signs that every terminal has.
    spinner: { frames: ["-", "\\", "|", "/"], interval: 200 },
  });
  return {
    say: (text) => {
      spinner.text = text;
    },
    end: () => {
      spinner.clear();
    },
  };
}

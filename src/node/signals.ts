import { setMaxListeners } from "node:events";
import { closeSync, fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { errorRecord } from "../error-record.ts";
import { Interrupted, type Signal, signalCodes, Unknown } from "../errors.ts";
import type { Signals } from "../world.ts";

export interface Listening extends Signals {
  /** Gets every signal, in place of us, while a program runs that has the terminal. */
  guest?: ((signal: Signal) => void) | undefined;
}

/**
 * Listens for Ctrl-C, SIGTERM and SIGHUP from now on. The first aborts `stop`; a second ends the process at once, with
 * 7 while a change is on its way. Only a person who has waited sends a second one: a terminal that is closed sends
 * SIGHUP itself and through the shell, so that one ends nothing at once. `complain` writes to stderr before it returns;
 * `json` tells the form of what it writes.
 */
export function listen(
  process: Pick<NodeJS.Process, "on" | "off" | "exit">,
  complain: (text: string) => void = atOnce,
  json: () => boolean = () => false,
): Listening {
  const controller = new AbortController();
  // Every request on its way listens; Node takes that for a leak and says so on stderr.
  setMaxListeners(0, controller.signal);
  const signals: Listening = {
    stop: controller.signal,
    underway: 0,
    computing(work) {
      // Node tells of a signal when it gets round to it; without a listener the system ends the process at once.
      for (const [signal, listener] of listeners) process.off(signal, listener);
      try {
        return work();
      } finally {
        for (const [signal, listener] of listeners) process.on(signal, listener);
      }
    },
  };
  const heard = (signal: Signal) => {
    if (signals.guest) return signals.guest(signal);
    if (!controller.signal.aborted) return controller.abort(new Interrupted(signal));
    if (signal === "SIGHUP") return;
    const { underway } = signals;
    if (underway > 0) {
      const changes = underway === 1 ? "a change" : `${underway} changes`;
      const message = `stopped while sending ${changes}, which may or may not have been applied`;
      const error = errorRecord(new Unknown(message, { outcome: "unknown" }));
      complain(`${json() ? JSON.stringify({ error }) : `zulipctl: ${message}`}\n`);
    }
    process.exit(underway > 0 ? 7 : signalCodes[signal]);
  };
  // Also under nohup: Node resets what was to be ignored before any program of its own runs, so that cannot be seen.
  const all: readonly Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  const listeners = all.map((signal) => [signal, () => heard(signal)] as const);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  process.on("exit", leaveTerminal);
  return signals;
}

/**
 * Node puts the terminal back as it was when the process ends, and aborts where that is there no more, whatever the
 * exit code is. What is closed it leaves alone.
 */
export function leaveTerminal(): void {
  for (const fd of [0, 1, 2]) {
    try {
      if (fstatSync(fd).isCharacterDevice() && !isatty(fd)) closeSync(fd);
    } catch {
      // It is closed already.
    }
  }
}

/** What is written through a stream would be lost when the process ends at once. */
export function atOnce(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // The exit code still says it.
  }
}

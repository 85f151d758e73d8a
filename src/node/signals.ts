import { setMaxListeners } from "node:events";
import { closeSync, fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { errorRecord } from "../common/error-record.ts";
import { Interrupted, type Signal, signalCodes, Unknown } from "../errors.ts";
import type { Signals } from "../world/world.ts";
import { isNullDevice } from "./streams.ts";

export interface ListeningSignals extends Signals {
  /** Receives all signals while another program has the terminal. */
  onForeignSignal?: ((signal: Signal) => void) | undefined;
}

/**
 * Listens for Ctrl-C, SIGTERM and SIGHUP. The first signal aborts `stop`. A second one ends the process at once, with 7
 * while a change is being sent. A second SIGHUP is ignored: a closed terminal sends two. `writeError` writes to stderr
 * synchronously, in JSON if `json` returns true.
 */
export function listenForSignals(
  process: Pick<NodeJS.Process, "on" | "off" | "exit">,
  writeError: (text: string) => void = writeNow,
  json: () => boolean = () => false,
): ListeningSignals {
  const controller = new AbortController();
  // Every request listens. Node would warn about a leak.
  setMaxListeners(0, controller.signal);
  const signals: ListeningSignals = {
    stop: controller.signal,
    unansweredChanges: 0,
    runBlocking(work) {
      // Node calls listeners only between computations. Without one, the system ends the process at once.
      for (const [signal, listener] of listeners) process.off(signal, listener);
      try {
        return work();
      } finally {
        for (const [signal, listener] of listeners) process.on(signal, listener);
      }
    },
  };
  const onSignal = (signal: Signal) => {
    if (signals.onForeignSignal) return signals.onForeignSignal(signal);
    if (!controller.signal.aborted) return controller.abort(new Interrupted(signal));
    if (signal === "SIGHUP") return;
    const { unansweredChanges } = signals;
    if (unansweredChanges > 0) {
      const changes = unansweredChanges === 1 ? "a change" : `${unansweredChanges} changes`;
      const message = `stopped while sending ${changes}, which may or may not have been applied`;
      const error = errorRecord(new Unknown(message, { outcome: "unknown" }));
      writeError(`${json() ? JSON.stringify({ error }) : `zulipctl: ${message}`}\n`);
    }
    process.exit(unansweredChanges > 0 ? 7 : signalCodes[signal]);
  };
  // Node cannot tell that nohup ignores SIGHUP.
  const all: readonly Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  const listeners = all.map((signal) => [signal, () => onSignal(signal)] as const);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  process.on("exit", leaveTerminal);
  return signals;
}

/** Closes a terminal that no longer exists. Node would abort when it restores its mode at the end. */
function leaveTerminal(): void {
  for (const fd of [0, 1, 2]) {
    try {
      // `isatty` loads modules of Node for 2 ms, and cron's stdin is the null device.
      if (fstatSync(fd).isCharacterDevice() && !isNullDevice(fd) && !isatty(fd)) closeSync(fd);
    } catch {
      // It is closed already.
    }
  }
}

/** Writes to stderr before the process ends at once. */
export function writeNow(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // The exit code is enough.
  }
}

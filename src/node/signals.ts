import { setMaxListeners } from "node:events";
import { writeSync } from "node:fs";
import { errorRecord, Interrupted, Unknown } from "../errors.ts";
import type { Signals } from "../world.ts";

export interface Listening extends Signals {
  /** Gets every signal, in place of us, while a program runs that has the terminal. */
  guest?: ((signal: "SIGINT" | "SIGTERM") => void) | undefined;
}

/**
 * Listens for Ctrl-C and SIGTERM from now on. The first aborts `stop`; a second ends the process at once, with 7 while
 * a change is on its way. `complain` writes to stderr before it returns; `json` is the form of what it writes.
 */
export function listen(
  process: Pick<NodeJS.Process, "on" | "exit">,
  complain: (text: string) => void = atOnce,
  json = false,
): Listening {
  const controller = new AbortController();
  // Every request on its way listens; Node takes that for a leak and says so on stderr.
  setMaxListeners(0, controller.signal);
  const signals: Listening = { stop: controller.signal, underway: 0 };
  const heard = (signal: "SIGINT" | "SIGTERM") => {
    if (signals.guest) return signals.guest(signal);
    if (!controller.signal.aborted) return controller.abort(new Interrupted(signal));
    const { underway } = signals;
    if (underway > 0) {
      const changes = underway === 1 ? "a change" : `${underway} changes`;
      const message = `stopped with ${changes} on the way, which may or may not have happened`;
      const error = errorRecord(new Unknown(message, { outcome: "unknown" }));
      complain(`${json ? JSON.stringify({ error }) : `zulipctl: ${message}`}\n`);
    }
    process.exit(underway > 0 ? 7 : signal === "SIGTERM" ? 143 : 130);
  };
  process.on("SIGINT", () => heard("SIGINT"));
  process.on("SIGTERM", () => heard("SIGTERM"));
  return signals;
}

/** What is written through a stream would be lost when the process ends at once. */
export function atOnce(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // The exit code still says it.
  }
}

import { setMaxListeners } from "node:events";
import { Interrupted } from "../errors.ts";
import type { Signals } from "../world.ts";

/**
 * Listens for Ctrl-C and SIGTERM from now on. The first aborts `stop`; a second ends the process at once, with 7 while
 * a change is on its way.
 */
export function listen(process: Pick<NodeJS.Process, "on" | "exit">): Signals {
  const controller = new AbortController();
  // Every request on its way listens; Node takes that for a leak and says so on stderr.
  setMaxListeners(0, controller.signal);
  const signals: Signals = { stop: controller.signal, underway: 0 };
  const heard = (signal: "SIGINT" | "SIGTERM") => {
    if (!controller.signal.aborted) return controller.abort(new Interrupted(signal));
    process.exit(signals.underway > 0 ? 7 : signal === "SIGTERM" ? 143 : 130);
  };
  process.on("SIGINT", () => heard("SIGINT"));
  process.on("SIGTERM", () => heard("SIGTERM"));
  return signals;
}

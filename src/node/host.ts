import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Interrupted } from "../errors.ts";

type Env = Record<string, string | undefined>;

/**
 * Runs a program with this process's streams until it ends. On Ctrl-C a terminal signals the whole group, so the
 * program has heard of it already; every other signal is passed on.
 */
export function host(argv: readonly string[], env: Env, stop: AbortSignal, terminal: boolean): Promise<number> {
  const [file = "", ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: "inherit", env });
    const pass = () => {
      const { signal } = stop.reason as Interrupted;
      if (signal === "SIGTERM" || !terminal) child.kill(signal);
    };
    stop.addEventListener("abort", pass, { once: true });
    if (stop.aborted) pass();
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      stop.removeEventListener("abort", pass);
      resolve(code ?? 128 + constants.signals[signal!]);
    });
  });
}

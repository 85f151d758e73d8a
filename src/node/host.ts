import { spawn } from "node:child_process";
import { constants } from "node:os";
import { signalOf } from "../errors.ts";
import type { Listening } from "./signals.ts";

type Env = Record<string, string | undefined>;

/** On Windows npm installs this program as a batch file, which is none that can be started without a shell. */
const onPlatform = (argv: readonly string[], platform: NodeJS.Platform): readonly string[] =>
  platform === "win32" && argv[0] === "zulipctl"
    ? [process.execPath, ...process.argv.slice(1, 2), ...argv.slice(1)]
    : argv;

/**
 * Runs a program with this process's streams until it ends; signals are the program's meanwhile. On Ctrl-C and when it
 * is closed a terminal signals the whole group, so the program has heard of it already; else signals are passed on.
 * With `input` on its stdin, the program serves this one: a signal stops both.
 */
export function host(
  argv: readonly string[],
  { env, input, platform = process.platform }: { env: Env; input?: string | undefined; platform?: NodeJS.Platform },
  signals: Listening,
  terminal: boolean,
): Promise<number> {
  const [file = "", ...args] = onPlatform(argv, platform);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"], env });
    // A program need not read its input.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    const { stop } = signals;
    const onStop = () => child.kill(signalOf(stop.reason));
    if (stop.aborted) onStop();
    else if (input !== undefined) stop.addEventListener("abort", onStop);
    else
      signals.guest = (signal) => {
        if (signal === "SIGTERM" || !terminal) child.kill(signal);
      };
    const over = () => {
      stop.removeEventListener("abort", onStop);
      signals.guest = undefined;
    };
    child.once("error", (error) => {
      over();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      over();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

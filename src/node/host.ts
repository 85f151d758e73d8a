import { spawn } from "node:child_process";
import { constants } from "node:os";
import { signalOf } from "../errors.ts";
import type { Listening } from "./signals.ts";

type Env = Record<string, string | undefined>;

/** On Windows npm installs zulipctl as a batch file, which cannot be started without a shell. */
const onPlatform = (argv: readonly string[], platform: NodeJS.Platform): readonly string[] =>
  platform === "win32" && argv[0] === "zulipctl"
    ? [process.execPath, ...process.argv.slice(1, 2), ...argv.slice(1)]
    : argv;

/**
 * Runs a program with the streams of this process until it ends. Signals are passed on to it, unless the terminal has
 * sent them to both. With `input` on its stdin, a signal stops this process too.
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
      signals.onForeignSignal = (signal) => {
        if (signal === "SIGTERM" || !terminal) child.kill(signal);
      };
    const cleanUp = () => {
      stop.removeEventListener("abort", onStop);
      signals.onForeignSignal = undefined;
    };
    child.once("error", (error) => {
      cleanUp();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      cleanUp();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

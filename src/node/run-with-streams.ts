import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { signalOf } from "../errors.ts";
import type { Env, StdinOptions } from "../world/world.ts";
import { clock } from "./clock.ts";
import type { ListeningSignals } from "./signals.ts";

/** How long a program may take to end after a signal, in milliseconds. */
const endGrace = 5000;

/** On Windows npm installs zulipctl as a batch file, which cannot be started without a shell. */
const onPlatform = (argv: readonly string[], platform: NodeJS.Platform): readonly string[] =>
  platform === "win32" && argv[0] === "zulipctl"
    ? [process.execPath, ...(import.meta.build?.isExecutable ? [] : process.argv.slice(1, 2)), ...argv.slice(1)]
    : argv;

/** Resolves with the exit code when a program ends. Rejects if it cannot be started. */
const exitOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });

/**
 * Runs a program with the streams of this process until it ends. Signals are passed on to it, unless the terminal has
 * sent them to both.
 */
export async function runWithStreams(
  argv: readonly string[],
  { env, platform = process.platform }: { env: Env; platform?: NodeJS.Platform },
  signals: ListeningSignals,
  terminal: boolean,
): Promise<number> {
  const [file = "", ...args] = onPlatform(argv, platform);
  const child = spawn(file, args, { stdio: "inherit", env });
  const { stop } = signals;
  if (stop.aborted) child.kill(signalOf(stop.reason));
  else
    signals.onForeignSignal = (signal) => {
      if (signal === "SIGTERM" || !terminal) child.kill(signal);
    };
  return exitOf(child).finally(() => {
    signals.onForeignSignal = undefined;
  });
}

/** Sends a signal to a program and the programs that it started. Returns whether any of them still runs. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0, isGroup: boolean): boolean {
  if (child.pid === undefined) return false;
  if (!isGroup) return child.exitCode === null && child.signalCode === null && child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/**
 * Runs a program with `input` on its stdin until it ends. After `timeout`, or after a signal to this process, it and the
 * programs that it started get SIGTERM, and SIGKILL if they do not end.
 */
export async function runWithInput(
  argv: readonly string[],
  { env, input, timeout, grace = endGrace }: StdinOptions & { env: Env; grace?: number },
  stop: AbortSignal,
): Promise<number> {
  const [file = "", ...args] = onPlatform(argv, process.platform);
  const isGroup = process.platform !== "win32";
  const child = spawn(file, args, { stdio: ["pipe", "inherit", "inherit"], env, detached: isGroup });
  const ended = new AbortController();
  const exited = exitOf(child).finally(() => ended.abort());
  // A program need not read its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const kill = () => signalGroup(child, "SIGKILL", isGroup);
  /** Ends the group, also the programs that outlive the first one. */
  async function end(): Promise<void> {
    signalGroup(child, "SIGTERM", isGroup);
    for (let left = grace; left > 0 && signalGroup(child, 0, isGroup); left -= 50) await clock.sleep(50);
    kill();
  }
  let ending: Promise<void> | undefined;
  const onStop = () => {
    ending ??= end();
  };
  process.on("exit", kill);
  stop.addEventListener("abort", onStop);
  if (stop.aborted) onStop();
  if (timeout !== undefined) void clock.sleep(timeout, ended.signal).then(onStop, () => undefined);
  try {
    return await exited;
  } finally {
    process.off("exit", kill);
    stop.removeEventListener("abort", onStop);
    await ending;
  }
}

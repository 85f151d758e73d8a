import { execFile } from "node:child_process";
import { MiB } from "../common/unit-sizes.ts";
import { Cancelled, signalOf } from "../errors.ts";
import type { Env, ProgramResult } from "../world/world.ts";

/** The largest output, in characters. */
const maxBuffer = MiB;

/** How long output may arrive after the end of a program, in milliseconds. */
const outputGrace = 100;

/** Runs a program until it ends. Rejects if it cannot be started. `input` is its whole stdin. */
export function runProgram(
  argv: readonly string[],
  timeout: number,
  env: Env,
  signal: AbortSignal,
  input = "",
): Promise<ProgramResult> {
  const [file = "", ...args] = argv;
  const options = { env, timeout, signal, maxBuffer, killSignal: "SIGKILL", windowsHide: true } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, options, (error, stdout) => {
      const ended = (why: ProgramResult["endedBy"]) => resolve({ code: null, endedBy: why, stdout });
      if (signal.aborted) reject(new Cancelled("interrupted", signalOf(signal.reason)));
      else if (!error) resolve({ code: 0, stdout });
      else if (typeof error.code === "number") resolve({ code: error.code, stdout });
      else if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") ended("output");
      else if (error.killed) ended("timeout");
      else if (error.signal) ended(error.signal);
      else reject(error);
    });
    // A program need not read its input.
    child.stdin?.on("error", () => undefined).end(input);
    // A program that this one started may keep the pipes open.
    const closePipes = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    // If this process was paused, the immediate comes after the output that arrived meanwhile.
    child.on("exit", () => setTimeout(() => setImmediate(closePipes), outputGrace).unref());
  });
}

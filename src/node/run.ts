import { execFile } from "node:child_process";
import { Cancelled, signalOf } from "../errors.ts";
import type { Ran } from "../world.ts";

type Env = Record<string, string | undefined>;

/** Characters of output that are taken at most. */
const maxBuffer = 1024 * 1024;

/** Milliseconds after the end of a program until everything that it said has arrived. */
const arrival = 100;

/** Rejects where the program cannot be started. `input` is all that is on its stdin. */
export function run(argv: readonly string[], timeout: number, env: Env, signal: AbortSignal, input = ""): Promise<Ran> {
  const [file = "", ...args] = argv;
  const options = { env, timeout, signal, maxBuffer, killSignal: "SIGKILL", windowsHide: true } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      const ended = (why: Ran["ended"]) => resolve({ code: null, ended: why, stdout, stderr });
      if (signal.aborted) reject(new Cancelled("interrupted", signalOf(signal.reason)));
      else if (!error) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === "number") resolve({ code: error.code, stdout, stderr });
      else if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") ended("output");
      else if (error.killed) ended("timeout");
      else if (error.signal) ended(error.signal);
      else reject(error);
    });
    // A program need not read its input.
    child.stdin?.on("error", () => undefined).end(input);
    // Another program that was started by this one may hold the other end for as long as it runs.
    const leave = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    // After a pause of this process the timer comes first, then what has arrived meanwhile, then the immediate.
    child.on("exit", () => setTimeout(() => setImmediate(leave), arrival).unref());
  });
}

import { spawn } from "node:child_process";
import { Cancelled, signalOf } from "../errors.ts";
import type { Ran } from "../world.ts";

type Env = Record<string, string | undefined>;

/** Characters of output that are taken at most. */
const most = 1024 * 1024;

/** Milliseconds after the end of a program until everything that it said has arrived. */
const arrival = 100;

/** Rejects where the program cannot be started. */
export function run(argv: readonly string[], timeout: number, env: Env, stop: AbortSignal): Promise<Ran> {
  const [file = "", ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], env, windowsHide: true });
    const said = { stdout: "", stderr: "" };
    let ended: Ran["ended"];
    let over = () => {};
    let arrived: NodeJS.Timeout | undefined;

    const end = (why: Ran["ended"]) => {
      ended ??= why;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(end, timeout, "timeout");
    const finish = () => {
      clearTimeout(timer);
      clearTimeout(arrived);
      stop.removeEventListener("abort", interrupted);
      // Another program that was started by this one may hold the other end for as long as it runs.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const interrupted = () => {
      child.kill("SIGKILL");
      finish();
      reject(new Cancelled("interrupted", signalOf(stop.reason)));
    };
    stop.addEventListener("abort", interrupted, { once: true });
    if (stop.aborted) return interrupted();

    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        if (said[name].length <= most) said[name] += text;
        // Nobody reads what it says on stderr to the end.
        if (name === "stdout" && said.stdout.length > most) end("output");
      });
    child.on("error", (error) => {
      finish();
      reject(error);
    });
    child.on("exit", (code, signal) => {
      over = () => {
        finish();
        resolve(code === null ? { code, ended: ended ?? signal ?? "SIGKILL", ...said } : { code, ...said });
      };
      // After a pause of this process the timer comes first, then what has arrived meanwhile, then the immediate.
      arrived = setTimeout(() => setImmediate(() => over()), arrival);
    });
    child.on("close", () => over());
  });
}

import { execFile } from "node:child_process";
import { Cancelled, type Interrupted } from "../errors.ts";
import type { Ran } from "../world.ts";

type Env = Record<string, string | undefined>;

/** Rejects where the program cannot be started. */
export function run(argv: readonly string[], timeout: number, env: Env, stop: AbortSignal): Promise<Ran> {
  const [file = "", ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      {
        timeout,
        killSignal: "SIGKILL",
        signal: stop,
        maxBuffer: 1024 * 1024,
        encoding: "utf8",
        env,
      },
      (error, stdout, stderr) => {
        if (stop.aborted) return reject(new Cancelled("interrupted", (stop.reason as Interrupted).signal));
        // `code` is a number for a program that ended, and a word where it could not be started.
        if (typeof error?.code === "string" && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return reject(error);
        resolve({ code: child.exitCode, stdout, stderr });
      },
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
}

/** The built program, or an executable of it, as a process of its own, and servers for it on loopback. */
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { createSandbox, listen, type SandboxOptions } from "../../src/sandbox/index.ts";
import { directory } from "../node/directory.ts";
import { person } from "../run.ts";
import { shareCompiledCode } from "./compiled-code.ts";

/** TEST_EXECUTABLE names an executable of `npm run single`, for the tests to run in place of what Node runs. */
const { TEST_EXECUTABLE } = process.env;
export const isExecutable = Boolean(TEST_EXECUTABLE);

/** The file that shells and links start. */
export const program = TEST_EXECUTABLE ? resolve(TEST_EXECUTABLE) : join(import.meta.dirname, "../../bin/zulipctl.js");

/** The words that start the program. */
export const command: [string, ...string[]] = isExecutable ? [program] : [process.execPath, program];

/** The words that start the program, for a shell. */
export const commandLine = command.map((word) => `'${word}'`).join(" ");

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** The program gets nothing of the environment of the tests. By default `home` has only compiled code. */
export function environment(home: string = directory()): Record<string, string> {
  shareCompiledCode(home);
  return { PATH: process.env.PATH ?? "", HOME: home, LANG: "C.UTF-8" };
}

interface Options {
  env?: Record<string, string>;
  /** The content of stdin. Null leaves it open. */
  input?: string | null;
  cwd?: string;
}

/** Starts any program. It is killed when the test ends. */
export function start([name, ...argv]: [string, ...string[]], { env = environment(), input, cwd }: Options = {}) {
  const child = spawn(name, argv, { env, cwd });
  onTestFinished(() => void child.kill("SIGKILL"));
  const texts = { out: "", err: "" };
  let onText = () => {};
  for (const [name, stream] of [
    ["out", child.stdout],
    ["err", child.stderr],
  ] as const)
    stream.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      onText();
    });
  // A program may end before it has read everything.
  child.stdin.on("error", () => undefined);
  if (input !== null) child.stdin.end(input ?? "");
  return {
    child,
    /** Resolves when the text has appeared in stdout or stderr. */
    says: (text: string) =>
      new Promise<void>((resolve) => {
        onText = () => {
          if (texts.out.includes(text) || texts.err.includes(text)) resolve();
        };
        onText();
      }),
    ended: new Promise<Ended>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, ...texts }));
    }),
  };
}

/** Runs any program to its end. */
export const run = (words: [string, ...string[]], options?: Options): Promise<Ended> => start(words, options).ended;

/** Starts the built program. */
export const startZulipctl = (argv: string[], options?: Options) => start([...command, ...argv], options);

export const zulipctl = (argv: string[], options?: Options): Promise<Ended> => run([...command, ...argv], options);

/** Starts a sandbox on loopback until the test ends. Returns its owner's credentials. */
export async function serving(options: Partial<SandboxOptions> = {}) {
  const make = (site: string) => createSandbox({ site, clock: Date, random: Math.random, ...options });
  const { site, sandbox, close } = await listen(0, make, (error) => {
    throw error;
  });
  onTestFinished(close);
  const owner = person(sandbox, 100);
  const env = { ZULIP_SITE: site, ZULIP_EMAIL: owner.email, ZULIP_API_KEY: owner.api_key };
  return { site, sandbox, owner, env };
}

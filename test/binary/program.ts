/** The built program as a process of its own, and servers for it on loopback. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createSandbox, listen, type SandboxOptions } from "../../src/sandbox/index.ts";
import { directory } from "../node/directory.ts";
import { person } from "../run.ts";

export const program = join(import.meta.dirname, "../../bin/zulipctl.js");

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** Nothing of the environment that the tests run in reaches the program; `home` is empty unless it is given. */
export const environment = (home: string = directory()): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  LANG: "C.UTF-8",
});

interface Options {
  env?: Record<string, string>;
  /** What stdin gives; null leaves it open. */
  input?: string | null;
  cwd?: string;
}

/** Runs any program to its end. */
export async function run(
  [name, ...argv]: [string, ...string[]],
  { env = environment(), input, cwd }: Options = {},
): Promise<Ended> {
  const child = spawn(name, argv, { env, cwd });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  // A program that ends before it has read everything is no failure of the test.
  child.stdin.on("error", () => undefined);
  if (input !== null) child.stdin.end(input ?? "");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}

export const zulipctl = (argv: string[], options?: Options): Promise<Ended> =>
  run([process.execPath, program, ...argv], options);

/** A sandbox on loopback until the test ends, and what its owner signs in with. */
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

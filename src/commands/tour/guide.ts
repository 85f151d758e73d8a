/** Runs command lines in this process against a fresh server, and shows each as it would be typed. */

import { type Flags, formOf } from "../../argv/flags.ts";
import { counted } from "../../counted.ts";
import type { SandboxInfo } from "../../embedded.ts";
import { Failure } from "../../errors.ts";
import { write } from "../../output/buffered-writer.ts";
import { brush, colorLevel } from "../../output/color.ts";
import type { Result } from "../../output/form.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Conclusion } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import type { Rerun } from "../../run/shell.ts";
import type { Embedded, Output, World } from "../../world.ts";
import { environment } from "../sandbox/owner.ts";
import { type Options, setupOf } from "../sandbox/setup.ts";
import { day } from "./day.ts";
import { isolated } from "./isolated.ts";
import { type Step, steps } from "./steps.ts";

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** As it would be typed. */
const typed = ({ argv, input }: Step): string =>
  `${input ? `${input.shown} | ` : ""}zulipctl ${argv.map(quoted).join(" ")}`;

const captured = (): Output & { text: string } => ({
  text: "",
  gone: false,
  isTerminal: false,
  columns: undefined,
  colorLevel: 0,
  async write(text) {
    this.text += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
  },
});

/** A command of the tour failed: the tour ends with its code. */
class Stopped extends Failure {
  readonly exitCode: number;
  readonly kind: string;
  constructor({ title }: Step, exitCode: number) {
    super(`the tour stopped at "${title}": exit code ${exitCode}`);
    this.exitCode = exitCode;
    this.kind = kinds[exitCode] ?? "bug";
  }
}

const kinds: Readonly<Record<number, string>> = {
  1: "refused",
  2: "usage",
  3: "login",
  4: "unreachable",
  5: "partial",
  6: "conflict",
  7: "unknown",
  129: "cancelled",
  130: "cancelled",
  143: "cancelled",
};

type Run = (step: Step, out: Output, err: Output) => Promise<number>;

interface Shown {
  title: string;
  command?: string;
  exit_code?: number;
  stdout?: string;
  stderr?: string;
  left_out?: string;
}

/** What ran, as data. */
async function record(all: Step[], run: Run): Promise<Conclusion> {
  const records: Shown[] = [];
  const result: Result = {
    kind: "listing",
    records,
    id: () => undefined,
    columns: [],
    known: ["title", "command", "exit_code", "stdout", "stderr", "left_out"],
  };
  for (const step of all) {
    const { title, lacks } = step;
    if (lacks) {
      records.push({ title, left_out: lacks });
      continue;
    }
    const [out, err] = [captured(), captured()];
    const exitCode = await run(step, out, err);
    records.push({ title, command: typed(step), exit_code: exitCode, stdout: out.text, stderr: err.text });
    if (exitCode) return { kind: "ended", failure: new Stopped(step, exitCode), result };
  }
  return result;
}

/** What ran, for people, as it runs. */
async function show(
  { all, each }: { all: Step[]; each: string },
  { world, flags }: Context,
  line: SandboxInfo,
  run: Run,
): Promise<void> {
  const { stdout, stderr, env } = world;
  const paint = brush(colorLevel(flags.color, stdout, env));
  const { users, channels, feature_level } = line;
  await write(
    stdout,
    `A server in memory, feature level ${feature_level}, with ${users.length} people and bots and ${counted(channels.length, "channel")}.\nNothing leaves this process, and nothing is kept.\n`,
  );
  for (const [n, step] of all.entries()) {
    const { title, lacks } = step;
    await write(stdout, `\n${paint.bold(`${n + 1}. ${title}`)}\n`);
    if (lacks) {
      await write(stdout, `${paint.dim(`(left out: ${sanitizeLine(lacks)})`)}\n`);
      continue;
    }
    await write(stdout, `${paint.dim("$")} ${paint.cyan(sanitizeLine(typed(step)))}\n`);
    const exitCode = await run(step, stdout, stderr);
    if (exitCode) throw new Stopped(step, exitCode);
  }
  const left = all.filter(({ lacks }) => lacks).length;
  const done = flags.dryRun ? "shown" : "done";
  await write(stdout, `\n${counted(all.length - left, each)} ${done}${left ? `, ${left} left out` : ""}.\n`);
}

/** Global flags that mean as much for each command as for all of them. */
const passed = ({ dryRun, quiet, verbose, color, timeout, maxWait }: Flags): string[] => [
  ...(dryRun ? ["--dry-run"] : []),
  ...(quiet ? ["--quiet"] : []),
  ...(verbose ? ["--verbose"] : []),
  `--color=${color}`,
  `--timeout=${timeout}`,
  `--max-wait=${maxWait}`,
];

/** What a dry run does not make, nothing after it finds. */
const possible = (step: Step, { dryRun }: Flags): Step =>
  dryRun && step.after !== undefined && step.lacks === undefined
    ? { ...step, lacks: `it needs what "${step.after}" makes` }
    : step;

export async function guide(
  context: Context,
  options: Options & { day?: boolean },
  rerun: Rerun,
): Promise<Conclusion | undefined> {
  const { world, flags } = context;
  const server: Embedded = await world.embed(await setupOf(context, options));
  const around: World = {
    ...isolated(world),
    env: environment(world.env, server.info),
    connect: async () => ({ request: server.request, close: async () => undefined }),
  };
  const run: Run = ({ argv, input }, stdout, stderr) =>
    rerun([...argv, ...passed(flags)], {
      ...around,
      stdout,
      stderr,
      stdin: {
        isTerminal: false,
        async *bytes() {
          yield Buffer.from(input?.text ?? "");
        },
      },
    });
  try {
    const all = (options.day ? day : steps)(server.info).map((step) => possible(step, flags));
    if (formOf(flags) !== "table" || flags.fields !== undefined) return await record(all, run);
    await show({ all, each: options.day ? "command" : "operation" }, context, server.info, run);
    return undefined;
  } finally {
    await server.close();
  }
}

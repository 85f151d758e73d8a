/** Runs the steps of `docs/action/action.yml` like GitHub, with the built program and a stand-in for gh. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { environment, program, run } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { type GhState, ghScript, serveGh } from "./gh.ts";

const folder = join(import.meta.dirname, "../../docs/action");

interface Step {
  name: string;
  id?: string;
  if?: string;
  shell: string;
  run: string;
  env?: Record<string, string>;
}

export interface Action {
  name: string;
  description: string;
  inputs: Record<string, { description: string; required?: boolean; default?: string }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: Step[] };
}

export const action = parse(readFileSync(join(folder, "action.yml"), "utf8")) as Action;

type Contexts = Record<"inputs" | "steps" | "github", unknown>;

/** Evaluates an expression of GitHub. Unlike in JavaScript, names may have hyphens, and absent members are empty. */
function evaluate(expression: string, { inputs, steps, github }: Contexts): unknown {
  const script = expression.replace(/\.([\w-]+)/g, '?.["$1"]').replace(/\s==\s/g, " === ");
  return new Function("inputs", "steps", "github", `return ${script}`)(inputs, steps, github);
}

const fill = (text: string, contexts: Contexts): string =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression) => String(evaluate(expression, contexts) ?? ""));

export interface Job {
  /** The credentials for the server. */
  env: Record<string, string>;
  /** The number of the pull request. */
  pullRequest?: number;
}

/** Makes a checkout of a repository, with a runner. */
export function runner({ env, pullRequest }: Job) {
  const home = directory();
  const place = (...parts: string[]) => join(home, ...parts);
  for (const name of ["bin", "temp", "work"]) mkdirSync(place(name));
  symlinkSync(program, place("bin/zulipctl"));
  writeFileSync(place("bin/gh"), ghScript, { mode: 0o755 });
  const ghState: GhState = { comments: [], calls: [], refuses: "" };
  let ghServer: Promise<string> | undefined;
  const github = { event: { pull_request: pullRequest && { number: pullRequest } }, token: "job-token" };

  /** Runs the action up to the first failing step. `without`: steps to skip. */
  async function act(inputValues: Record<string, string>, without: readonly string[] = []) {
    const inputs: Record<string, string> = {};
    for (const [name, { default: usual = "" }] of Object.entries(action.inputs))
      inputs[name] = inputValues[name] ?? fill(usual, { inputs: {}, steps: {}, github });
    const steps: Record<string, { outputs: Record<string, string> }> = {};
    const result = { code: 0, out: "", err: "", path: "", summary: "", failed: "" };
    ghServer ??= serveGh(ghState);
    const server = await ghServer;
    writeFileSync(place("summary"), "");
    writeFileSync(place("path"), "");
    for (const step of action.runs.steps) {
      const contexts = { inputs, steps, github };
      if (without.includes(step.name) || (step.if && !evaluate(step.if, contexts))) continue;
      const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text, contexts)]);
      writeFileSync(place("output"), "");
      writeFileSync(place("script"), step.run);
      const { PATH, ...rest } = environment(home);
      const stepResult = await run(["bash", "--noprofile", "--norc", "-eo", "pipefail", place("script")], {
        cwd: place("work"),
        env: {
          ...rest,
          ...env,
          PATH: `${place("bin")}:${PATH}`,
          GH_SERVER: server,
          RUNNER_TEMP: place("temp"),
          GITHUB_ACTION_PATH: folder,
          GITHUB_OUTPUT: place("output"),
          GITHUB_STEP_SUMMARY: place("summary"),
          GITHUB_PATH: place("path"),
          GITHUB_REPOSITORY: "acme/chat",
          GITHUB_RUN_ID: "99",
          GITHUB_SERVER_URL: "https://github.com",
          ...Object.fromEntries(own),
        },
      });
      const lines = readFileSync(place("output"), "utf8").split("\n").filter(Boolean);
      const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
      if (step.id) steps[step.id] = { outputs };
      result.out += stepResult.out;
      result.err += stepResult.err;
      if (stepResult.code !== 0) {
        Object.assign(result, { code: stepResult.code, failed: step.name });
        break;
      }
    }
    const outputs: Record<string, string> = {};
    for (const [name, { value }] of Object.entries(action.outputs))
      outputs[name] = fill(value, { inputs, steps, github });
    const text = (name: string) => readFileSync(place(name), "utf8");
    return { ...result, outputs, summary: text("summary"), path: text("path") };
  }

  return {
    act,
    /** Writes a file of the repository. */
    write: (name: string, text: string) => writeFileSync(place("work", name), text),
    exists: (name: string) => existsSync(place("work", name)),
    place,
    /** The calls of gh, and the comments of the pull request. */
    gh: () => ghState,
    /** Changes the state of gh. */
    setGh(more: Partial<GhState>) {
      Object.assign(ghState, structuredClone(more));
    },
  };
}

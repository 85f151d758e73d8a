/** Collects the cases of all files in this directory. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { split } from "shellwords-ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import type { HttpRequest } from "../../src/world/world.ts";
import { credentials, fresh, person, site } from "../run.ts";
import type { Case, Line, Making, Setting, Typed } from "./case.ts";

const isCase = (stated: object): stated is Case => "kind" in stated;

async function loadCases(): Promise<[command: string, Case][]> {
  const files = readdirSync(import.meta.dirname).filter(
    (file) => file.endsWith(".ts") && !["all.ts", "case.ts", "owner.ts"].includes(file),
  );
  const all: [string, Case][] = [];
  for (const file of files.sort()) {
    const noun = file.replace(/\.ts$/, "");
    const { cases } = (await import(join(import.meta.dirname, file))) as { cases: Case | Record<string, Case> };
    if (isCase(cases)) all.push([noun, cases]);
    else
      for (const [verb, each] of Object.entries(cases)) all.push([verb === "itself" ? noun : `${noun} ${verb}`, each]);
  }
  return all;
}

/** By command: `folder list`. */
export const everyCase: ReadonlyMap<string, Case> = new Map(await loadCases());

/** Splits a line like a shell. */
export const words = (typed: Typed): string[] => (typeof typed === "string" ? split(typed) : [...typed]);

/** Returns the arguments of the program. */
export const argvOf = (command: string, { typed }: { typed: Typed }): string[] => [
  ...command.split(" "),
  ...words(typed),
];

/** Adds flags, before the `--` of a batch. */
export const withFlags = (argv: readonly string[], more: readonly string[]): string[] => {
  const at = argv.indexOf("--");
  return argv.toSpliced(at < 0 ? argv.length : at, 0, ...more);
};

export interface NamedLine extends Line {
  command: string;
  argv: string[];
}

/** Returns whether a line changes something on the server. */
export const isMaking = (line: Line): line is Making => "made" in line;

/** The lines of all cases. */
export const everyLine: readonly NamedLine[] = [...everyCase].flatMap(([command, { lines }]) =>
  lines === "elsewhere" ? [] : lines.map((line) => ({ ...line, command, argv: argvOf(command, line) })),
);

/** Prepares a sandbox and a world for a line. */
export function setup(setting: Setting, options: Partial<SandboxOptions> = {}) {
  const { input, level, given, as, anonymous } = setting;
  const sandbox = fresh({ level, ...options });
  given?.(sandbox.state);
  const env = anonymous ? {} : credentials(sandbox, as);
  return { sandbox, http: sandbox.handle, env, input, ...kept(setting) };
}

const owner = person(fresh(), 100);
const profile = { site, email: owner.email, store: "keychain", account: "work (chat.example)" };
const zuliprc = `[api]\nsite=${site}\nemail=${owner.email}\nkey=${owner.api_key}\n`;

/** Returns the files, profiles and keys of a setting. */
export function kept({ profiles, files = {} }: Setting) {
  return {
    keys: new Map(profiles ? [[profile.account, owner.api_key]] : []),
    // The requests of the commands themselves: `test/commands/log.test.ts` has the reads for the log.
    config: { ...(profiles && { current: "work", profiles: { work: profile } }), record_previous: false },
    files: new Map([["/home/test/zuliprc", zuliprc], ...Object.entries(files)]),
  };
}

const api = `${site}/api/v1`;

/** Formats a request as in cases. */
export function stated({ method, url, body }: HttpRequest): string {
  const target = url.startsWith(api) ? url.slice(api.length) : url;
  const empty = method === "GET" ? body === undefined : body === "";
  return `${method} ${target}${empty ? "" : ` ${body}`}`;
}

/** Runs one change by every way: as a command, as a row of a batch, as a raw request, from a file, and its undo. */
import { commandLine } from "../../../src/common/shell-words.ts";
import { main } from "../../../src/main.ts";
import type { EffectKind } from "../../../src/model/effect.ts";
import type { HttpRequest } from "../../../src/world/world.ts";
import { setup, withFlags } from "../../cases/all.ts";
import type { Setting } from "../../cases/case.ts";
import { testWorld } from "../../world.ts";
import type { Walked } from "./lines.ts";

export const ways = ["command", "batch", "api --body", "api -f", "org apply", "undo"] as const;
export type Way = (typeof ways)[number];

interface Effect {
  readonly kind: EffectKind;
  readonly mark: string;
  readonly text: string;
}

/** A request as a dry run shows it. */
export interface Shown {
  readonly operation: string;
  readonly method: HttpRequest["method"];
  readonly url: string;
  readonly body?: string;
  readonly effects?: readonly Effect[];
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Several command lines in one world, whose log is kept. */
function machine(setting: Setting) {
  const { sandbox: _, config, ...more } = setup(setting);
  const world = testWorld({ ...more, config: { ...config, record_previous: true } });
  return async (argv: readonly string[]): Promise<Ran> => {
    const [out, err] = [world.stdout.text.length, world.stderr.text.length];
    const code = await main(argv, world);
    return { code, out: world.stdout.text.slice(out), err: world.stderr.text.slice(err) };
  };
}
type Machine = ReturnType<typeof machine>;

/** A change by one way. */
export interface Route {
  readonly way: Way;
  readonly argv: readonly string[];
  /** Makes what is there before. */
  readonly begin: () => Promise<Machine>;
}

/** What a route does: the requests with their effects, and what people see without an answer, and with `--yes`. */
export interface Walk extends Route {
  /** Undefined if a dry run ends before it shows any. */
  readonly shown: readonly Shown[] | undefined;
  readonly asked: Ran;
  readonly answered: Ran;
}

/** Undefined if a dry run ends before it shows any. */
async function shownOf(run: Machine, argv: readonly string[]): Promise<readonly Shown[] | undefined> {
  const { code, out } = await run(withFlags(argv, ["--dry-run", "-o", "json"]));
  return code === 0 ? JSON.parse(out || "[]") : undefined;
}

export async function walk(route: Route): Promise<Walk> {
  const { argv, begin } = route;
  const run = await begin();
  const shown = await shownOf(run, argv);
  const asked = await run(argv);
  // What ends with 2 sends nothing.
  const again = asked.code === 2 ? run : await begin();
  const answered = await again(withFlags(argv, ["--yes"]));
  return { ...route, shown, asked, answered };
}

const answers = ["--yes", "--quiet", "-q"];

/** Returns the flags that lift what stops a line. */
const overrideFlagsOf = (err: string): string[] => {
  const [, flags] = /(?:To do that(?: anyway)?|If you mean it), add: (.+)/.exec(err) ?? [];
  return flags?.split(" ") ?? [];
};

/** The raw calls of a request. None for an upload, and for what a dry run masks. */
function rawCalls({ method, url, body = "" }: Shown): { body: string[]; fields: string[]; form: string } | undefined {
  if (/secret\]|multipart|filename/.test(body) || url.includes("?") || /emoji\/|user_uploads/.test(url))
    return undefined;
  const path = url.replace(/^.*\/api\/v1/, "");
  const call = ["api", method, path];
  const fields = [...new URLSearchParams(body)].flatMap(([name, value]) => ["-f", `${name}=${value}`]);
  return { body: [...call, "--body", "body"], fields: [...call, ...fields], form: body };
}

/** Returns every way that a change has. `inFiles`: organization files may say it. */
export async function walksOf({ argv: typed, ...setting }: Walked, inFiles: boolean): Promise<Walk[]> {
  const argv = typed.filter((word) => !answers.includes(word));
  const begin = async () => machine(setting);
  const command = await walk({ way: "command", argv, begin });
  const walks = [command];
  const add = async (route: Route) => {
    const one = await walk(route);
    if (one.shown?.length !== 0) walks.push(one);
  };
  const lifting = command.shown ? [] : overrideFlagsOf(command.asked.err);
  const lifted = withFlags(argv, lifting);

  // A row cannot read stdin.
  if (setting.input === undefined) {
    const files = { ...setting.files, "rows.txt": `${commandLine(argv).replace(/^zulipctl /, "")}\n` };
    const start = async () => machine({ ...setting, files });
    const row = await walk({ way: "batch", argv: ["batch", "rows.txt", "--format", "lines"], begin: start });
    if (!/not allowed in a batch|requires --ids/.test(row.asked.err)) walks.push(row);
  }

  const [request, another] = command.shown ?? (await shownOf(await begin(), lifted)) ?? [];
  const raw = request && !another ? rawCalls(request) : undefined;
  if (raw) {
    const { input: _, ...rest } = setting;
    const start = async () => machine({ ...rest, files: { ...setting.files, body: raw.form } });
    const typedLifting = argv.filter(
      (word, n) =>
        ["--allow-empty", "--allow-lockout", "--max-removals"].includes(word) || argv[n - 1] === "--max-removals",
    );
    if (raw.form) await add({ way: "api --body", argv: [...raw.body, ...typedLifting], begin: start });
    await add({ way: "api -f", argv: [...raw.fields, ...typedLifting], begin: start });
  }

  const changed = async () => {
    const run = await begin();
    await run([...lifted, "--yes"]);
    return run;
  };
  if (inFiles) {
    const { out: file } = await (await changed())(["org", "export", "--complete", "--with", "subscribers"]);
    const start = async () => machine({ ...setting, files: { ...setting.files, "organization.yaml": file } });
    await add({
      way: "org apply",
      argv: ["org", "apply", "organization.yaml", "--prune", "--no-verify"],
      begin: start,
    });
  }
  await add({ way: "undo", argv: ["undo"], begin: changed });
  return walks;
}

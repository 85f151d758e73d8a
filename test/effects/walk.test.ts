/**
 * Walks every change by every way in: as a command, as a row of a batch, and as a raw request with its body. All say the same
 * effects. `walk.txt` has them, with the exit codes: review the difference before you record it with `--update=all`.
 */
import { expect, test } from "vitest";
import { operations } from "../../src/api/registry.ts";
import { effectKinds } from "../../src/model/effect.ts";
import { commandLine } from "../../src/notation/shell-words.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { isChange } from "../../src/wire/operation.ts";
import { argvOf, everyLine, isMaking, setup, withFlags } from "../cases/all.ts";
import type { Setting } from "../cases/case.ts";
import { zulipctl } from "../run.ts";

interface Walked extends Setting {
  readonly argv: readonly string[];
}

const line = (command: string, typed: string, setting: Setting = {}): Walked => ({
  ...setting,
  argv: argvOf(command, { typed }),
});

const only =
  (...ids: number[]) =>
  ({ channels }: SandboxState) => {
    const council = [...channels.values()].find(({ name }) => name === "council");
    council?.subscribers.clear();
    for (const id of ids) council?.subscribers.add(id);
  };

const crowd = ({ users, groups }: SandboxState): void => {
  const { members } = [...groups.values()].find(({ name }) => name === "writers")!;
  const one = [...users.values()].find(({ user_id }) => user_id === 12)!;
  for (let n = 1; n <= 20; n++) {
    users.set(100 + n, {
      ...structuredClone(one),
      user_id: 100 + n,
      full_name: `C${n}`,
      delivery_email: `c${n}@x.example`,
    });
    members.add(100 + n);
  }
};
const eleven = Array.from({ length: 11 }, (_, n) => 101 + n).join(",");

/** What the cases of the commands do not have. */
const others: readonly Walked[] = [
  line("channel subscribers", "council --delete 12", { given: only(12) }),
  line("channel subscribers", "council --delete 12 --allow-empty", { given: only(12) }),
  line("channel subscribers", "council --set 12", { given: only(8, 12) }),
  line("group members", "writers --set '' --allow-empty"),
  line("group members", `writers --delete ${eleven}`, { given: crowd }),
  line("group members", `writers --delete ${eleven} --max-removals 11`, { given: crowd }),
  line("users deactivate", eleven, { given: crowd }),
  line("users deactivate", "12", { given: only(12) }),
  line("topic rename", "general 'release plan' 'general chat'"),
  line("topic move", "general 'release plan' --to-channel council"),
  line("topic move", "council agenda --to-channel general"),
  line("channel update", "council --no-private"),
  line("channel update", "council --history-public-to-subscribers"),
  line("users update", "cora@sandbox.example --role guest"),
  line("users update", "cora@sandbox.example --role administrator"),
  line("group members", "writers --add-subgroups role:everyone"),
  line("bots api-key", "14 --regenerate"),
];

const walked: readonly Walked[] = [
  ...everyLine.filter((each) => isMaking(each) && each.command !== "batch" && each.command !== "api"),
  ...others,
];

/** A command line as a row: without the program, and without the flags of the whole run. */
const rowOf = (argv: readonly string[]): string =>
  commandLine(argv.filter((word) => !["--yes", "--quiet", "-q"].includes(word))).replace(/^zulipctl /, "");

interface Shown {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly body?: string;
  readonly effects?: readonly { kind: string; mark: string; text: string; people?: number; messages?: number }[];
}

const dry = ["--dry-run", "-o", "json"];

async function shown(argv: readonly string[], setting: Setting): Promise<Shown[] | string> {
  const { code, out, err } = await zulipctl(withFlags(argv, dry), setup(setting));
  return code === 0 ? (JSON.parse(out || "[]") as Shown[]) : err;
}

const effectsOf = (all: Shown[] | string): unknown =>
  typeof all === "string"
    ? all
    : all.flatMap(({ effects = [] }) => effects.map(({ kind, mark, text }) => `${mark} ${kind}: ${text}`));

const seen = new Set<string>();
const operationsSeen = new Set<string>();
const record: string[] = [];

test.each(walked.map((each) => [commandLine(each.argv), each] as const))("%s", async (typed, { argv, ...setting }) => {
  const all = await shown(argv, setting);
  const { code, err } = await zulipctl(argv, setup(setting));
  const answered = await zulipctl(withFlags(argv, ["--yes"]), setup(setting));
  const asked = /confirmation required|To do that/.test(err) ? `\n    ${err.trim().split("\n").at(-1)}` : "";
  const effects = effectsOf(all);
  record.push(
    `${typed}\n  exit ${code}, with --yes ${answered.code}${asked}${typeof effects === "string" ? "" : (effects as string[]).map((each) => `\n  ${each}`).join("")}\n`,
  );
  if (typeof all === "string") return;
  for (const { operation, effects: found = [] } of all) {
    operationsSeen.add(operation);
    for (const { kind } of found) seen.add(kind);
  }
  // A row cannot read stdin, and its files are named in it.
  if (setting.input === undefined) {
    const files = { ...setting.files, "rows.txt": `${rowOf(argv)}\n` };
    const rows = await shown(["batch", "rows.txt", "--format", "lines"], { ...setting, files });
    if (!(typeof rows === "string" && /not allowed in a batch|requires --ids/.test(rows)))
      expect({ way: "batch", effects: effectsOf(rows) }).toEqual({ way: "batch", effects });
  }
  const [request, another] = all;
  if (
    !request ||
    another ||
    /secret\]|multipart|filename/.test(request.body ?? "") ||
    /emoji\/|user_uploads/.test(request.url)
  )
    return;
  const path = request.url.replace(/^.*\/api\/v1/, "").replace(/\?.*$/, "");
  const allowed = argv.filter(
    (word, n) => word === "--allow-empty" || word === "--max-removals" || argv[n - 1] === "--max-removals",
  );
  const body = request.body ? ["--body", "body"] : [];
  const files = { ...setting.files, body: request.body ?? "" };
  const { input: _, ...rest } = setting;
  // Only flags say that a list is meant as a whole.
  if (request.url.includes("?") || argv.includes("--set")) return;
  const raw = await shown(["api", request.method, path, ...body, ...allowed], { ...rest, files });
  expect({ way: "api", effects: effectsOf(raw) }).toEqual({ way: "api", effects });
});

test("every kind of effect occurs, and the walk is as recorded", async () => {
  const missing = effectKinds.filter((kind) => !seen.has(kind) && !["lockout", "unknown"].includes(kind));
  expect(missing).toEqual([]);
  await expect(record.join("\n")).toMatchFileSnapshot("walk.txt");
});

test("an endpoint that nobody has stated asks", async () => {
  const { code, err } = await zulipctl(["api", "POST", "zoom/rooms", "-f", "name=x"]);
  expect(code).toBe(2);
  expect(err).toContain("This does what zulipctl cannot judge.");
});

test("operations without effects say why", async () => {
  const none = operations()
    .filter(isChange)
    .flatMap(({ name, effects }) => (effects && "none" in effects ? [`${name}: ${effects.none}\n`] : []));
  await expect(none.sort().join("")).toMatchFileSnapshot("none.txt");
});

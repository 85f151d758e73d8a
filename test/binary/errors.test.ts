/** Errors outside commands, and uncaught ones. With `-o json` each is one JSON object. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { hostile } from "./hostile-server.ts";
import { commandLine, environment, isExecutable, run, zulipctl } from "./program.ts";

const parse = (err: string) => {
  expect(err).toMatch(/^[^\n]*\n$/);
  return JSON.parse(err).error;
};

test.each([
  [["users", "promote", "cora@sandbox.example", "--role", "admin", "-o", "json"], 'unknown command "users promote"'],
  [["-o", "json", "folder", "create"], "folder create needs <name>"],
  [["folder", "create", "x", "--json", "-o", "csv"], "-o csv and --json ask for different outputs"],
  [["channel", "--json"], expect.stringMatching(/^channel requires a subcommand: create, [\w, ]+$/)],
])("reports the error of %j as JSON, with its outcome", async (argv, message) => {
  const { code, out, err } = await zulipctl(argv);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  const { outcome, kind, exit_code, message: said } = parse(err);
  expect({ outcome, kind, exit_code }).toEqual({ outcome: "not_sent", kind: "usage", exit_code: 2 });
  expect(said).toEqual(message);
});

test.each([
  [["sandbox", "exec", "--", "no-such-program", "-o", "json"], "zulipctl: program not found: no-such-program\n"],
  [
    ["channel", "update", "x", "--description=--json", "--nope"],
    'zulipctl: unknown flag: --nope\nRun "zulipctl channel update --help" for usage.\n',
  ],
])("reports the error of %j as text", async (argv, err) => {
  expect(await zulipctl(argv)).toMatchObject({ code: 2, out: "", err });
});

describe("arguments that are not UTF-8", () => {
  /** A shell passes such bytes. Node cannot. */
  const typed = (words: string) => run(["bash", "-c", `exec ${commandLine} ${words}`]);
  const hint = "The terminal or script uses another encoding; zulipctl accepts UTF-8 only.\n";

  test.each([
    ["channel update 7 --description $'M\\xfcller'", "the value of --description"],
    ["folder create $'M\\xfcller'", "word 3 of the command line"],
    ["sandbox exec -- echo $'\\xff'", "word 5 of the command line"],
  ])("%s", async (words, name) => {
    expect(await typed(words)).toMatchObject({ code: 2, out: "", err: `zulipctl: ${name} is not UTF-8 text\n${hint}` });
    const { err } = await typed(`--json ${words}`);
    expect(parse(err)).toMatchObject({ kind: "usage", outcome: "not_sent" });
  });
});

// NODE_OPTIONS brings the defect, and does not reach the executable.
describe.skipIf(isExecutable)("an uncaught defect", () => {
  /** Throws after the program has started. */
  const defect = () => {
    const file = join(directory(), "defect.cjs");
    writeFileSync(file, 'setTimeout(() => { throw new TypeError("x is not a function"); }, 1500);');
    return { NODE_OPTIONS: `--require ${file}` };
  };

  test.each([
    ["before a change has left", "not_sent", ["folder", "create", "x", "--description", "-", "--feature-level", "400"]],
    ["when a change is on its way", "unknown", ["folder", "create", "x", "--feature-level", "400"]],
    ["during a read", undefined, ["users", "list"]],
  ])("%s", async (_, outcome, argv) => {
    const server = await hostile(() => undefined);
    const env = { ...environment(), ...server.env, ...defect() };
    const input = argv.includes("-") ? null : "";
    const [told, words] = await Promise.all([
      zulipctl([...argv, "-o", "json"], { env, input }),
      zulipctl(argv, { env, input }),
    ]);
    expect({ code: told.code, out: told.out }).toEqual({ code: 70, out: "" });
    expect(parse(told.err)).toMatchObject({ exit_code: 70, kind: "bug" });
    expect(parse(told.err).outcome).toBe(outcome);
    expect(parse(told.err).message).toMatch(/^This is a bug in zulipctl .*: TypeError: x is not a function$/);
    expect(words).toMatchObject({ code: 70, err: expect.stringMatching(/^zulipctl: This is a bug in zulipctl .*\n/) });
  });

  test("an early end", async () => {
    const file = join(directory(), "end.cjs");
    // Nothing keeps the process alive, and the program still waits.
    writeFileSync(file, "setTimeout(() => { process.stdin.unref?.(); process.exit(); }, 1500);");
    const env = { ...environment(), NODE_OPTIONS: `--require ${file}` };
    const { code, err } = await zulipctl(["sandbox", "start", "--json"], { env });
    expect(code).toBe(70);
    expect(parse(err)).toEqual({
      exit_code: 70,
      kind: "bug",
      message: "This is a bug in zulipctl: it ended before it was done",
    });
  });
});

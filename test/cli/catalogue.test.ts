/** `help --json`: the catalogue of all commands, its schema, and where it appears. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { isRun } from "../../src/argv/commander-options.ts";
import { catalogueOf } from "../../src/cli/catalogue/catalogue.ts";
import type { Catalogue, CatalogueCommand } from "../../src/cli/catalogue/catalogue-document.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { Program } from "../../src/cli/program.ts";
import { registry } from "../../src/commands/nouns.ts";
import { Shell } from "../../src/run/shell.ts";
import { zulipctl } from "../run.ts";
import { everyCommand } from "../tree.ts";
import { testWorld } from "../world.ts";

const schema = JSON.parse(readFileSync("docs/commands.schema.json", "utf8"));

/** Refuses members that the schema does not describe. */
const closed = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const all = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  return "properties" in part && "type" in part ? { ...all, additionalProperties: false } : all;
};
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const passes = ajv.compile(closed(schema) as object);

/** Runs help in a pipe, without credentials. */
const help = (words: string, flags: readonly string[] = ["--json"]) =>
  zulipctl(["help", ...words.split(" ").filter(Boolean), ...flags], { env: {} });

async function catalogue(words = ""): Promise<Catalogue> {
  const { code, out, err, sent } = await help(words);
  expect({ code, err, sent }).toEqual({ code: 0, err: "", sent: [] });
  const parsed: unknown = JSON.parse(out);
  expect(passes(parsed), ajv.errorsText(passes.errors)).toBe(true);
  return parsed as Catalogue;
}

const whole = await catalogue();
const root = await new Program(whole.version, registry(new Shell(testWorld(), async () => 0))).whole();

/** Returns the part of the tree that a command of two words has. */
function verbNamed(name: string): Command {
  const [noun, verb] = name.split(" ");
  const found = root.commands.find((each) => each.name() === noun)?.commands.find((each) => each.name() === verb);
  if (!found) throw new Error(`${name} not found`);
  return found;
}

const named = (name: string): CatalogueCommand => {
  const found = whole.commands.find((each) => each.name === name);
  if (!found) throw new Error(`${name} not found`);
  return found;
};

test("has every command, hidden ones too", () => {
  const expected = new Set(everyCommand({ hidden: true }).keys());
  expected.delete("__complete");
  expected.add("help");
  expect(new Set(whole.commands.map(({ name }) => name))).toEqual(expected);
  const visible = whole.commands.filter(({ hidden }) => !hidden).map(({ name }) => name);
  expect(new Set(visible)).toEqual(new Set([...everyCommand().keys(), "help"]));
});

test("every command that changes the server is a run, so that undo after it takes back nothing older", () => {
  // Without --revoke, a logout concerns this machine alone. An undo has rules of its own.
  const others = new Set(["auth logout", "undo"]);
  const commands = everyCommand({ hidden: true });
  const changing = whole.commands.flatMap(({ name, changes_server }) =>
    changes_server && !others.has(name) ? [name] : [],
  );
  expect(changing.filter((name) => !isRun(commands.get(name)!))).toEqual([]);
  expect(changing).toContain("bots create");
});

test.each(whole.nouns.filter(({ name }) => name !== "help"))(
  "help $name --json has only its commands, and so has each verb",
  async (noun) => {
    const own = await catalogue(noun.name);
    expect(own.nouns).toEqual([noun]);
    expect(own.commands).toEqual(noun.commands.map(named));
    const verbs = noun.commands.filter((name) => name.includes(" "));
    for (const name of verbs) expect(catalogueOf(root, whole.version, verbNamed(name)).commands).toEqual([named(name)]);
    const [first] = verbs;
    if (first) expect((await catalogue(first)).commands).toEqual([named(first)]);
  },
);

test("explains every argument and flag", () => {
  const unexplained = whole.commands.flatMap(({ name, arguments: operands, flags }) =>
    [...operands, ...flags].flatMap((word) => (word.doc ? [] : `${name}: ${word.name}`)),
  );
  expect(unexplained).toEqual([]);
});

test("describes a command completely", () => {
  const { arguments: operands, flags, operations, exit_codes, ...others } = named("channel update");
  expect(others).toMatchObject({
    noun: "channel",
    verb: "update",
    usage: "zulipctl channel update <channel> [flags]",
    other_names: ["edit"],
    hidden: false,
    alias_of: null,
    conflicts: [["--private", "--web-public"]],
    changes: true,
    changes_server: true,
    confirmation: "sometimes",
    destructive: true,
    any_operation: false,
    in_batch: true,
    in_each: true,
  });
  expect(operands).toEqual([
    { name: "channel", doc: "name or id", kind: "channel", required: true, repeatable: false },
  ]);
  const flag = (name: string) => flags.find((each) => each.name === name);
  expect(flag("--topics-policy")).toMatchObject({ kind: "choice", choices: expect.arrayContaining(["inherit"]) });
  expect(flag("--description")).toMatchObject({ kind: "text", at_file: true, stdin: true });
  expect(flag("--private")?.key).toBe(flag("--no-private")?.key);
  expect(flag("--archived")).toBeUndefined();
  expect(flag("--profile")).toBeUndefined();
  expect(operations).toContainEqual({
    name: "channel.update",
    method: "PATCH",
    path: "/api/v1/streams/{stream_id}",
    changes: true,
  });
  expect(exit_codes.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 70, 130]);
});

test("of api, only the path is required", () => {
  const { usage, arguments: all } = named("api");
  expect(usage).toBe("zulipctl api [METHOD] <path> [flags]");
  expect(all.map(({ name, required }) => [name, required])).toEqual([
    ["METHOD", false],
    ["path", true],
  ]);
});

test.each([
  ["channel list", { changes: false, confirmation: "never", destructive: false }],
  ["linkifier rm", { changes: true, confirmation: "always", destructive: true }],
  ["profile-field update", { changes: true, confirmation: "sometimes", destructive: true }],
  ["folder create", { changes: true, confirmation: "never", destructive: false }],
  ["profile use", { changes: true, changes_server: false, operations: [] }],
  ["watch", { changes: false }],
  ["each", { any_operation: true, changes: true, operations: [] }],
  ["org schema", { changes: false, operations: [] }],
  ["whoami", { hidden: true, alias_of: "auth status" }],
  ["login", { hidden: true, alias_of: "auth login" }],
])("%s", (name, expected) => {
  expect(named(name)).toMatchObject(expected);
});

test("says defaults, choices and what repeats", () => {
  const flag = (command: string, name: string) => named(command).flags.find((each) => each.name === name);
  expect(flag("invite add", "--expires")).toMatchObject({ default: "10d", kind: "text", suggestions: ["never"] });
  expect(flag("export create", "--type")).toMatchObject({ default: "public", kind: "choice" });
  expect(flag("org export", "--only")).toMatchObject({ kind: "choice", comma_separated: true });
  expect(flag("each", "--parallel")).toMatchObject({ default: "8", kind: "number" });
  expect(flag("channel subscribers", "--add")).toMatchObject({ kind: "people", repeatable: true, at_file: true });
  expect(flag("profile-field create", "--type")).toMatchObject({ required: true });
  expect(whole.global_flags.find(({ name }) => name === "--timeout")).toMatchObject({ default: "30", kind: "number" });
});

test.each([
  ["help channel archive -o json", "help channel archive --json"],
  ["--json help channel archive", "help channel archive --json"],
  ["channel help archive --json", "help channel archive --json"],
  ["help channels archive --json", "help channel archive --json"],
])("%s is %s", async (line, same) => {
  const run = async (words: string) => zulipctl(words.split(" "), { env: {} });
  expect(await run(line)).toEqual(await run(same));
});

test("--help stays text, whatever the form", async () => {
  const text = await zulipctl(["channel", "list", "--help"]);
  expect(await zulipctl(["channel", "list", "--json", "--help"])).toEqual(text);
  expect(await zulipctl(["help", "channel", "list"])).toEqual(text);
});

test("has other forms, fields and filters", async () => {
  expect((await help("channel list", ["--jq", ".commands[0].name"])).out).toBe("channel list\n");
  expect((await help("channel list", ["--json", "--fields", "format,version"])).out).toBe(
    `${JSON.stringify({ format: 1, version: whole.version })}\n`,
  );
  expect((await help("channel list", ["-o", "yaml"])).out).toMatch(/^format: 1\nversion: /);
});

test.each([
  ["nosuch", ["--json"], 'unknown command "nosuch"', 'Run "zulipctl --help" for usage.'],
  ["chanel list", ["--json"], 'unknown command "chanel"', "Did you mean: channel?"],
  ["channel lst", ["-o", "json"], 'unknown command "channel lst"', "Did you mean: list?"],
  ["channel", ["--json", "-o", "csv"], "-o csv and --json ask for different outputs", undefined],
])("help %s %j fails", async (words, flags, message, hint) => {
  const { code, out, err } = await help(words, flags);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(JSON.parse(err).error).toMatchObject({ exit_code: 2, kind: "usage", message, ...(hint && { hint }) });
});

test("the README has the same exit codes", () => {
  const [, table = ""] =
    /^## Exit codes\n\n[^\n]*\n[^\n]*\n([\s\S]*?)\n\n/m.exec(readFileSync("README.md", "utf8")) ?? [];
  const rows = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim().replaceAll("`", "")));
  expect(rows.map(([, code, meaning]) => ({ code: Number(code), meaning }))).toEqual(exitCodes);
});

/** Reads files and folders that people name, and reports their problems. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { documentOf, sourcesOf } from "../../../src/commands/org/read.ts";
import { Usage } from "../../../src/errors.ts";
import { filesOf } from "../../../src/node/files.ts";
import { printError } from "../../../src/output/error.ts";
import type { Context } from "../../../src/run/context.ts";
import { testWorld } from "../../world.ts";

let home: string;
const at = (path: string) => join(home, path);

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "zulipctl-org-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const contextOf = (input = ""): Context =>
  ({ world: { ...testWorld({ input }), files: filesOf({}) } }) as unknown as Context;

const namesOf = async (...paths: string[]): Promise<string[]> =>
  (await sourcesOf(contextOf(), paths.map(at))).map(({ name }) => name.slice(home.length + 1));

const refusal = (work: Promise<unknown>): Promise<Usage> =>
  work.then(
    () => expect.unreachable(),
    (error) => {
      expect(error).toBeInstanceOf(Usage);
      error.message = error.message.replaceAll(`${home}/`, "");
      return error;
    },
  );

describe("files to read", () => {
  test("reads the files of a folder that match by name, sorted, without hidden ones", async () => {
    for (const name of ["b.yml", "a.yaml", "C.json", "notes.md", ".hidden.yaml", "list.txt", "below/d.yaml"])
      write(`org/${name}`, "");
    mkdirSync(at("org/folder.yaml"));
    expect(await namesOf("org")).toEqual(["org/C.json", "org/a.yaml", "org/b.yml"]);
  });

  test("reads named files in their order, each once, whatever their names", async () => {
    write("org/a.yaml", "");
    write("one", "");
    symlinkSync(at("one"), at("org/b.yaml"));
    expect(await namesOf("one", "org", "org/a.yaml", "one")).toEqual(["one", "org/a.yaml"]);
  });

  test("reads stdin for -", async () => {
    const context = contextOf("groups: [{ name: crew }]\n");
    const { value, at } = await documentOf(context, await sourcesOf(context, ["-"]));
    expect(value).toEqual({ groups: [{ name: "crew" }] });
    expect(at(["groups"])).toEqual({ file: "stdin", line: 1, column: 9 });
    expect((await refusal(sourcesOf(context, ["-"]))).message).toBe(
      "<file|folder> cannot read stdin: another flag reads it",
    );
  });

  test("reads lists in the folder of the file that names them", async () => {
    write("org/groups/a.yaml", "groups: [{ name: crew, members: ['@people/crew.txt'] }]\n");
    write("org/groups/people/crew.txt", "ada@example.com\n");
    const context = contextOf();
    const { value } = await documentOf(context, await sourcesOf(context, [at("org/groups")]));
    expect(value.groups).toEqual([{ name: "crew", members: ["ada@example.com"] }]);
  });
});

test("reads no list outside of the folder of the file that names it, and quotes no line that is not a name", async () => {
  write("secret.txt", "ada@example.com\n");
  write("org/links/.keep", "");
  symlinkSync(at("secret.txt"), at("org/link.txt"));
  symlinkSync(at("."), at("org/links/up"));
  write("org/keys.txt", "AWS_KEY=abcdef\nada@example.com\n-----BEGIN PRIVATE KEY-----\n");
  const files = ["../secret.txt", "link.txt", "links/up/secret.txt", at("org/keys.txt"), "keys.txt"];
  write("org/a.yaml", `groups: [{ name: crew, members: ${JSON.stringify(files.map((file) => `@${file}`))} }]\n`);
  const context = contextOf();
  const error = await refusal(documentOf(context, await sourcesOf(context, [at("org/a.yaml")])));
  const errorText = JSON.stringify(error.details.more);
  expect(errorText.match(/must be in the folder of the file that names it/g)).toHaveLength(4);
  expect(errorText.match(/invalid line: must be a person: use an e-mail address/g)).toHaveLength(2);
  expect(errorText).not.toMatch(/AWS|PRIVATE/);
});

test("skips a named pipe in a folder", async () => {
  write("org/a.yaml", "groups: [{ name: crew }]\n");
  execFileSync("mkfifo", [at("org/b.yaml")]);
  expect((await sourcesOf(contextOf(), [at("org")])).map(({ name }) => name)).toEqual([at("org/a.yaml")]);
});

test.each([
  ["none", "file not found: none"],
  ["empty", "empty has no file named *.yaml, *.yml or *.json"],
])("rejects files that cannot be read: %s", async (path, message) => {
  mkdirSync(at("empty"));
  expect(await refusal(sourcesOf(contextOf(), [at(path)]))).toMatchObject({ message, exitCode: 2 });
});

test("stops reading a file when it is too large", async () => {
  write("large.yaml", "#".repeat(40 * 1024 * 1024));
  const context = contextOf();
  const sources = await sourcesOf(context, [at("large.yaml")]);
  expect(sources[0]!.bytes.length).toBeLessThan(20 * 1024 * 1024);
  expect((await refusal(documentOf(context, sources))).details.more).toMatchObject({
    problems: [{ line: 1, column: 1, message: "more than 16 MiB with this file" }],
  });
});

describe("problems", () => {
  async function told(form: "table" | "json"): Promise<string> {
    write("org/a.yaml", "groups:\n  - nam: x\n    members: ['@', '@none.txt', '@/']\n");
    write("org/b.json", '{"channels": [{"name": "a"}, {"name": "A"}]}');
    const context = contextOf();
    const error = await refusal(documentOf(context, await sourcesOf(context, [at("org")])));
    expect(await printError(error, { form, color: "never", verbose: false }, context.world)).toBe(2);
    return (context.world.stderr as unknown as { text: string }).text.replaceAll(`${home}/`, "");
  }

  test("prints problems as lines", async () => {
    expect(await told("table")).toBe(
      `zulipctl: 5 problems in org/a.yaml, org/b.json
  org/a.yaml, line 2, column 5: unknown key "nam"; did you mean "name"?
  org/a.yaml, line 3, column 15: "@": missing file name
  org/a.yaml, line 3, column 20: file not found: org/none.txt
  org/a.yaml, line 3, column 33: invalid list file "@/": must be in the folder of the file that names it
  org/b.json, line 1, column 39: "A" appears twice; first in org/b.json, line 1, column 24
`,
    );
  });

  test("prints problems as JSON", async () => {
    const { error } = JSON.parse(await told("json"));
    expect(error).toMatchObject({ exit_code: 2, kind: "usage", message: "5 problems in org/a.yaml, org/b.json" });
    expect(error.problems[1]).toEqual({ file: "org/a.yaml", line: 3, column: 15, message: '"@": missing file name' });
  });
});

test("skips the JSON Schema that org schema wrote beside the files", async () => {
  const { fileSchema } = await import("../../../src/organization/schema.ts");
  write("a/organization.schema.json", JSON.stringify(fileSchema(), null, 2));
  write("a/organization.yaml", "folders: []\n");
  expect(await namesOf("a")).toEqual(["a/organization.yaml"]);
  expect(await namesOf("a/organization.schema.json")).toEqual(["a/organization.schema.json"]);
});

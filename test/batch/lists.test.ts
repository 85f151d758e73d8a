/** Lists in cells, and rows of other systems. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";
import { batch, members } from "./rows.ts";

const [mona, cora, otis] = [10, 11, 12];
const addresses = ["mona", "cora", "otis"].map((name) => `${name}@sandbox.example`);

/** Adds the people of the cell of one row to an empty group. */
async function added(file: string, content: string, flags: readonly string[] = [], word = "{people}") {
  const sandbox = fresh();
  await zulipctl(["group", "members", "designers", "--set", "", "--allow-empty", "--yes"], { sandbox });
  const run = await batch([file, ...flags, "--", "group", "members", "designers", "--add", word, "--if-changed"], {
    sandbox,
    files: new Map([[file, content]]),
  });
  return { ...run, ids: members(sandbox, "designers") };
}

test("a cell is divided at commas and line breaks, or at the sign of --list-separator", async () => {
  const csv = (cell: string) => `people\n"${cell}"\n`;
  for (const between of [",", ", ", "\n", "\r\n", ",\n", "\n\n"])
    expect((await added("a.csv", csv(addresses.join(between)))).ids).toEqual([mona, cora, otis]);
  for (const sign of [";", "|"]) {
    const cell = csv(addresses.join(`${sign} `));
    const run = await added("a.csv", cell, ["--list-separator", sign]);
    expect(run.ids).toEqual([mona, cora, otis]);
    expect(await added("a.csv", cell)).toMatchObject({
      code: 2,
      changes: [],
      err: expect.stringContaining(`. Is it a list? Pass --list-separator "${sign}" before --`),
    });
  }
  // A comma that was typed divides, whatever divides the cell.
  const typed = await added("a.csv", csv("cora@sandbox.example;12"), ["--list-separator", ";"], "10,{people}");
  expect(typed.ids).toEqual([mona, cora, otis]);
  expect((await added("a.csv", csv("cora@sandbox.example,,12"))).err).toContain("has an empty item");
  expect((await added("a.csv", csv("x"), ["--list-separator", "and"])).code).toBe(2);
});

test("addresses of new people with another separator name the flag, as those of accounts do", async () => {
  for (const sign of [";", "|"]) {
    const files = new Map([["a.csv", `who\n"ada@new.example${sign} bo@new.example"\n`]]);
    const words = ["--", "invite", "add", "{who}"];
    const { err, changes } = await batch(["a.csv", ...words], { files });
    expect(changes).toEqual([]);
    expect(err).toContain(
      `"ada@new.example${sign} bo@new.example" is more than one person. Is it a list? Pass --list-separator "${sign}" before --`,
    );
    expect(err.match(/--list-separator/g)).toHaveLength(1);
    const divided = await batch(["a.csv", "--list-separator", sign, "-n", ...words], { files });
    expect(divided.out).toContain('"ada@new.example,bo@new.example"');
  }
});

test("another separator leaves the commas of names alone, and groups of a cell are divided too", async () => {
  const sandbox = fresh();
  await zulipctl(["group", "create", "Editors, writers"], { sandbox });
  const files = new Map([["a.csv", 'who,groups\n12,"Editors, writers;designers"\n']]);
  const words = ["--", "group", "members", "{groups}", "--add", "{who}"];
  const run = await batch(["a.csv", "--list-separator=;", ...words], { sandbox, files });
  expect(run.outcomes).toEqual(["1 done"]);
  expect(members(sandbox, "Editors, writers")).toContain(otis);
  const undivided = await batch(["a.csv", ...words], { sandbox, files });
  expect(undivided.err).toContain(`group "Editors" not found`);
});

test("operands that take several are divided at commas, typed and in a cell", async () => {
  const sandbox = fresh();
  expect((await zulipctl(["channel", "archive", "design, general", "-n"], { sandbox })).out).toContain("stream_id = 2");
  const files = new Map([["a.csv", `who\n"${addresses.join("\n")}"\n`]]);
  const run = await zulipctl(["batch", "a.csv", "-n", "--", "users", "deactivate", "{who}"], { sandbox, files });
  expect(run.out.match(/^DELETE .*$/gm)).toHaveLength(3);
  const fields = await zulipctl(["profile-field", "rm", "Phone,no such field", "-n"], { sandbox });
  expect(fields.err).toContain(`"no such field" not found`);
});

test("a JSON file of another system is rows, and --failed writes a JSON list again", async () => {
  const rows = [
    { enabled: true, user: { email: "cora@sandbox.example" } },
    { enabled: false, user: { email: "otis@sandbox.example" } },
    { enabled: true, user: { email: "dora@nowhere.example" } },
  ];
  const json = `${JSON.stringify(rows, null, 2)}\n`;
  const flags = ["--where", "enabled=true", "--skip-invalid", "--failed", "failed.json"];
  const sandbox = fresh();
  const files = new Map([["a.json", json]]);
  const words = ["--", "group", "members", "writers", "--add", "{user.email}"];
  const run = await batch(["a.json", ...flags, ...words], { sandbox, files });
  expect(run.outcomes).toEqual(["1 done", "2 not_selected", "3 invalid"]);
  expect(JSON.parse(files.get("failed.json") ?? "")).toEqual([rows[2]]);
  const stdin = await batch(["-", "--format", "json", "-n", ...words], {
    sandbox,
    input: json.replace("nowhere", "sandbox"),
  });
  expect(stdin.err).toContain(`stdin, line 14, column user.email: --add: user "dora@sandbox.example" is deactivated`);
});

test("a row whose condition cannot be read is wrong, not left out", async () => {
  const files = new Map([["a.ndjson", '{"team":{"name":"a"},"id":12}\n{"team":"b","id":11}\n']]);
  const run = await batch(["a.ndjson", "--where", "team=b", "--", "group", "members", "writers", "--add", "{id}"], {
    files,
  });
  expect(run).toMatchObject({ code: 2, changes: [] });
  expect(run.err).toContain(`a.ndjson, line 1, column team: "team" is an object`);
});

test("U+0000 is never sent, and files of other encodings are named in texts, lists and snapshots", async () => {
  const utf16 = Buffer.from("Ada\n", "utf16le").toString("latin1");
  const files = new Map([
    ["nul.txt", "a\nb\0c\n"],
    ["utf16.txt", utf16],
    ["book.csv", "PK\u0003\u0004"],
    ["org.yaml", 'channels:\n  - name: design\n    description: "a\\0b"\n'],
  ]);
  const errors: [string[], string][] = [
    [["channel", "update", "design", "--description", "@nul.txt"], "contains U+0000 (line 2, column 2)"],
    [["channel", "update", "design", "--description", "@utf16.txt"], "is UTF-16 text without a byte order mark"],
    [["group", "members", "writers", "--add", "@book.csv"], "is a zip archive or a spreadsheet (xlsx, ods)"],
    [["org", "export", "--from", "utf16.txt"], "utf16.txt is UTF-16 text without a byte order mark"],
    [["drafts", "add", "--from", "-"], "contains U+0000"],
    [["org", "plan", "org.yaml"], "org.yaml, line 3, column 18: invalid character in this text"],
  ];
  for (const [argv, message] of errors) {
    const run = await zulipctl(argv, { files, input: '{"type":"","to":[],"topic":"","content":"a\\u0000b"}' });
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    expect(run.sent.filter(({ method }) => method !== "GET")).toEqual([]);
  }
});

test("names the row of a JSON list without line breaks", async () => {
  const rows = [{ e: "cora@sandbox.example" }, { e: "nobody@sandbox.example" }, {}];
  const files = new Map([["a.json", JSON.stringify(rows)]]);
  const { err } = await batch(["a.json", "--", "group", "members", "writers", "--add", "{e}"], { files });
  expect(err).toContain("  a.json, line 1, row 2, column e: --add: user");
  expect(err).toContain('  a.json, line 1, row 3, column e: "e" is missing');
});

test("suggests a column that a JSON row has in place of a missing one", async () => {
  const files = new Map([["a.json", '[{"Email":"cora@sandbox.example"}]']]);
  const { err } = await batch(["a.json", "--", "group", "members", "writers", "--add", "{email}"], { files });
  expect(err).toContain('"email" is missing\n    Did you mean: {Email}?\n');
});

test("numbers rows by themselves if a line has several", async () => {
  const rows = ["design", "general"].map((c) => JSON.stringify({ c }));
  for (const [between, head] of [
    [",", "ROW"],
    [",\n", "LINE"],
  ] as const) {
    const files = new Map([["a.json", `[${rows.join(between)}]`]]);
    const words = ["--", "channel", "update", "{c}", "--description", "x"];
    const { out } = await zulipctl(["batch", "a.json", ...words], { files });
    const [first, ...others] = out.split("\n").map((line) => line.split("\t")[0]);
    expect([first, ...others.slice(0, 2)]).toEqual([head, "1", "2"]);
  }
});

test("names the list of an object that should be a list", async () => {
  for (const [json, command] of [
    ['{"next":null,"members":[{}]}', "jq '.members' 'a b.json'"],
    ["{\n}", "such as jq '.users' 'a b.json'"],
  ] as const) {
    const { err } = await batch(["a b.json", "--", "folder", "create", "{e}"], {
      files: new Map([["a b.json", json]]),
    });
    expect(err).toContain(`To take a list out of an object: ${command}\n`);
  }
});

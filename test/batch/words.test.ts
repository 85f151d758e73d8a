/** What is wrong with many rows, or with the words of all, is told as few times as it takes. */
import { describe, expect, test } from "vitest";
import { batch, column, count } from "./rows.ts";

const ids = count(5000);
const files = () => new Map([["rows.csv", column("id", ids)]]);
const said = async (...argv: string[]) => {
  const { code, out, err, changes } = await batch(argv, { files: files() });
  expect({ code, out, changes }).toEqual({ code: 2, out: "", changes: [] });
  return err;
};

describe("errors in the words after -- are reported once", () => {
  test.each([
    [["folder", "creat", "{id}"], 'unknown command "folder creat"', "Did you mean: create?"],
    [["folder", "create", "{id}", "--descripton", "x"], "unknown flag: --descripton", "Did you mean: --description?"],
    [["users", "list", "--match", "{id}"], "users list is not allowed in a batch", undefined],
    [["folder", "create", "{id}", "--help"], "--help and --version are not allowed in a row", undefined],
    [
      ["group", "members", "designer", "--add", "{id}"],
      '<group>: group "designer" not found, or not visible to this account',
      "Did you mean: designers (17)?",
    ],
  ])("%j", async (words, message, hint) => {
    for (const flags of [[], ["--skip-invalid"]])
      expect(await said("rows.csv", ...flags, "--", ...words)).toBe(
        [`zulipctl: after --: ${message}`, ...(hint ? [hint] : []), ""].join("\n"),
      );
  });

  test.each([
    [["--resume", "last"], "--resume applies to the whole run: put it before --"],
    [["--yes", "-n", "--failed=x"], "--yes, --dry-run and --failed apply to the whole run: put them before --"],
  ])("%j after the command of the row are rejected", async (flags, message) => {
    const run = await batch(["rows.csv", "--", "folder", "create", "{id}", ...flags], { files: files() });
    expect(run).toMatchObject({ code: 2, out: "", sent: [], err: `zulipctl: ${message}\n` });
  });

  test("a value that looks like a flag of the run is a value", async () => {
    const run = await batch(["-n", "rows.csv", "--", "folder", "create", "{id}", "--description=--resume"], {
      files: new Map([["rows.csv", "id\n1\n"]]),
    });
    expect(run.code).toBe(0);
    const other = await batch(["-n", "rows.csv", "--", "folder", "create", "--", "--resume"], {
      files: new Map([["rows.csv", "id\n1\n"]]),
    });
    expect(other.code).toBe(0);
  });

  test("sends nothing to check a word that is always invalid", async () => {
    const run = await batch(["rows.csv", "--", "foldr", "create", "{id}"], { files: files(), env: {} });
    expect(run).toMatchObject({ code: 2, sent: [] });
  });
});

describe("errors of rows are grouped by their cause", () => {
  const rows = ids
    .slice(0, 60)
    .map((n) => (n % 4 === 0 ? "1,x" : n % 4 === 1 ? `nope${n},1` : n % 4 === 2 ? "17,8" : "17"));
  const all = new Map([["rows.csv", column("group,user", rows)]]);
  const words = ["rows.csv", "--", "group", "members", "{group}", "--add", "{user}"];

  test("lists ten of each, and counts the rest", async () => {
    const { err, code } = await batch(words, { files: all });
    expect(code).toBe(2);
    const lines = err.split("\n");
    expect(lines[0]).toBe("zulipctl: 59 of 60 rows of rows.csv are wrong; nothing was sent");
    const of = (text: string) => lines.filter((line) => line.includes(text));
    expect(of("is not an id or an e-mail address")).toHaveLength(10);
    expect(of("not found, or not visible to this account")).toHaveLength(10);
    expect(of("does the same already")).toHaveLength(10);
    expect(of("and 5 more like these")).toHaveLength(2);
    expect(of("and 4 more like these")).toHaveLength(1);
    // The same everywhere, and no column is to blame.
    expect(of("there are 1 cells")).toEqual([
      "  rows.csv, line 5 and 14 others: there are 1 cells where the header has 2",
    ]);
    expect(lines.slice(0, -1)).toHaveLength(1 + 30 + 3 + 1 + 1);
  });

  test("has all of them in the JSON", async () => {
    const { err } = await batch(["-o", "json", ...words], { files: all });
    const { problems } = JSON.parse(err).error;
    expect(problems).toHaveLength(59);
    expect(problems.map(({ line }: { line: number }) => line)).toEqual(
      count(60).flatMap((n) => (n === 2 ? [] : n + 2)),
    );
  });
});

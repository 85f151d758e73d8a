import { describe, expect, test } from "vitest";
import { batch, column, count } from "./rows.ts";

describe("errors of rows are grouped by their cause", () => {
  const rows = count(60).map((n) => ["1,x", `nope${n},1`, "17,8", "17"][n % 4]);
  const files = new Map([["rows.csv", column("group,user", rows)]]);
  const words = ["rows.csv", "--", "group", "members", "{group}", "--add", "{user}"];

  test("lists ten of each, and counts the rest", async () => {
    const { err, code } = await batch(words, { files });
    expect(code).toBe(2);
    const lines = err.split("\n");
    expect(lines[0]).toBe("zulipctl: 59 of 60 rows of rows.csv are wrong; nothing was sent");
    const containing = (text: string) => lines.filter((line) => line.includes(text));
    expect(containing("is not an id or an e-mail address")).toHaveLength(10);
    expect(containing("not found, or not visible to this account")).toHaveLength(10);
    expect(containing("does the same already")).toHaveLength(10);
    expect(containing("and 5 more like these")).toHaveLength(2);
    expect(containing("and 4 more like these")).toHaveLength(1);
    expect(containing("the row has 1 cell")).toEqual([
      "  rows.csv, line 5 and 14 others: the row has 1 cell, and the header has 2",
    ]);
    // The first and the last line, and what rows share: hints and counts.
    expect(lines.slice(0, -1)).toHaveLength(1 + 30 + 2 + 3 + 1 + 1);
  });

  test("lists all of them in JSON", async () => {
    const { err } = await batch(["-o", "json", ...words], { files });
    const { problems } = JSON.parse(err).error;
    expect(problems.map(({ line }: { line: number }) => line)).toEqual(
      count(60).flatMap((n) => (n === 2 ? [] : n + 2)),
    );
  });
});

test("prints the hint of each row below it, and one for rows with the same", async () => {
  const files = new Map([
    ["rows.csv", column("channel,folder", ["genral,Projects", "genral,Projects", "design,Projcts"])],
  ]);
  const { err } = await batch(["rows.csv", "--", "channel", "update", "{channel}", "--folder", "{folder}"], { files });
  expect(err.split("\n")).toEqual([
    "zulipctl: 3 of 3 rows of rows.csv are wrong; nothing was sent",
    '  rows.csv, line 2, column channel: <channel>: channel "genral" not found, or not visible to this account',
    '  rows.csv, line 3, column channel: <channel>: channel "genral" not found, or not visible to this account',
    "    Did you mean: general (2)?",
    '  rows.csv, line 4, column folder: --folder: folder "Projcts" not found, or not visible to this account',
    "    Did you mean: Projects (1)?",
    "Correct them, or skip them with --skip-invalid.",
    "",
  ]);
});

test.each([
  ["writers,makers", "Several are written group:writers,group:makers"],
  ["writers; cora@sandbox.example", "Several are written group:writers,user:cora@sandbox.example"],
  ["cora@sandbox.example", "A person is written user:cora@sandbox.example"],
])("a cell %j that should be one group says how people and groups are written", async (cell, hint) => {
  const files = new Map([["rows.csv", `who\n"${cell}"\n`]]);
  const words = ["--", "channel", "update", "general", "--can-send-message-group", "{who}"];
  expect((await batch(["rows.csv", ...words], { files })).err).toContain(`    ${hint}\n`);
});

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
    expect(lines.slice(0, -1)).toHaveLength(1 + 30 + 3 + 1 + 1);
  });

  test("lists all of them in JSON", async () => {
    const { err } = await batch(["-o", "json", ...words], { files });
    const { problems } = JSON.parse(err).error;
    expect(problems.map(({ line }: { line: number }) => line)).toEqual(
      count(60).flatMap((n) => (n === 2 ? [] : n + 2)),
    );
  });
});

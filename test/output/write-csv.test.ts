import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { BatchInput } from "../../src/batch/input.ts";
import { recordsOf } from "../../src/batch/read-csv.ts";
import { sanitizeText } from "../../src/output/sanitize.ts";
import { cellValue, csvCell, csvRow } from "../../src/output/write-csv.ts";
import fc, { anyCharacter } from "../property.ts";

describe("csvCell", () => {
  test.each([
    ["=1+1", "'=1+1"],
    ["+SUM(A1)", "'+SUM(A1)"],
    ["-2+3", "'-2+3"],
    ["@cmd", "'@cmd"],
    ["\t=1", "'\t=1"],
    ["＝1+1", "'＝1+1"],
    ["\u001b[0m=1", "'=1"],
    ["\u202E=1", "'=1"],
    ["'=1", "''=1"],
    ["''@a", "'''@a"],
    ["'-5", "''-5"],
    ["'a", "'a"],
    ["''", "''"],
    ["-5", "-5"],
    ["+49", "+49"],
    ["-", "'-"],
    [-5, "-5"],
    [null, ""],
    [undefined, ""],
    [{ a: "=1" }, '{"a":"=1"}'],
    [["\u009b"], '["\\u009b"]'],
  ])("%j becomes %j", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  test("starts no cell with what a spreadsheet would run", () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", ""), fc.string({ unit: anyCharacter })),
        (pair) => {
          const cell = csvCell(pair.join(""));
          expect(/^[=+\-@\t\r\n]/.test(cell) && !Number.isFinite(Number(cell))).toBe(false);
        },
      ),
    );
  });
});

describe("csvRow", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab,\t\"'\n\r ;é") });

  test.each([
    ["csv", ",", "\r\n"],
    ["tsv", "\t", "\n"],
  ] as const)("%s is read back as it was", (form, delimiter, end) => {
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1 }));
    fc.assert(
      fc.property(rows, (cells) => {
        const written = cells.map((row) => csvRow(form, row)).join("");
        expect(parse(written, { delimiter, record_delimiter: end })).toEqual(cells);
        expect(written.endsWith(end)).toBe(true);
      }),
    );
  });
});

const value = fc
  .tuple(fc.constantFrom("", "'", "''"), fc.constantFrom("", "=", "+", "-", "@", "\t", "\n", "\uFF1D"), fc.string())
  .map((parts) => sanitizeText(parts.join("")));

test.each(["csv", "tsv"] as const)("what is written as %s is read as the same values", async (form) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, value), { maxLength: 5 }), async (rows) => {
      const text = [["a", "b"], ...rows.map((row) => row.map(csvCell))].map((cells) => csvRow(form, cells)).join("");
      const input = new BatchInput("x", async function* () {
        yield Buffer.from(text);
      });
      const read: string[][] = [];
      for await (const { cells } of recordsOf("x", input.lines(), form)) read.push(cells.map(cellValue));
      expect(read.slice(1)).toEqual(rows);
    }),
  );
});

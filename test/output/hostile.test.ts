import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import type { Listing, OutputForm, Row } from "../../src/output/form.ts";
import { highlightedText } from "../../src/output/highlight.ts";
import { print } from "../../src/output/printer.ts";
import { hasHazards } from "../../src/output/sanitize.ts";
import fc, { anyCharacter } from "../property.ts";
import { place, terminal } from "./world.ts";

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc
    .array(fc.constantFrom(..."\u001b\u009b[31m]0;\u0007\u202e\u200b\u2028\ufeff\ud83d=+-@,\"'\t\r\n<>&"))
    .map((all) => all.join("")),
);
const key = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "toString", "id", "then", "length", "toJSON"));
const leaf = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, ""),
);
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(key, tie("node"), { maxKeys: 4 }),
  ),
})).node;
const records = fc.array(fc.dictionary(key, value, { maxKeys: 5 }) as fc.Arbitrary<Row>, { maxLength: 5 });

const listing = (all: Row[], more: Partial<Listing> = {}): Listing => ({
  kind: "listing",
  records: all,
  columns: [
    { head: "ID", value: (record) => record.id, align: "right", style: () => "bad" },
    { head: "ALL", value: (record) => record },
    { head: "VALUES", value: (record) => Object.values(record) },
    { head: "HTML", value: (record) => highlightedText(String(Object.keys(record))) },
  ],
  id: (record) => record.id,
  ...more,
});

const forms: OutputForm[] = ["table", "json", "ndjson", "csv", "tsv", "yaml", "ids", "none"];
/** The colors of zulipctl. A terminal gets no other escape sequences. */
const ownColors = /\u001b\[(1|2|22|31|33|39)m/g;

describe("hostile records", () => {
  test.each(forms)("are printed as %s without hazards", async (form) => {
    await fc.assert(
      fc.asyncProperty(records, fc.boolean(), fc.integer({ min: 1, max: 200 }), async (all, drawn, columns) => {
        const world = place(drawn ? terminal(columns) : undefined);
        await print(listing(all), { form, color: "auto" }, world);
        const shown = world.stdout.text.replace(ownColors, "");
        // Rows in a pipe have tabs between cells. CSV for programs may contain tabs and joiners.
        const rows = form === "csv" || form === "tsv";
        const ends = rows
          ? shown.replace(/\r\n|\t/g, "\n")
          : form === "table" && !drawn
            ? shown.replaceAll("\t", "")
            : shown;
        const text =
          rows && !drawn ? ends.replace(/(?!\p{Bidi_C})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "") : ends;
        expect(hasHazards(text)).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  test("keep their values as JSON, ndjson and YAML", async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.boolean(), async (all, drawn) => {
        const read = async (form: OutputForm) => {
          const world = place(drawn ? terminal() : undefined);
          await print(listing(all), { form, color: "auto" }, world);
          return world.stdout.text;
        };
        const same = JSON.stringify(all);
        expect(JSON.stringify(JSON.parse(await read("json")))).toBe(same);
        const lines = (await read("ndjson")).split("\n").slice(0, -1);
        expect(JSON.stringify(lines.map((line) => JSON.parse(line)))).toBe(same);
        expect(JSON.stringify(parseYaml(await read("yaml")))).toBe(same);
      }),
      { numRuns: 150 },
    );
  });
});

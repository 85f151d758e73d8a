/** Printing unparsed records gives the same bytes as printing parsed ones. */

import { expect, test } from "vitest";
import { lazyBatch, Records } from "../../src/client/records.ts";
import type { Column, Listing, OutputForm, Row } from "../../src/output/form.ts";
import { print } from "../../src/output/printer.ts";
import { integer, object, optional, string } from "../../src/wire/types.ts";
import fc, { anyCharacter } from "../property.ts";
import { cutAt, piecesOf } from "../wire/unparsed-records.ts";
import { place, recording } from "./world.ts";

const type = object({ id: integer, name: optional(string) });
const columns: Column[] = [
  { head: "ID", value: ({ id }) => id },
  { head: "SHOUT", value: ({ name }) => String(name).toUpperCase() },
  { head: "NAME", value: ({ name }) => `<${name}>` },
];

const answer = (members: readonly Row[]) => Buffer.from(JSON.stringify({ members }));

/** Records that arrive in chunks, and the number of unparsed ones. */
function arriving(members: readonly Row[], cuts: readonly number[]) {
  const count = { unparsed: 0 };
  const records = new Records<Row>(async function* (acceptsUnparsed) {
    for (const piece of piecesOf(type, cutAt(answer(members), cuts)))
      if (!("forms" in piece)) yield piece as Row[];
      else if (acceptsUnparsed) {
        count.unparsed += piece.forms.length;
        yield lazyBatch(piece);
      } else yield [...lazyBatch<Row>(piece)];
  });
  return { records, count };
}

/** The same records, all parsed. */
const read = (members: readonly Row[]) =>
  new Records<Row>(async function* () {
    yield [...members];
  });

interface Options {
  form: OutputForm;
  fields?: string[];
  id?: Listing["id"];
  terminal?: boolean;
}

async function printed(records: Listing["records"], { form, fields, id = "id", terminal = false }: Options) {
  const listing: Listing = {
    kind: "listing",
    records: records as Listing<Row>["records"],
    columns,
    id,
    optionalFields: ["rare", "list", "of"],
  };
  const stdout = recording({ isTerminal: terminal });
  await print(listing, { form, color: "auto", ...(fields && { fields }) }, place(stdout));
  return stdout.text;
}

const people = Array.from({ length: 400 }, (_, id) => ({ id, name: `Person ${id}`, active: id % 2 === 0, gone: null }));
const odd = [
  ...people,
  { id: 1000, name: "Smith, Ada" },
  { id: 1001, name: 'a "b"' },
  { id: 1002, name: "=1+1" },
  { id: 1003, name: "-5" },
  { id: 1004, name: "＝1" },
  { id: 1005, name: "" },
  { id: 1006, name: "Ирина 漢字 é 😀" },
  { id: 1007, name: "line\nend\ttab" },
  { id: 1008, name: "\u202e" },
  { id: 1009 },
  { id: -5, name: "x" },
  { id: 1010, name: "x", list: [1, "a,b"], of: {}, rare: 1.5 },
  { id: 1011, name: "x", list: [], of: { a: [] }, rare: null },
].flatMap((record) => [record, record, record]);

const options: Options[] = [
  { form: "ndjson" },
  { form: "ids" },
  { form: "ids", id: "name" },
  { form: "ids", id: ({ id }) => Number(id) * 2 },
  { form: "csv" },
  { form: "tsv" },
  { form: "csv", fields: ["name"] },
  { form: "tsv", fields: ["list", "id"] },
  { form: "csv", fields: ["SHOUT", "id"] },
  { form: "csv", fields: ["ID", "id", "Name"] },
  { form: "csv", fields: ["rare", "active", "name", "of", "list"] },
  { form: "csv", terminal: true },
  { form: "ndjson", terminal: true },
  { form: "ndjson", fields: ["name", "id"] },
];

test.each(options)("%j prints unparsed records like parsed ones", async (how) => {
  const { records, count } = arriving(odd, [700, 9000, 9001, 20_000]);
  expect(await printed(records, how)).toBe(await printed(read(odd), how));
  expect(count.unparsed > 300).toBe(!(how.form === "ndjson" && how.fields) && typeof (how.id ?? "") === "string");
});

test("prints any records in any chunks like parsed ones", async () => {
  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: anyCharacter, maxLength: 4 }),
    fc.constantFrom("},{", "a,b", '"', "\n", "é", "漢", "\u200b", "+1", "＋1", "-5", ""),
  );
  const value = fc.oneof(
    word,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(word),
  );
  const record = fc.record({ id: fc.integer(), name: word, rare: value, "1": value }, { requiredKeys: ["id"] });
  const cuts = fc.array(fc.nat(10_000), { maxLength: 5 });
  const how = fc.constantFrom(...options.filter(({ terminal }) => !terminal));
  let all = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 4, maxLength: 20 }), cuts, how, async (members, places, options) => {
      // All records have the fields that only some may have.
      const complete = members.map((each) => ({ list: 1, of: 1, gone: 1, active: 1, rare: 1, ...each }));
      const { records, count } = arriving(complete, places);
      expect(await printed(records, options)).toBe(await printed(read(complete), options));
      all += count.unparsed;
    }),
    { numRuns: 500 },
  );
  expect(all).toBeGreaterThan(500);
});

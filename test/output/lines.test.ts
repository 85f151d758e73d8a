/** Records that go out as they came in: the same bytes as when each is written anew, or they do not go that way. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonText } from "../../src/output/json.ts";
import { linesOf } from "../../src/output/lines.ts";

type Row = Record<string, unknown>;

const batchOf = (...texts: string[]) =>
  Object.assign(
    texts.flatMap((text) => JSON.parse(text) as Row[]),
    { texts },
  );
const anew = (records: Row[]) => records.map((record) => `${jsonText(record)}\n`).join("");

describe("lines", () => {
  test("are the lists' own text", () => {
    const batch = batchOf('[{"id":1,"name":"Ada"},{"id":2,"in":[{}]}]', '[{"id":3}]', "[]");
    expect(linesOf(batch)).toEqual({ piece: anew(batch), count: 3 });
  });

  test.each([
    ["a name that looks like a separator", '[{"name":"},{"},{"name":"x"}]'],
    ["a name that looks like one, where the true one is spaced", '[{"name":"},{"}, {"name":"x"}]'],
    ["a spaced separator", '[{"name":"a"} ,{"name":"x"}]'],
    ["a list in a record, and another thing between two", '[{"in":[{},{},{}]},5,{"b":1}]'],
    ["white space in a record", '[{"id": 1},{"id": 2}]'],
    ["a line end", '[{"id":1},\n{"id":2}]'],
    ["a letter that turns the reading direction", '[{"name":"a\u202eb"}]'],
    ["an escape that need not be one", '[{"name":"\\u0041"}]'],
  ])("are not made of %s", (_, text) => {
    expect(linesOf(batchOf(text))).toBeUndefined();
  });

  test("are none where something was left out of the batch", () => {
    expect(linesOf([{ id: 1 }])).toBeUndefined();
  });

  test("are what is written anew, whatever the records hold", () => {
    const word = fc.oneof(fc.string(), fc.constantFrom("},{", "}, {", '"},{"', "\n", "é", "\u200b", "Smith, J"));
    const record = fc.dictionary(
      word,
      fc.oneof(word, fc.integer(), fc.array(fc.dictionary(word, word, { maxKeys: 2 }), { maxLength: 3 })),
      {
        maxKeys: 3,
      },
    );
    const lists = fc.array(fc.array(record, { maxLength: 4 }), { minLength: 1, maxLength: 3 });
    let passed = 0;
    fc.assert(
      fc.property(lists, (all) => {
        const batch = batchOf(...all.map((list) => JSON.stringify(list)));
        const lines = linesOf(batch);
        if (lines && batch.length) passed++;
        if (lines) expect(lines).toEqual({ piece: anew(batch), count: batch.length });
      }),
      { numRuns: 2000 },
    );
    expect(passed).toBeGreaterThan(100);
  });
});

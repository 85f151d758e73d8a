import { describe, expect, test } from "vitest";
import { Splitter } from "../../src/wire/large-list/splitter.ts";
import fc, { anyCharacter } from "../property.ts";

/** Splits the bytes in chunks. Returns "refused" for invalid JSON. */
function split(bytes: Uint8Array, cuts: readonly number[] = []) {
  const splitter = new Splitter("members");
  const elements: unknown[] = [];
  let from = 0;
  try {
    for (const to of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
      for (const piece of splitter.push(bytes.subarray(from, to))) if (!("forms" in piece)) elements.push(...piece);
      from = to;
    }
    return { elements, around: JSON.parse(splitter.end()) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return "refused";
    throw error;
  }
}

/** The same with `JSON.parse`. */
function parsed(bytes: Uint8Array) {
  try {
    const whole: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return { elements: [], around: whole };
    const { members } = whole as { members?: unknown };
    return Array.isArray(members)
      ? { elements: members, around: { ...whole, members: [] } }
      : { elements: [], around: whole };
  } catch {
    return "refused";
  }
}

const bytes = (text: string) => Buffer.from(text, "utf8");

const nasty = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom("},{", "]", '"', "\\", '\\"', '"members":[', "é", "漢", "😀", '}],"x":[{'),
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    nasty,
    fc.constantFrom<unknown>(0, -1.5, 1e21, true, false, null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(nasty, fc.constant("members")), tie("value"), { maxKeys: 4 }),
  ),
})).value;
const record = fc.dictionary(nasty, value, { minKeys: 1, maxKeys: 4 });
const answer = fc
  .tuple(
    fc.dictionary(nasty, value, { maxKeys: 3 }),
    fc.oneof(fc.array(record), fc.array(value), value),
    fc.dictionary(nasty, value, { maxKeys: 3 }),
  )
  .map(([before, members, after]) => ({ ...before, members, ...after }));
const spacing = fc.constantFrom<string | number>("", 1, "\t");
const cuts = fc.array(fc.nat(100_000), { maxLength: 12 });

describe("in any chunks", () => {
  test("splits an answer like JSON.parse", () => {
    fc.assert(
      fc.property(answer, spacing, cuts, (whole, indent, places) => {
        const text = bytes(JSON.stringify(whole, undefined, indent));
        expect(split(text, places)).toEqual(parsed(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("refuses what JSON.parse refuses", () => {
    const damage = fc.record({
      at: fc.nat(100_000),
      remove: fc.nat(3),
      insert: fc.constantFrom("", ",", "]", "[", "{", "}", '"', "\\", ":", " ", "},{", "\u0000", "0"),
    });
    fc.assert(
      fc.property(answer, damage, cuts, (whole, { at, remove, insert }, places) => {
        const text = bytes(JSON.stringify(whole));
        const place = at % text.length;
        const damaged = Buffer.concat([text.subarray(0, place), bytes(insert), text.subarray(place + remove)]);
        const want = parsed(damaged);
        const got = split(damaged, places);
        // Only JSON.parse accepts a repeated member.
        const twice = damaged.toString().split('"members"').length > 2;
        if (!(twice && got === "refused")) expect(got).toEqual(want);
      }),
      { numRuns: 4000 },
    );
  });

  test("splits single bytes", () => {
    const text = bytes(JSON.stringify({ result: "success", members: [{ a: "é😀\\" }, { b: [{}, {}] }], msg: "" }));
    expect(split(text, [...text.keys()])).toEqual(parsed(text));
  });
});

test("finds the list anywhere in the object", () => {
  for (const text of [
    '{"members":[{"a":1},{"a":2}],"result":"success","msg":""}',
    '{"result":"success","msg":"","members":[{"a":1},{"a":2}]}\n',
    ' { "x" : {"members":[7]} , "members" : [ {"a":1} , {"a":2} ] } ',
    '{"members":null,"members":[{"a":1},{"a":2}]}',
  ])
    expect(split(bytes(text))).toMatchObject({ elements: [{ a: 1 }, { a: 2 }] });
});

test("refuses missing elements, a second list and an incomplete list", () => {
  for (const text of [
    '{"members":[,{"a":1}]}',
    '{"members":[{"a":1},]}',
    '{"members":[{"a":1},,{"a":1}]}',
    '{"members":[{"a":1}],"members":[]}',
    '{"members":[{"a":1}],"m\\u0065mbers":[]}',
    '{"members":[{"a":1},{"a":1}',
    '{"members":[{"a":1}]',
    '{"members":[{"a":1}]}}',
    '\uFEFF{"members":[{"a":1}]}',
    '["members":[{"a":1}]]',
    "",
  ])
    expect([text, split(bytes(text))]).toEqual([text, "refused"]);
});

test("returns a list with an escaped name at the end", () => {
  expect(split(bytes('{"m\\u0065mbers":[1]}'))).toEqual({ elements: [], around: { members: [1] } });
});

test("decodes invalid UTF-8 like the whole text", () => {
  const text = Buffer.concat([
    bytes('{"members":[{"a":"'),
    Buffer.from([0xc3, 0x28, 0xf0, 0x9f]),
    bytes('"},{"a":1}]}'),
  ]);
  expect(split(text, [19, 20, 21, 22])).toEqual(parsed(text));
});

test("has the members before the list as soon as it begins", () => {
  const splitter = new Splitter("members");
  expect([...splitter.push(bytes('{"result":"success","msg":"","members"'))]).toEqual([]);
  expect(splitter.head).toBe(undefined);
  expect([...splitter.push(bytes(":["))]).toEqual([]);
  expect(splitter.head).toMatchObject({ result: "success", msg: "" });
});

test("takes linear time for an element of megabytes", () => {
  const text = bytes(JSON.stringify({ members: [{ a: "x},{".repeat(500_000) }, { b: 1 }] }));
  const pieces = Array.from({ length: Math.ceil(text.length / 1000) }, (_, n) => n * 1000);
  expect(split(text, pieces)).toEqual(parsed(text));
});

/** Unparsed records equal those of JSON.parse, and all others are parsed. */

import { describe, expect, test } from "vitest";
import { getUsers } from "../../src/api/users.ts";
import { hasHazards, jsonText } from "../../src/output/sanitize.ts";
import { fits } from "../../src/wire/fits.ts";
import { itemOf } from "../../src/wire/shape.ts";
import { anything, boolean, either, integer, list, nullable, object, optional, string } from "../../src/wire/types.ts";
import fc, { anyCharacter } from "../property.ts";
import { cutAt, piecesOf, scanner, textsIn } from "./unparsed-records.ts";

type Row = Record<string, unknown>;

const user = itemOf(getUsers.result, "members");
const ada = { user_id: 7, email: "ada@chat.example", full_name: "Ada", is_bot: false, role: 400 };
const toBytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const answerWith = (records: string) => Buffer.from(`{"result":"success","members":[${records}],"msg":""}`);

/** Returns the number of unparsed records after one like the first. */
function unparsedCount(first: unknown, following: Buffer, type = user): number {
  const one = scanner(type);
  one.learn(first);
  return one.scan(following).unparsed?.forms.length ?? 0;
}

/** A record and the beginning of the next. */
const withNext = (record: string | Buffer) => Buffer.concat([Buffer.from(record), Buffer.from(',{"more":"to come"}')]);

describe("records of a known form are not parsed", () => {
  test.each<[string, Row]>([
    ["plain ones", { full_name: "O'Hara, Ada <ada>", role: 100 }],
    ["other scripts", { full_name: "Zoë Ωμέγα Ирина 漢字 한국 नमस्ते עברית" }],
    ["characters beyond the basic plane", { full_name: "😀 𝔘" }],
    ["escapes", { full_name: 'a "b"\\\nc\t' }],
    ["numbers of all kinds", { user_id: -5, a: 0, b: 1.5, c: 1e-7, d: 999_999_999_999_999, e: 9_007_199_254_740_991 }],
    ["null", { delivery_email: null, bot_owner_id: null, role: 400 }],
    ["lists and objects", { profile_data: { 1: { value: "x" }, 12: { value: "[},{]" } }, a: [], b: {}, c: [[1]] }],
    ["short names", { "": 1, a: 2, "b c": 3 }],
  ])("%s", (_, others) => {
    const record = { ...ada, ...others };
    expect(unparsedCount(record, withNext(JSON.stringify(record)))).toBe(1);
  });

  test("with several forms", () => {
    const bot = { ...ada, is_bot: true, bot_type: 1 };
    const pieces = [
      ...piecesOf(user, [answerWith([ada, bot, ada, bot, bot, ada].map((each) => JSON.stringify(each)).join())]),
    ];
    expect(pieces.map((piece) => ("forms" in piece ? piece.forms.length : "read"))).toEqual([
      "read",
      "read",
      3,
      "read",
    ]);
  });

  test("with each type of a union", () => {
    const type = object({
      who: either(integer, object({ members: list(integer) })),
      where: optional(nullable(string)),
    });
    const sent =
      '{"who":5,"where":null},{"who":{"members":[1,2]},"where":"x"},{"who":{"members":["x"]},"where":"x"},{}';
    expect(unparsedCount({ who: 1, where: "y" }, Buffer.from(sent), type)).toBe(2);
  });
});

describe("a record is parsed", () => {
  const like = JSON.stringify(ada);
  const named = (name: string | Buffer) =>
    Buffer.concat([Buffer.from(like.split("Ada")[0]!), Buffer.from(name), Buffer.from(like.split("Ada")[1]!)]);

  test.each<[string, string | Buffer]>([
    ["with white space", like.replace(":7", ": 7")],
    ["with white space before it", ` ${like}`],
    ["with white space behind it", `${like} `],
    ["in another order", JSON.stringify({ email: "a", user_id: 7, full_name: "Ada", is_bot: false, role: 400 })],
    ["without a member", JSON.stringify({ user_id: 7, email: "a", full_name: "Ada" })],
    ["with another member", like.replace("}", ',"x":1}')],
    ["with a repeated member", like.replace("}", ',"is_bot":true}')],
    ["with another type", like.replace("7", '"7"')],
    ["with an invalid null", like.replace("false", "null")],
    ["with a number beyond 2^53", like.replace("7", "9007199254740993")],
    ["with a fraction for an id", like.replace("7", "7.5")],
    ["with a number in another form", like.replace("7", "7.0")],
    ["with leading zeros", like.replace("7", "07")],
    ["with a negative zero", like.replace("7", "-0")],
    ["with an invalid word", like.replace("false", "falsy")],
    ["with an unclosed list", like.replace("false", "[false")],
    ["with an unnecessary escape", named("\\u0041da")],
    ["with an invalid escape", named("\\x")],
    ["with an escaped slash", named("a\\/b")],
    ["with a NUL", named("a\0")],
    ["with a raw line end", named("a\n")],
    ["with DEL", named("a\x7f")],
    ["with a control beyond ASCII", named("a\u0085")],
    ["with a bidirectional control", named("a\u202eb")],
    ["with a byte order mark", named("\ufeffa")],
    ["with an invisible character", named("a\u{e0041}")],
    ["with invalid UTF-8", named(Buffer.from([0x61, 0xff]))],
    ["with half a character", named(Buffer.from([0xe6, 0xbc]))],
    ["with an overlong encoding", named(Buffer.from([0xc1, 0x81]))],
    ["with an overlong encoding of three bytes", named(Buffer.from([0xe0, 0x81, 0x81]))],
    ["with an overlong encoding of four bytes", named(Buffer.from([0xf0, 0x80, 0x81, 0x81]))],
    ["with an encoded surrogate", named(Buffer.from([0xed, 0xa0, 0xbd]))],
    ["with a code point above U+10FFFF", named(Buffer.from([0xf4, 0x90, 0x80, 0x80]))],
    ["at the end of the list", `${like}]`],
    ["that is incomplete", like.slice(0, -1)],
  ])("%s", (_, record) => {
    expect(unparsedCount(ada, withNext(record))).toBe(0);
  });

  test.each<[string, Row, string]>([
    ["has a repeated member", { x: {} }, '{"a":1,"a":1}'],
    ["has numeric names in another order", { x: {} }, '{"2":1,"1":1}'],
    ["has white space", { x: {} }, '{"a": 1}'],
    ["has a number beyond 2^53", { x: [] }, "[12345678901234567890]"],
    ["has a hazard", { x: [] }, '["\u200b"]'],
    ["has U+FFFD", { x: [] }, '["\ufffd"]'],
    ["is nested very deeply", { x: [] }, "[".repeat(300) + "]".repeat(300)],
    ["has the wrong closing bracket", { x: [] }, "[}"],
    ["is incomplete", { x: [] }, "tru"],
    ["is missing", { x: [] }, ""],
  ])("with a value that %s", (_, first, value) => {
    expect(unparsedCount({ ...ada, ...first }, withNext(like.replace("}", `,"x":${value}}`)))).toBe(0);
  });

  test("after a record of another type", () => {
    for (const first of [{ ...ada, user_id: "7" }, null, 7, [], "x", {}])
      expect(unparsedCount(first, withNext(JSON.stringify(first)))).toBe(0);
  });

  test("with a name that needs escapes", () => {
    for (const name of ['a"b', "é", "a\\", "\n"])
      expect(unparsedCount({ ...ada, [name]: 1 }, withNext(JSON.stringify({ ...ada, [name]: 1 })))).toBe(0);
  });
});

test("scans all characters but hazards, and U+FFFD, which invalid bytes become", () => {
  const one = scanner(object({ x: string }));
  one.learn({ x: "" });
  const ranges = [
    [0x80, 0xd7ff],
    [0xe000, 0xffff],
    [0x1d100, 0x1d200],
    [0x1f000, 0x1fbff],
    [0xdff80, 0xe1000],
  ] as const;
  const wrong: string[] = [];
  for (const [from, to] of ranges)
    for (let code = from; code <= to; code++) {
      const letter = String.fromCodePoint(code);
      const { unparsed } = one.scan(Buffer.from(`{"x":"${letter}"},{"x":""}`));
      if ((unparsed !== undefined) === (hasHazards(letter) || letter === "\ufffd")) wrong.push(code.toString(16));
    }
  expect(wrong).toEqual([]);
});

/** Records of few forms, with many values that almost need no parsing. */
const word = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
  fc.constantFrom("},{", "}", '"', "\\", "é", "漢字", "😀", "\u200b", "=1", "a,b", "", "\u0000"),
);
const number = fc.oneof(fc.nat(1000), fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }));
const scalar = fc.oneof(word, number, fc.boolean(), fc.constant(null));
const nested = fc.oneof(fc.array(scalar, { maxLength: 3 }), fc.dictionary(word, scalar, { maxKeys: 3 }));
const fields = {
  user_id: fc.oneof({ weight: 9, arbitrary: fc.nat() }, { weight: 1, arbitrary: scalar }),
  full_name: word,
  is_bot: fc.boolean(),
  bot_type: fc.oneof(fc.nat(3), fc.constant(null)),
  more: fc.oneof(scalar, nested),
};
const type = object({
  user_id: integer,
  full_name: string,
  is_bot: optional(boolean),
  bot_type: optional(nullable(integer)),
  more: optional(anything),
});
const records = fc.array(fc.record(fields, { requiredKeys: ["user_id", "full_name"] }), { maxLength: 30 });
const cuts = fc.array(fc.nat(100_000), { maxLength: 8 });

function check(whole: Buffer, places: readonly number[]): { unparsed: number; refused: boolean } {
  let parsed: unknown[] | undefined;
  try {
    parsed = (JSON.parse(whole.toString()) as { members: unknown[] }).members;
  } catch {}
  const found: unknown[] = [];
  let unparsed = 0;
  try {
    for (const piece of piecesOf(type, cutAt(whole, places))) {
      if (!("forms" in piece)) {
        found.push(...piece);
        continue;
      }
      unparsed += piece.forms.length;
      for (const { record, values } of textsIn(piece)) {
        const read = JSON.parse(record) as Row;
        expect(jsonText(read)).toBe(record);
        expect(fits(type)(read)).toBe(true);
        expect(Object.entries(values).map(([name, value]) => [name, JSON.parse(value)])).toEqual(Object.entries(read));
        found.push(read);
      }
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { unparsed, refused: true };
  }
  expect(found).toEqual(parsed);
  return { unparsed, refused: false };
}

test("gives the records of JSON.parse for any records and chunks", () => {
  let all = 0;
  fc.assert(
    fc.property(records, cuts, fc.constantFrom<string | number>("", "", "", 1), (members, places, indent) => {
      const { unparsed, refused } = check(Buffer.from(JSON.stringify({ members }, undefined, indent)), places);
      expect(refused).toBe(false);
      all += unparsed;
    }),
    { numRuns: 1000 },
  );
  expect(all).toBeGreaterThan(1000);
});

test("refuses what JSON.parse refuses, and scans no damaged record", () => {
  const damage = fc.record({
    at: fc.nat(100_000),
    remove: fc.nat(3),
    insert: fc.oneof(
      fc.constantFrom("", ",", "]", "[", "{", "}", '"', "\\", ":", " ", "},{", "\u0000", "0", "-", ".", "e", "null"),
      fc.uint8Array({ maxLength: 3 }),
    ),
  });
  fc.assert(
    fc.property(records, damage, cuts, (members, { at, remove, insert }, places) => {
      const text = toBytes({ members });
      const place = Math.max(12, at % text.length);
      const damaged = Buffer.concat([
        text.subarray(0, place),
        Buffer.from(insert as string),
        text.subarray(place + remove),
      ]);
      const twice = damaged.toString().split('"members"').length > 2;
      let valid = true;
      try {
        valid = "members" in (JSON.parse(damaged.toString()) as object) && !twice;
      } catch {
        valid = false;
      }
      expect(check(damaged, places).refused && valid).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test("stops scanning after many records of unknown forms", () => {
  const odd = Array.from({ length: 500 }, (_, at) => ({ ...ada, [`x${at}`]: at }));
  const pieces = [...piecesOf(user, [toBytes({ members: odd })])];
  expect(pieces.length).toBeLessThan(30);
  expect(pieces.flatMap((piece) => ("forms" in piece ? [] : piece))).toEqual(odd);
});

test("takes linear time for a record of megabytes", () => {
  const text = toBytes({ members: [ada, { ...ada, full_name: "x".repeat(3_000_000) }, ada, ada, ada] });
  const cuts = Array.from({ length: Math.ceil(text.length / 500) }, (_, at) => at * 500);
  let count = 0;
  for (const piece of piecesOf(user, cutAt(text, cuts))) count += "forms" in piece ? piece.forms.length : 1;
  expect(count).toBe(5);
});

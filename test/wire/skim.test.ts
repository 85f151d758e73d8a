/** Records that are found without being read: the same that JSON.parse gives, or they are not found that way. */

import { describe, expect, test } from "vitest";
import { getUsers } from "../../src/api/users.ts";
import { hazardous, jsonText } from "../../src/output/sanitize.ts";
import { fits } from "../../src/wire/fits.ts";
import { itemOf } from "../../src/wire/shape.ts";
import { anything, boolean, either, integer, list, nullable, object, optional, string } from "../../src/wire/types.ts";
import fc from "../property.ts";
import { cutAt, piecesOf, skimmer, textsIn } from "./skimmed.ts";

type Row = Record<string, unknown>;

const user = itemOf(getUsers.result, "members");
const ada = { user_id: 7, email: "ada@chat.example", full_name: "Ada", is_bot: false, role: 400 };
const written = (value: unknown) => Buffer.from(JSON.stringify(value));
const around = (records: string) => Buffer.from(`{"result":"success","members":[${records}],"msg":""}`);

/** How many of the records that follow one like the first are skimmed. */
function skims(first: unknown, following: Buffer, type = user): number {
  const one = skimmer(type);
  one.learn(first);
  return one.skim(following).skimmed?.forms.length ?? 0;
}

/** The record, and what lets it be seen as whole: more of the list. */
const more = (record: string | Buffer) => Buffer.concat([Buffer.from(record), Buffer.from(',{"more":"to come"}')]);

describe("records that are like one that was read are skimmed", () => {
  test.each<[string, Row]>([
    ["plain ones", { full_name: "O'Hara, Ada <ada>", role: 100 }],
    ["letters of other scripts", { full_name: "Zoë Ωμέγα Ирина 漢字 한국 नमस्ते עברית" }],
    ["letters that are more than two units", { full_name: "😀 𝔘" }],
    ["quotes, backslashes and line ends, escaped", { full_name: 'a "b"\\\nc\t' }],
    ["numbers of all kinds", { user_id: -5, a: 0, b: 1.5, c: 1e-7, d: 999_999_999_999_999, e: 9_007_199_254_740_991 }],
    ["nothing where it may be", { delivery_email: null, bot_owner_id: null, role: 400 }],
    ["lists and objects", { profile_data: { 1: { value: "x" }, 12: { value: "[},{]" } }, a: [], b: {}, c: [[1]] }],
    ["names of one letter", { "": 1, a: 2, "b c": 3 }],
  ])("%s", (_, others) => {
    const record = { ...ada, ...others };
    expect(skims(record, more(JSON.stringify(record)))).toBe(1);
  });

  test("by several forms at a time", () => {
    const bot = { ...ada, is_bot: true, bot_type: 1 };
    const pieces = [
      ...piecesOf(user, [around([ada, bot, ada, bot, bot, ada].map((each) => JSON.stringify(each)).join())]),
    ];
    expect(pieces.map((piece) => ("forms" in piece ? piece.forms.length : "read"))).toEqual([
      "read",
      "read",
      3,
      "read",
    ]);
  });

  test("where a type has several ways, each of them", () => {
    const type = object({
      who: either(integer, object({ members: list(integer) })),
      where: optional(nullable(string)),
    });
    const sent =
      '{"who":5,"where":null},{"who":{"members":[1,2]},"where":"x"},{"who":{"members":["x"]},"where":"x"},{}';
    expect(skims({ who: 1, where: "y" }, Buffer.from(sent), type)).toBe(2);
  });
});

describe("a record is not skimmed", () => {
  const like = JSON.stringify(ada);
  const named = (name: string | Buffer) =>
    Buffer.concat([Buffer.from(like.split("Ada")[0]!), Buffer.from(name), Buffer.from(like.split("Ada")[1]!)]);

  test.each<[string, string | Buffer]>([
    ["with white space in it", like.replace(":7", ": 7")],
    ["with white space before it", ` ${like}`],
    ["with white space behind it", `${like} `],
    ["of another order", JSON.stringify({ email: "a", user_id: 7, full_name: "Ada", is_bot: false, role: 400 })],
    ["that lacks a member", JSON.stringify({ user_id: 7, email: "a", full_name: "Ada" })],
    ["with one more", like.replace("}", ',"x":1}')],
    ["with one twice", like.replace("}", ',"is_bot":true}')],
    ["of another type", like.replace("7", '"7"')],
    ["that is null where it must not be", like.replace("false", "null")],
    ["with a number beyond 2^53", like.replace("7", "9007199254740993")],
    ["with a fraction for an id", like.replace("7", "7.5")],
    ["with a number in another form", like.replace("7", "7.0")],
    ["with zeros in front", like.replace("7", "07")],
    ["with a negative zero", like.replace("7", "-0")],
    ["with a word that is none", like.replace("false", "falsy")],
    ["with a list that is not closed", like.replace("false", "[false")],
    ["with an escape that need not be one", named("\\u0041da")],
    ["with an escape that is none", named("\\x")],
    ["with a slash that is escaped", named("a\\/b")],
    ["with a NUL", named("a\0")],
    ["with a line end", named("a\n")],
    ["with DEL", named("a\x7f")],
    ["with a control beyond ASCII", named("a\u0085")],
    ["with a turned reading direction", named("a\u202eb")],
    ["with a byte order mark", named("\ufeffa")],
    ["with a hidden letter", named("a\u{e0041}")],
    ["with bytes that are no UTF-8", named(Buffer.from([0x61, 0xff]))],
    ["with half a letter", named(Buffer.from([0xe6, 0xbc]))],
    ["with a letter in more bytes than it takes", named(Buffer.from([0xc1, 0x81]))],
    ["with another such", named(Buffer.from([0xe0, 0x81, 0x81]))],
    ["with a third", named(Buffer.from([0xf0, 0x80, 0x81, 0x81]))],
    ["with half a pair as a letter", named(Buffer.from([0xed, 0xa0, 0xbd]))],
    ["with a letter beyond all", named(Buffer.from([0xf4, 0x90, 0x80, 0x80]))],
    ["with no record behind it", `${like}]`],
    ["that is cut off", like.slice(0, -1)],
  ])("%s", (_, record) => {
    expect(skims(ada, more(record))).toBe(0);
  });

  test.each<[string, Row, string]>([
    ["has a member twice", { x: {} }, '{"a":1,"a":1}'],
    ["has numbers for names that are not in their order", { x: {} }, '{"2":1,"1":1}'],
    ["has white space", { x: {} }, '{"a": 1}'],
    ["has a number that JavaScript cannot hold", { x: [] }, "[12345678901234567890]"],
    ["has a hazard", { x: [] }, '["\u200b"]'],
    ["has bytes that have become another letter", { x: [] }, '["\ufffd"]'],
    ["is nested very deeply", { x: [] }, "[".repeat(300) + "]".repeat(300)],
    ["is closed by another bracket", { x: [] }, "[}"],
    ["is none", { x: [] }, "tru"],
    ["is none at all", { x: [] }, ""],
  ])("with a value that %s", (_, first, value) => {
    expect(skims({ ...ada, ...first }, more(like.replace("}", `,"x":${value}}`)))).toBe(0);
  });

  test("after one that was of another type, or none", () => {
    for (const first of [{ ...ada, user_id: "7" }, null, 7, [], "x", {}])
      expect(skims(first, more(JSON.stringify(first)))).toBe(0);
  });

  test("by a name that is not written as it is", () => {
    for (const name of ['a"b', "é", "a\\", "\n"])
      expect(skims({ ...ada, [name]: 1 }, more(JSON.stringify({ ...ada, [name]: 1 })))).toBe(0);
  });
});

test("skims all characters but hazards, and U+FFFD, which invalid bytes become", () => {
  const one = skimmer(object({ x: string }));
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
      const { skimmed } = one.skim(Buffer.from(`{"x":"${letter}"},{"x":""}`));
      if ((skimmed !== undefined) === (hazardous(letter) || letter === "\ufffd")) wrong.push(code.toString(16));
    }
  expect(wrong).toEqual([]);
});

/** Records of few forms, with much that is near to what is skimmed. */
const word = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 6 }),
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

function check(whole: Buffer, places: readonly number[]): { skimmed: number; refused: boolean } {
  let parsed: unknown[] | undefined;
  try {
    parsed = (JSON.parse(whole.toString()) as { members: unknown[] }).members;
  } catch {}
  const found: unknown[] = [];
  let skimmed = 0;
  try {
    for (const piece of piecesOf(type, cutAt(whole, places))) {
      if (!("forms" in piece)) {
        found.push(...piece);
        continue;
      }
      skimmed += piece.forms.length;
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
    return { skimmed, refused: true };
  }
  expect(found).toEqual(parsed);
  return { skimmed, refused: false };
}

test("whatever the records hold and wherever they are cut, they are those of JSON.parse", () => {
  let all = 0;
  fc.assert(
    fc.property(records, cuts, fc.constantFrom<string | number>("", "", "", 1), (members, places, indent) => {
      const { skimmed, refused } = check(Buffer.from(JSON.stringify({ members }, undefined, indent)), places);
      expect(refused).toBe(false);
      all += skimmed;
    }),
    { numRuns: 1000 },
  );
  expect(all).toBeGreaterThan(1000);
});

test("what JSON.parse refuses is refused, and nothing that is damaged is skimmed", () => {
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
      const text = written({ members });
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

test("a list of which hardly a record can be skimmed is read as if none could", () => {
  const odd = Array.from({ length: 500 }, (_, at) => ({ ...ada, [`x${at}`]: at }));
  const pieces = [...piecesOf(user, [written({ members: odd })])];
  expect(pieces.length).toBeLessThan(30);
  expect(pieces.flatMap((piece) => ("forms" in piece ? [] : piece))).toEqual(odd);
});

test("a record of megabytes takes no longer than its length says", () => {
  const text = written({ members: [ada, { ...ada, full_name: "x".repeat(3_000_000) }, ada, ada, ada] });
  const cuts = Array.from({ length: Math.ceil(text.length / 500) }, (_, at) => at * 500);
  let count = 0;
  for (const piece of piecesOf(user, cutAt(text, cuts))) count += "forms" in piece ? piece.forms.length : 1;
  expect(count).toBe(5);
});

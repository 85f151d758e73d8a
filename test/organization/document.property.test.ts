/** Whatever an organization is said to be, in whatever style and in however many files: it reads as the same value. */
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { Pair, parse, Scalar, stringify, YAMLMap, YAMLSeq } from "yaml";
import type { Path } from "../../src/organization/content.ts";
import fc from "../property.ts";
import { documentOf, problemsIn } from "./reading.ts";

/** Texts that mean something in YAML, or might. */
const pieces = [
  "a",
  "é😀",
  ": ",
  " #",
  "- ",
  "'",
  '"',
  "\\",
  "{",
  "]",
  "\n",
  "\n\n",
  "  ",
  "\t",
  ",",
  "&",
  "*",
  "!",
  "|",
  ">",
];
const words = ["", "null", "~", "yes", "no", "true", "0x1f", "1e3", "12:30", "=", "<<", ".inf", "-", "?"];
const tail = fc.oneof(
  fc.constantFrom(...words),
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((all) => all.join("")),
);

/** Each text is another one, by its beginning. */
let count = 0;
const text = tail.map((rest) => `x${++count}x${rest}`);
const person = fc.nat(20).map((n) => `p${n}@a.example`);
const people = fc.uniqueArray(person, { maxLength: 5 });
const optional = { requiredKeys: [] };

const group = fc.record(
  {
    description: text,
    members: fc.oneof(people, fc.record({ add: people }, optional)),
    can_mention_group: fc.record({ users: people }),
  },
  optional,
);
const channel = fc.record(
  {
    description: text,
    is_private: fc.boolean(),
    folder: fc.constant(null),
    message_retention_days: fc.integer({ min: 1, max: 999 }),
  },
  optional,
);
const named = (one: fc.Arbitrary<object>) =>
  fc.array(
    fc.tuple(text, one).map(([name, rest]) => ({ name, ...rest })),
    { maxLength: 5 },
  );
const document = fc.record(
  {
    organization: text,
    settings: fc.record(
      { name: text, description: text, waiting_period_threshold: fc.nat(), invite_required: fc.boolean() },
      optional,
    ),
    groups: named(group),
    channels: named(channel),
    people: fc
      .uniqueArray(person, { maxLength: 5 })
      .chain((all) =>
        fc.tuple(
          ...all.map((email) =>
            fc
              .record({ profile: fc.dictionary(text, text, { maxKeys: 3 }) }, optional)
              .map((rest) => ({ email, ...rest })),
          ),
        ),
      ),
  },
  optional,
);
type Value = Readonly<Record<string, unknown>>;

const scalars = ["PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL", "BLOCK_FOLDED"] as const;

/** The value as nodes of random styles. */
function styled(value: unknown, choose: (n: number) => number): Scalar | YAMLMap | YAMLSeq {
  const flow = choose(4) === 0;
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items = value.map((item) => styled(item, choose));
    // The library writes empty ones otherwise where no YAML has them.
    list.flow = flow || !value.length;
    return list;
  }
  if (typeof value === "object" && value !== null) {
    const map = new YAMLMap();
    map.items = Object.entries(value).map(([key, member]) => new Pair(new Scalar(key), styled(member, choose)));
    map.flow = flow;
    return map;
  }
  const scalar = new Scalar(value);
  if (typeof value === "string") scalar.type = scalars[choose(scalars.length)]!;
  if (choose(6) === 0 && scalar.type === "PLAIN") scalar.comment = " - a: 'b";
  return scalar;
}

function written(value: Value, choose: (n: number) => number): string {
  if (choose(4) === 0) return JSON.stringify(value, null, ["", " ", "\t"][choose(3)]);
  const indent = 1 + choose(4);
  const text = stringify(styled(value, choose), {
    lineWidth: [0, 80][choose(2)]!,
    indent,
    indentSeq: choose(2) === 0,
  });
  return choose(4) === 0 ? text.replaceAll("\n", "\r\n") : text;
}

/** The value in several parts: each entry, and each key of settings, in one of them, in their order. */
function parted(value: Value, parts: number, choose: (n: number) => number): Value[] {
  const files: Record<string, unknown>[] = Array.from({ length: parts }, () => ({}));
  for (const [name, section] of Object.entries(value)) {
    let last = 0;
    // Lists keep their order where no entry goes to an earlier file than the one before.
    const next = () => {
      last = Math.min(parts - 1, last + choose(2));
      return files[last]!;
    };
    if (typeof section === "string") next()[name] = section;
    else if (Array.isArray(section)) {
      files[0]![name] = [];
      for (const item of section) {
        const file = next();
        file[name] = [...((file[name] as unknown[] | undefined) ?? []), item];
      }
    } else {
      files[0]![name] = {};
      for (const [key, member] of Object.entries(section as object)) {
        const file = files[choose(parts)]!;
        file[name] = { ...(file[name] as object | undefined), [key]: member };
      }
    }
  }
  return files;
}

function* leaves(value: unknown, path: Path = []): Generator<[Path, string]> {
  if (typeof value === "string") yield [path, value];
  else if (typeof value === "object" && value !== null)
    for (const [key, member] of Object.entries(value))
      yield* leaves(member, [...path, Array.isArray(value) ? Number(key) : key]);
}

test("a document reads as what it says, and places lead to the texts that are meant", () =>
  fc.assert(
    fc.asyncProperty(
      document,
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat()),
      async (value, parts, random) => {
        const choose = (n: number) => random.next().value! % n;
        const all = parted(value, parts, choose);
        const texts = all.map((part) => written(part, choose));
        // Where not even the writer reads the same, it was wrong: it breaks folded texts where lines are short.
        fc.pre(all.every((part, n) => isDeepStrictEqual(parse(texts[n]!), part)));
        const files = Object.fromEntries(texts.map((text, n) => [`${n}.yaml`, text]));
        const read = await documentOf(files);
        expect(problemsIn(read), JSON.stringify(files, null, 1)).toEqual([]);
        expect(read.value).toEqual(value);
        for (const [path, text] of leaves(value)) {
          const { file, line, column } = read.at(path);
          const there = files[file]!.split(/\r?\n/)[line - 1]!.slice(column - 1);
          const mark = /^(?:x\d+x|p\d+@)/.exec(text)![0];
          // A block begins with its header.
          expect(
            /^[|>]/.test(there) || there.replace(/^["']/, "").startsWith(mark),
            `${path.join(".")}: ${there} in ${files[file]}`,
          ).toBe(true);
        }
      },
    ),
    { numRuns: 150 },
  ));

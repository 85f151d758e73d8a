/** The parser of simple YAML gives what the library gives, with the same places, or leaves the text to the library. */
import { describe, expect, test } from "vitest";
import { parseLines } from "../../src/organization/document/line-parser.ts";
import { parseWithLibrary } from "../../src/organization/document/parse.ts";
import { locationOf, Problems, partIn, SourceText } from "../../src/organization/document/places.ts";
import { exportContent, organizationYaml } from "../../src/organization/export.ts";
import { yamlText } from "../../src/output/yaml.ts";
import fc from "../property.ts";
import { Chance } from "../simulation/chance.ts";
import { randomOrganization } from "./random.ts";
import { snapshotIn } from "./snapshots.ts";

/** Returns each part with the places of its value and its key. */
function partsIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([step, inner]) => {
    const part = partIn(value, Array.isArray(value) ? Number(step) : step)!;
    return [step, locationOf(part), locationOf(part, "key"), partsIn(inner)];
  });
}

function read(text: string) {
  const source = new SourceText("a.yaml", text);
  const value = parseLines(source);
  if (value === undefined) return undefined;
  const problems = new Problems();
  const expected = parseWithLibrary(source, problems);
  expect({ text, problems: problems.sorted([]) }).toEqual({ text, problems: [] });
  expect(value).toEqual(expected);
  expect(partsIn(value)).toEqual(partsIn(expected));
  return value;
}

const simple = `# A comment
organization: https://chat.example.com   # and another

settings:
  name: "Ada's: \\"x\\" # y\\n"
  waiting_period_threshold: 3
  message_retention_days: null
  invite_required: true
people:
- email: 1ada@example.com
  full_name: Ada Lovelace, 2nd
  profile:
    Phone number: +49 30 1234
    "Größe: \\t\\"cm\\"": '1''80'

  # A comment
-   email: bo@example.com
    full_name: 🎉 Bo
channels:
  - name: a#b
    description: |
      one line
`;

describe("reads without the library", () => {
  test("values of one line, comments, and lists at any indentation", () => {
    expect(read(simple)).toEqual({
      organization: "https://chat.example.com",
      settings: {
        name: `Ada's: "x" # y\n`,
        waiting_period_threshold: 3,
        message_retention_days: null,
        invite_required: true,
      },
      people: [
        {
          email: "1ada@example.com",
          full_name: "Ada Lovelace, 2nd",
          profile: { "Phone number": "+49 30 1234", 'Größe: \t"cm"': "1'80" },
        },
        { email: "bo@example.com", full_name: "🎉 Bo" },
      ],
      channels: [{ name: "a#b", description: "one line\n" }],
    });
  });

  test.each([
    ["|", "a\n  # b\n\nc\n"],
    ["|-", "a\n  # b\n\nc"],
  ])("texts after %s", (header, text) => {
    expect(read(`k: ${header}\n  a\n    # b\n\n  c\n\n# comment\nl: {}\nm: []\n`)).toEqual({ k: text, l: {}, m: [] });
  });

  test("exports of random organizations", async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const snapshot = await snapshotIn(randomOrganization(new Chance(seed), { level: 507, people: 10 }));
      const { value } = exportContent(snapshot, { subscribers: true });
      expect(read(organizationYaml(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }
  });
});

test.each([
  "a: b: c\n",
  "a: b\n  c\n",
  "a: 'b\n  c'\n",
  "a:\n",
  "a: #b\n",
  "a: # b\n  c: 1\n",
  "a: *b\n",
  "a: &b c\n",
  "a: !!str 7\n",
  "a: 007\n",
  "a: 0x1F\n",
  "a: 1e3\n",
  "a: .inf\n",
  "a: ~\n",
  "a: True\n",
  "true: 1\n",
  "7: 1\n",
  "a: [1]\n",
  "a: {b: 1}\n",
  "a: >\n  b\n",
  "a: |+\n  b\n\n",
  "a: |\n  b\n ",
  "a: |\n  b",
  "a: |\n   \n  b\n",
  'a: "\\u0041"\n',
  'a: "b\n',
  "a:\tb\n",
  "a: b\r\n",
  "a: 1\na: 2\n",
  "constructor: 1\n",
  `${"a".repeat(1100)}: 1\n`,
  " a: 1\n",
  "a: 1\n b: 2\n",
  "a:\n- 1\n 2\n",
  "- a\n",
  "a\n",
  "---\na: 1\n",
  "a: 1\n...\n",
  "a: 1\n---\nb: 2\n",
  "%YAML 1.2\n---\na: 1\n",
  "# nothing\n",
  "",
  `a:\n  ${"- ".repeat(60)}b\n`,
])("leaves to the library: %j", (text) => {
  expect(parseLines(new SourceText("a.yaml", text))).toBeUndefined();
});

const fragments = [
  ..."abc",
  ...["- ", "-", "a: ", "a:", "b: ", "c:\n", "?", "[]", "{}", "|\n", "|-\n", ">\n", "#", " #", ": ", " ", "  ", "    "],
  ...[
    "\n",
    "\n",
    "\n  ",
    "\n  - ",
    "\n    ",
    "\n\n",
    '"',
    "'",
    '"a"',
    "'b'",
    '"a": ',
    "\\n",
    "true",
    "null",
    "0",
    "12",
    "1.5",
  ],
  ...["0x1f", "é", "🎉", "\u2028", "\u00a0", "&a ", "*a", "!", "---", "...", "@", "=", "~", "\t", "x@y.z", "<<: "],
];

describe("agrees with the library about", () => {
  test("texts of random parts", () => {
    const text = fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => `a: ${parts.join("")}`);
    fc.assert(
      fc.property(text, (each) => void read(each)),
      { numRuns: 20_000 },
    );
  });

  test("random values as the library writes them, with a random part put in", () => {
    const word = fc.oneof(fc.constantFrom(...fragments, "no", "role:members", "a b"), fc.string({ unit: "grapheme" }));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.double()),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(word, tie("value"), { maxKeys: 4 }),
      ),
    }));
    const edit = fc.tuple(fc.nat(), fc.constantFrom("", ...fragments));
    fc.assert(
      fc.property(value, edit, (each, [place, part]) => {
        const characters = [...yamlText({ a: each })];
        characters.splice(place % (characters.length + 1), 0, part);
        read(characters.join(""));
      }),
      { numRuns: 5000 },
    );
  });
});

test("does not fail with one long line or very many empty ones", () => {
  const long = "x".repeat(2 * 1024 * 1024);
  for (const text of [
    `a: "${long}`,
    `a: "${long}"\n`,
    `a: ${long.replaceAll("x", " ")}b\n`,
    `a: |\n  b${long.replaceAll("x", "\n")}  c\n`,
  ])
    expect(() => parseLines(new SourceText("a.yaml", text))).not.toThrow();
});

/** What is read line by line is what the library reads, or is left to it. */
import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from "js-yaml";
import { expect, test } from "vitest";
import { deepest } from "../../../src/organization/document/budget.ts";
import { eventsOfLines } from "../../../src/organization/document/lines.ts";
import fc from "../../property.ts";
import { fresh, zulipctl } from "../../run.ts";

/** A text that a comment follows, deeper than it stands, is not `fast` to the library, and says the same. */
const meant = (text: string, events: readonly Event[]) =>
  events.map((event) => {
    if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN) return event;
    return { ...event, fast: getScalarValue(text, event) };
  });

const library = (text: string) => {
  try {
    return meant(text, parseEvents(text, { maxDepth: deepest }));
  } catch (error) {
    return String(error);
  }
};

/** Pieces that a line may be made of, those that have another meaning in another place included. */
const marks = ["", "", "", "- ", "- ", "-", "-  ", "- - ", "? ", "--- ", "...", "%"];
const keys = ["", "", "a:", "a:", "b b:", "c-c: ", "d :", "e:f:", '"g":', "'h':", "é:", "a: b:", "1:", "*i :", "&j k:"];
const values = [
  ...["", "", "", "x", "x y", "x #y", "x#y", "#x", "# x", "x:", "x: y", "x:y", ":x", "- x", "-x", "-1", "?x", "12:30"],
  ...[
    '"x"',
    '"x y" # z',
    '"\\n\\u00e9\\ud83d\\ude00"',
    '"\\x41"',
    '"\\q"',
    '"x',
    '"x"y',
    '"x": y',
    "'x'",
    "'x''y'",
    "'",
    "''",
    "''''",
  ],
  ...[
    "[]",
    "{}",
    "[",
    "[x]",
    "[] x",
    "{} # x",
    "|",
    "|-",
    "|+",
    "|2",
    "| # x",
    "|x",
    ">",
    ">-",
    "!x",
    "&x y",
    "*x",
    "%x",
    "@x",
    "`x",
  ],
  ...[
    "null",
    "~",
    "---",
    "...",
    "é",
    "😀",
    "\u00a0x",
    "x\u00a0",
    "\u2028",
    "\u0085",
    "\ufeff",
    "\u200b",
    "\ud83d",
    "\u0007",
    "x\ty",
    "\\",
    "}",
    ",x",
    "<<",
    "=",
    "x  y",
    "x\u3000",
  ],
];
const indents = [0, 0, 0, 2, 2, 2, 4, 4, 6, 1, 3, 8];
const line = fc
  .tuple(
    fc.constantFrom(...indents),
    fc.constantFrom(...marks),
    fc.constantFrom(...keys),
    fc.constantFrom("", " ", " ", " ", "  "),
    fc.constantFrom(...values),
    fc.constantFrom("", "", "", " ", " # x", "\t"),
  )
  .map(([indent, ...parts]) => " ".repeat(indent) + parts.join(""));
const end = fc.constantFrom("\n", "\n", "\n", "\n", "\n", "\n", "\n\n", "\r\n", "");
const wild = fc
  .array(fc.tuple(line, end), { minLength: 1, maxLength: 3 })
  .map((lines) => lines.map((parts) => parts.join("")).join(""));

type Choose = (most: number) => number;
const one = <T>(choose: Choose, of: readonly T[]): T => of[choose(of.length)]!;

const texts = [
  "x",
  "x y",
  "x # y",
  "é😀",
  "null",
  '"x"',
  '"\\n\\u00e9" # z',
  "'x''y'",
  "''",
  "[]",
  "{}  ",
  "12:30",
  "x#y",
];
const between = ["", "", "", "", "", "\n", "  \n", "# x\n", "      # x\n"];

/** A block of lines as an export might have it, or somebody who likes other indents. */
function block(choose: Choose, column: number, depth: number): string {
  const blanks = " ".repeat(column);
  const list = choose(2) === 0;
  return Array.from({ length: 1 + choose(3) }, (_, n) => {
    const begins = list ? "-" : `${one(choose, ["a", "b b", "c-c", "D_1"])}:`;
    if (list && depth && choose(3) === 0) {
      const inside = block(choose, column + 2, depth - 1);
      return `${blanks}- ${inside.replace(/^(?: *(?:#.*)?\n)*/, "").trimStart()}`;
    }
    const after = one(choose, between);
    switch (depth ? choose(5) : 1 + choose(4)) {
      case 0:
        return `${blanks}${begins}\n${after}${block(choose, column + one(choose, list ? [1, 2, 4] : [0, 1, 2, 4]), depth - 1)}`;
      case 1: {
        const deeper = " ".repeat(column + 1 + choose(3));
        const lines = Array.from(
          { length: 1 + choose(2) },
          () => `${deeper}${one(choose, ["x", "- x", "a: b", " y", "# z"])}\n`,
        );
        return `${blanks}${begins} ${one(choose, ["|", "|-", "|+", "| # x"])}\n${lines.join(after)}`;
      }
      case 2:
        return `${blanks}${begins}\n${after}`;
      default:
        return `${blanks}${begins} ${one(choose, texts)}\n${n ? after : ""}`;
    }
  }).join("");
}

/** With one character fewer or more in half of them. */
const tame = fc.infiniteStream(fc.nat()).map((random) => {
  const choose: Choose = (most) => random.next().value! % most;
  const text = block(choose, 0, 3);
  const at = choose(text.length);
  return one(choose, [
    text,
    text,
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + one(choose, [" ", "-", ":", "\n", "#", '"']) + text.slice(at),
  ]);
});

test.each([
  ["any", wild, 40],
  ["well-made", tame, 2000],
] as const)("%s lines are read as the library reads them", (_, lines, least) => {
  let read = 0;
  fc.assert(
    fc.property(lines, (text) => {
      const events = eventsOfLines(text);
      if (!events) return;
      read++;
      expect(meant(text, events), text).toEqual(library(text));
    }),
    { numRuns: 4000 },
  );
  expect(read).toBeGreaterThan(least);
});

test("an export is read line by line, texts of several lines included", async () => {
  const sandbox = fresh();
  for (const [n, group] of [...sandbox.state.groups.values()].entries())
    group.description = ["one\ntwo\n\n  three\n", "last: 'x' # y", '"é😀"', "- a", "null"][n % 5]!;
  const { code, out } = await zulipctl(["org", "export", "--with", "subscribers"], { sandbox });
  expect(code).toBe(0);
  expect(out).toContain("|\n");
  expect(meant(out, eventsOfLines(out) ?? [])).toEqual(library(out));
});

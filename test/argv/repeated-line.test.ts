/** What the parser makes of a row is what it makes of that row alone, whatever row it has read before. */
import { Command, InvalidArgumentError } from "commander";
import { expect, test, vi } from "vitest";
import { dataMark, Given } from "../../src/argv/given.ts";
import { addNoun, noun } from "../../src/cli/noun.ts";
import { Program, type Registry } from "../../src/cli/program.ts";
import type { Verb } from "../../src/cli/verb.ts";
import { Shell } from "../../src/run/shell.ts";
import fc from "../property.ts";
import { testWorld } from "../world.ts";

const small = (typed: string): number => {
  if (!/^\d$/.test(typed)) throw new InvalidArgumentError("It must be a digit.");
  return Number(typed);
};

const metavar = "x";
const words = {
  operands: { thing: { metavar, doc: "", parse: small }, others: { metavar, doc: "", many: true, optional: true } },
  flags: {
    text: { metavar, doc: "", short: "t", file: true },
    add: { metavar, doc: "", many: true },
    from: { metavar, doc: "", many: true, file: true },
    mode: { metavar, doc: "", choices: ["a", "b"] },
    size: { metavar, doc: "", parse: small },
    open: { doc: "", negated: "" },
  },
} as const;

/** Runs lines one after the other, and tells what the last is taken for. */
async function taken(...lines: (readonly string[])[]) {
  const shell = new Shell(testWorld(), async () => 0);
  let seen: unknown[] | undefined;
  const verb = (name: string): Verb => ({
    ...words,
    doc: "",
    examples: [],
    action:
      () =>
      async (...all: unknown[]) => {
        seen = [name, ...all.slice(0, -1)];
      },
  });
  const things = noun("Things", { set: verb("set"), put: verb("put") });
  const nouns: Registry = { thing: (root) => addNoun(root, "thing", things, shell, () => nouns) };
  const program = new Program("1.0", nouns);
  let failure: unknown;
  for (const line of lines) {
    seen = undefined;
    failure = await program.run(line).then(
      () => undefined,
      ({ name, message }: Error) => ({ name, message }),
    );
  }
  return { seen, failure };
}

const data = (value: string): string => dataMark + value;

const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("1", "2", "3") },
  fc.constantFrom("a", "b", "", "-", "@f", "--open", "-t", "--", "x y", "=", "set"),
);
/** Words of a template: what is typed, and perhaps what a column puts behind it. */
type Piece = readonly [text: string, column: boolean];
const column = (text = ""): Piece => [text, true];
const plain = (text: string): Piece => [text, false];
const pieces = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(..."text add from size".split(" ")).map((name) => [plain(`--${name}`), column()]),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("--text=", "-t", "--add=", "--size=", "", "x").map((text) => [column(text)]),
  },
  fc
    .constantFrom(..."set --text -t --mode --open --no-open -- - 1 a --text= --size=1 --add=x --nope".split(" "))
    .map((text) => [plain(text)]),
);

test("a row is read as if it were the only one", async () => {
  let understood = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("set", "put"),
      fc.array(pieces, { maxLength: 4 }).map((all) => [column(), ...all.flat()]),
      fc.array(value, { minLength: 27, maxLength: 27 }),
      async (verb, template, values) => {
        const row = (nth: number) => [
          "thing",
          verb,
          ...template.map(([text, given], at) => (given ? text + data(values[nth * 9 + at]!) : text)),
        ];
        const rows = [row(0), row(1), row(2)];
        const alone = await taken(rows[2]!);
        expect(await taken(...rows)).toEqual(alone);
        if (alone.seen) understood++;
      },
    ),
    { numRuns: 500 },
  );
  expect(understood).toBeGreaterThan(100);
});

test("the parser reads the first of each shape alone", async () => {
  const parsed = vi.spyOn(Command.prototype, "parseAsync");
  try {
    const row = (id: string, ...more: string[]) => ["thing", "set", data(id), ...more];
    const read = async (...rows: string[][]) => {
      parsed.mockClear();
      await taken(...rows);
      return parsed.mock.calls.length;
    };
    expect(await read(row("1"), row("2"), row("3"))).toBe(1);
    expect(await read(row("1"), row("2", "--open"), row("3", "--open"))).toBe(2);
    // A row that is wrong is the parser's to complain of.
    expect(await read(row("1"), row("x"), row("2"), row("3"))).toBe(3);
    expect(await read(["thing", "set", "1"], ["thing", "set", "1"])).toBe(2);
  } finally {
    parsed.mockRestore();
  }
});

test("what a column gives is data in every row, and what a flag is given is no other's", async () => {
  const first = ["thing", "set", data("1"), "--text", data("@a"), "--add", "x", "--add", data("y"), "--open"];
  const second = ["thing", "set", data("2"), "--text", data("-"), "--add", "x", "--add", data("z"), "--open"];
  const { seen } = await taken(first, second);
  const [name, thing, others, options] = seen as [string, number, unknown[], Record<string, unknown>];
  expect([name, thing, others, options.add, options.open]).toEqual(["set", 2, [], ["x", "z"], true]);
  expect(options.text).toBeInstanceOf(Given);
  expect([(options.text as Given).text, (options.text as Given).isStdin]).toEqual(["-", false]);
});

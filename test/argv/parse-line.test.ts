/** Reading a command line before the parser agrees with the parser. */
import type { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { parseLine } from "../../src/argv/parse-line.ts";
import { HelpShown, Program } from "../../src/cli/program.ts";
import { registry } from "../../src/commands/nouns.ts";
import { Shell } from "../../src/run/shell.ts";
import fc from "../property.ts";
import { captured, testWorld } from "../world.ts";

const program = () => new Program("1.0", registry(new Shell(testWorld(), async () => 0)));
const all = program();
await all.whole();

test.each([
  ["users list --json", true],
  ["users list -o json", true],
  ["users list -ojson", true],
  ["users list -qojson", true],
  ["users list -qo json", true],
  ["-nyo json users list", true],
  ["users --output json list", true],
  ["--output=json users list", true],
  ["users lst -o json", true],
  ["users list --nope -o json", true],
  ["nope -o json", true],
  ["-o json", true],
  ["users list -o csv", false],
  ["users list -p ojson", false],
  ["folder create json", false],
  ["channel update x --description --json", false],
  ["channel update x --description -ojson", false],
  ["channel update x -- -ojson", false],
  ["sandbox exec -- zulipctl users list -o json", false],
  ["sandbox exec -o json -- zulipctl users list", true],
  ["batch - --format csv -- channel update {id} --json", false],
  ["users list --jsonx", false],
])("%s asks for errors as JSON: %s", (line, json) => {
  const form = json ? "json" : "table";
  for (const isTerminal of [true, false])
    expect(all.errorStyle(line.split(" "), { isTerminal })).toMatchObject({ form });
});

test("with only a filter, errors are JSON unless stderr is a terminal", () => {
  const form = (line: string, isTerminal: boolean) => all.errorStyle(line.split(" "), { isTerminal }).form;
  expect(form("users list --jq .id", false)).toBe("json");
  expect(form("users list --jq .id", true)).toBe("table");
  expect(form("users list --jq .id -o csv", false)).toBe("json");
  expect(form("users list --jq=.id --json", true)).toBe("json");
});

test("reads --color and --verbose", () => {
  const style = (line: string) => all.errorStyle(line.split(" "), captured());
  expect(style("users lst --color=always -v")).toEqual({ form: "table", color: "always", verbose: true });
  expect(style("users list --match --verbose --match -v")).toMatchObject({ verbose: false });
  expect(style("users list --color sometimes")).toMatchObject({ color: "auto" });
});

describe("of any command line", async () => {
  const root = await program().whole();
  const commands = root.commands.flatMap((noun) => [noun.name(), ...noun.commands.map((verb) => verb.name())]);
  const flags = root.commands
    .flatMap((noun) => [noun, ...noun.commands])
    .flatMap(({ options }) => options.flatMap(({ long, short }) => [long ?? "", short ?? ""]))
    .filter(Boolean);
  const odd = [
    "",
    "-",
    "--",
    "-5",
    "x",
    "json",
    "-ojson",
    "-qojson",
    "-qo",
    "--output=json",
    "--json=x",
    "--nope",
    "-k",
  ];
  const word = fc.oneof(
    fc.constantFrom(...commands),
    fc.constantFrom(...flags),
    fc.constantFrom(...odd),
    fc.constantFrom("-o", "--json", "--description", "--ids"),
  );

  test("finds the flags and values that the parser finds", { timeout: 180_000 }, async () => {
    // A program can run several lines, and takes longer to make than to run.
    const one = program();
    const whole = await one.whole();
    const parsed: unknown[] = [];
    const below = (command: typeof root): (typeof root)[] => [command, ...command.commands.flatMap(below)];
    for (const command of below(whole))
      for (const option of command.options)
        (command as unknown as EventEmitter).prependListener(`option:${option.name()}`, (value: string | undefined) =>
          parsed.push([option.name(), value]),
        );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...commands), fc.array(word, { maxLength: 8 }), async (first, rest) => {
        const words = [first, ...rest];
        parsed.length = 0;
        const failure = await one.run(words).catch((error: Error) => error);
        const { flags: given } = parseLine(whole, words);
        const seen = given.map(({ option, value }) => [option.name(), value]);
        // Help and version come before the parser. After an error the parser stops.
        if (failure instanceof HelpShown) expect(parsed).toEqual([]);
        else expect(seen.slice(0, parsed.length)).toEqual(parsed);
        if (!failure) expect(seen).toEqual(parsed);
      }),
      { numRuns: 300 },
    );
  });
});

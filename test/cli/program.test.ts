import { expect, test } from "vitest";
import { Program } from "../../src/cli/program.ts";
import { nouns, registry } from "../../src/commands/nouns.ts";
import { Shell } from "../../src/run/shell.ts";
import fc from "../property.ts";
import { testWorld } from "../world.ts";

const worldOf = () =>
  testWorld({ env: { ZULIP_SITE: "https://chat.example", ZULIP_EMAIL: "a@b", ZULIP_API_KEY: "k" } });

/** Runs command lines in one world. Returns the output, the error and the requests of each. */
function running() {
  const world = worldOf();
  const program = new Program("1.0", registry(new Shell(world, async () => 0)));
  const run = async (words: string[]) => {
    const [sent, said] = [world.sent.length, world.stdout.text.length];
    const failure = await program.run(words).catch((error: Error & { text?: string; details?: unknown }) => error);
    const { name, message, text, details } = failure ?? {};
    const urls = world.sent.slice(sent).map(({ url }) => url);
    return { name, message, text, details, urls, out: world.stdout.text.slice(said) };
  };
  return { program, run };
}

const whole = running();
expect((await whole.program.whole()).commands.length).toBe(Object.keys(nouns).length);

/** Compares a line in a new program with the same line in a program that has loaded every noun. */
async function compared(words: string[]) {
  expect(await running().run(words)).toEqual(await whole.run(words));
}

const root = await new Program("1.0", registry(new Shell(testWorld(), async () => 0))).whole();
const verbs = root.commands.flatMap(({ commands }) => commands.map((verb) => verb.name()));
const flags = [
  "--help",
  "-h",
  "--version",
  "-V",
  "--profile",
  "--json",
  "-o",
  "ids",
  "--nope",
  "--",
  "-",
  "x",
  "1",
  "",
];
const word = fc.constantFrom(...Object.keys(nouns), ...verbs, ...flags, "chanel", "lst");

test("a program with only the named nouns does what the whole program does", async () => {
  await fc.assert(fc.asyncProperty(fc.array(word, { maxLength: 5 }), compared), { numRuns: 300 });
});

test.each([["--help"], ["--help", "channel"], ["foo", "channel"], ["--profile", "channel"], ["channel", "--help"]])(
  "%s %s shows everything",
  async (...words) => compared(words),
);

test("a second line can name other nouns", async () => {
  const second = new Program("1.0", registry(new Shell(testWorld(), async () => 0)));
  await expect(second.run(["channel", "--help"])).rejects.toMatchObject({ name: "HelpShown" });
  await expect(second.run(["folder", "create", "--help"])).rejects.toMatchObject({
    text: expect.stringContaining("zulipctl folder create <name>"),
  });
});

test("every noun has its name in the registry", () => {
  expect(root.commands.map((noun) => noun.name())).toEqual(Object.keys(nouns));
});

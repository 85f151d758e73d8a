import { expect, test } from "vitest";
import { type HelpShown, Program } from "../../src/cli/program.ts";
import { registry } from "../../src/commands/nouns.ts";
import { main } from "../../src/main.ts";
import { Shell } from "../../src/run/shell.ts";
import { zulipctl } from "../run.ts";
import { everyCommand } from "../tree.ts";
import { testWorld } from "../world.ts";

/** Returns the help for a terminal of this width. */
async function shown(words: string[], columns: number): Promise<string> {
  const program = new Program("1.0", registry(new Shell(testWorld(), main)), () => columns);
  const help = await program.run(words).catch((error: unknown) => error);
  return (help as HelpShown).text;
}

test.each([
  ["--quiet", ""],
  ["help", "--help"],
  ["help help", "--help"],
  ["help channel", "channel --help"],
  ["help channel update", "channel update --help"],
  ["help channel update general --private", "channel update --help"],
  ["-h users list", "users list --help"],
  ["users -h list", "users list --help"],
  ["users list --nope -h", "users list --help"],
  ["users list -o jsn -h", "users list --help"],
  ["--nope x users list -h", "users list --help"],
])("%s is %s", async (line, same) => {
  const run = (words: string) => zulipctl(words.split(" ").filter(Boolean));
  const shown = await run(line);
  expect(shown).toEqual(await run(same));
  expect(shown).toMatchObject({ code: 0, err: "" });
});

test.each([
  [["channel", "update", "x", "--description", "-h"]],
  [["channel", "update", "--", "-h"]],
  [["users", "list", "--nope", "--", "--help"]],
])("%j shows no help", async (words) => {
  expect((await zulipctl(words)).out).not.toContain("Usage:");
});

const commands = [[], ["channel"], ["help"], ...[...everyCommand().keys()].map((name) => name.split(" "))];

test.each([60, 80, 120])("no help line is wider than a terminal of %i columns", async (columns) => {
  // A word that is longer than the line stands whole.
  for (const words of [...commands.map((each) => [...each, "--help"]), []])
    for (const line of (await shown(words, columns)).split("\n"))
      if (line.trim().replace(/ \\$/, "").includes(" "))
        expect([words, line.length <= columns || line]).toEqual([words, true]);
});

test("wrapping changes no words, and wrapped examples stay one command line", async () => {
  const flat = (text: string) => text.replace(/ \\\n/g, " ").replace(/\s+/g, " ");
  for (const words of commands)
    expect(flat(await shown([...words, "--help"], 60))).toBe(flat(await shown([...words, "--help"], 400)));
  expect(await shown(["channel", "update", "-h"], 80)).toContain(`
  zulipctl channel update general --can-send-message-group role:moderators \\
      --expect can-send-message-group=role:everyone
`);
});

test.each<[string, string[]]>([
  ["invite add", ["--expires <duration> when it expires: 7d, 12h, never (default: 10d)", "(default: member; one of"]],
  ["export create", ["(default: public; one of", "(default: 3600)"]],
  ["group create", ["who may manage the group (default: you)", "who may mention it (default: role:everyone)"]],
  ["channel create", ["who may subscribe others (default: role:nobody)", "(default: inherit; one of"]],
  ["", ["--color <when> color (default: auto; one of auto, always, never)"]],
])('help of "%s" says defaults', async (words, says) => {
  const text = (await shown([...words.split(" "), "--help"].filter(Boolean), 400)).replace(/ +/g, " ");
  for (const part of says) expect(text).toContain(part);
});

test("defaults are stated apart from descriptions", () => {
  const words = [...everyCommand().values()].flatMap(({ options, registeredArguments }) => [
    ...options,
    ...registeredArguments,
  ]);
  expect(words.map(({ description }) => description).filter((doc) => /\(default|the default\)/.test(doc))).toEqual([]);
});

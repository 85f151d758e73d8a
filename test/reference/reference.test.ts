/** REFERENCE.md is what every command's help says; `vitest -u` writes it anew. */
import { Command } from "commander";
import { expect, test } from "vitest";
import { planted } from "../../src/commands/nouns.ts";
import { Shell } from "../../src/shell/shell.ts";
import { zulipctl } from "../run.ts";
import { testWorld } from "../world.ts";

const root = new Command("zulipctl");
for (const plant of Object.values(planted(new Shell(testWorld(), async () => 0)))) plant(root);
const hidden = (command: Command) => (command as unknown as { _hidden: boolean })._hidden;
const leaves = (command: Command, words: string[] = []): string[][] =>
  command.commands.length
    ? command.commands.filter((child) => !hidden(child)).flatMap((child) => leaves(child, [...words, child.name()]))
    : [words];

async function section(words: string[]): Promise<string> {
  const { code, out } = await zulipctl([...words, "--help"]);
  expect(code).toBe(0);
  const help = out.replace(/\n\nzulipctl [^\n]*\n$/, "\n").trimEnd();
  return `## ${["zulipctl", ...words].join(" ")}\n\n\`\`\`text\n${help}\n\`\`\`\n`;
}

test("REFERENCE.md holds the help of every command", async () => {
  const sections = await Promise.all([[], ...leaves(root)].map(section));
  const head =
    "# Every command\n\nThis is what `--help` says, and a test keeps it so. The [README](README.md) explains.\n";
  await expect([head, ...sections].join("\n")).toMatchFileSnapshot("../../REFERENCE.md");
});

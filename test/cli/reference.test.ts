/** REFERENCE.md is what every command's help says; `vitest -u` writes it anew. */
import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";
import { everyCommand } from "../tree.ts";

async function section(words: string[]): Promise<string> {
  const { code, out } = await zulipctl([...words, "--help"]);
  expect(code).toBe(0);
  const help = out.replace(/\n\nzulipctl [^\n]*\n$/, "\n").trimEnd();
  return `## ${["zulipctl", ...words].join(" ")}\n\n\`\`\`text\n${help}\n\`\`\`\n`;
}

test("REFERENCE.md holds the help of every command", async () => {
  const sections = await Promise.all([[], ...[...everyCommand().keys()].map((name) => name.split(" "))].map(section));
  const head =
    "# Every command\n\nThis is what `--help` says, and a test keeps it so. The [README](README.md) explains.\n";
  await expect([head, ...sections].join("\n")).toMatchFileSnapshot("../../REFERENCE.md");
});

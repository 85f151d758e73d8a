/** Every file that is written from the program: the reference, the tables of operations and keys, the pages of the manual. */
import { readFileSync } from "node:fs";
import { manual } from "./man.ts";
import { operationsPage } from "./operations.ts";
import { keysPage } from "./sections.ts";
import { helpOf, type Item, type ToldProgram, toldProgram } from "./told.ts";

async function reference({ nouns }: ToldProgram): Promise<string> {
  const section = async (words: string[]) =>
    `## ${["zulipctl", ...words].join(" ")}\n\n\`\`\`text\n${await helpOf(words)}\n\`\`\`\n`;
  const all = [[], ...nouns.flatMap(({ commands }) => commands.map(({ name }) => name.split(" ")))];
  const head =
    "# Every command\n\nThis is what `--help` says, and a test keeps it so. The [README](README.md) explains.\n";
  return [head, ...(await Promise.all(all.map(section)))].join("\n");
}

/** The exit codes, as the README tells them. */
export function exitCodes(): Item[] {
  const [, table] = /^## Exit codes\n\n[^\n]*\n[^\n]*\n([\s\S]*?)\n\n/m.exec(readFileSync("README.md", "utf8"))!;
  return table!.split("\n").map((row) => {
    const [, code = "", meaning = ""] = row.split("|").map((each) => each.trim());
    return { term: code, says: meaning.replaceAll("`", "") };
  });
}

/** package.json with the pages of the manual, which `npm install --global` puts where `man` finds them. */
function withPages(pages: Iterable<string>): string {
  const told = JSON.parse(readFileSync("package.json", "utf8"));
  return `${JSON.stringify({ ...told, man: [...pages].map((name) => `man/${name}`) }, null, 2)}\n`;
}

/** By their paths. */
export async function documents(): Promise<Map<string, string>> {
  const told = await toldProgram();
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const pages = manual(told, version, exitCodes());
  return new Map([
    ["REFERENCE.md", await reference(told)],
    ["docs/operations.md", operationsPage()],
    ["docs/organization-keys.md", keysPage()],
    ["package.json", withPages(pages.keys())],
    ...[...pages].map(([name, text]): [string, string] => [`man/${name}`, text]),
  ]);
}

/** Makes all generated files: the reference, tables of operations and keys, and manual pages. */
import { readFileSync } from "node:fs";
import { sectionNames } from "../../src/organization/section-names.ts";
import { type DescribedProgram, describeProgram, helpOf } from "./described.ts";
import { manual } from "./man.ts";
import { operationsPage } from "./operations.ts";
import { keysPage } from "./sections.ts";

async function reference({ nouns }: DescribedProgram): Promise<string> {
  const section = async (words: string[]) =>
    `## ${["zulipctl", ...words].join(" ")}\n\n\`\`\`text\n${await helpOf(words)}\n\`\`\`\n`;
  const all = [[], ...nouns.flatMap(({ commands }) => commands.map(({ name }) => name.split(" ")))];
  const head =
    "# Every command\n\nThis is what `--help` says, and a test keeps it so. The [README](README.md) explains.\n";
  return [head, ...(await Promise.all(all.map(section)))].join("\n");
}

/** Returns package.json with the manual pages, which `npm install --global` installs. */
function withPages(pages: Iterable<string>): string {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  return `${JSON.stringify({ ...manifest, man: [...pages].map((name) => `man/${name}`) }, null, 2)}\n`;
}

/** Returns the schema of comparisons with the sections of today. */
function withSections(): string {
  const path = "docs/comparison.schema.json";
  const text = readFileSync(path, "utf8");
  return text.replace(/("section": \{\s*"enum": \[)[^\]]*\]/, (_, start: string) => {
    return `${start}\n        ${sectionNames.map((name) => JSON.stringify(name)).join(",\n        ")}\n      ]`;
  });
}

/** Returns all generated files by their paths. */
export async function documents(): Promise<Map<string, string>> {
  const program = await describeProgram();
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const pages = manual(program, version);
  return new Map([
    ["REFERENCE.md", await reference(program)],
    ["docs/operations.md", operationsPage()],
    ["docs/organization-keys.md", keysPage()],
    ["docs/comparison.schema.json", withSections()],
    ["package.json", withPages(pages.keys())],
    ...[...pages].map(([name, text]): [string, string] => [`man/${name}`, text]),
  ]);
}

/** Makes all generated files: the reference, tables of operations and keys, and manual pages. */
import { readFileSync } from "node:fs";
import { docOf } from "../../src/cli/help.ts";
import { sectionNames } from "../../src/organization/section-names.ts";
import { type DescribedProgram, describeProgram, flagItem, helpOf } from "./described.ts";
import { manual } from "./man.ts";
import { operationsPage } from "./operations.ts";
import { keysPage } from "./sections.ts";
import { sharedFlags, withoutShared } from "./shared-flags.ts";

async function reference({ nouns }: DescribedProgram): Promise<string> {
  const section = (words: string[], text: string) =>
    `## ${["zulipctl", ...words].join(" ")}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
  const commands = nouns.flatMap((noun) => noun.commands);
  const all = await Promise.all(
    commands.map(async (command) => {
      const words = command.name.split(" ");
      return section(words, withoutShared(await helpOf(words), command));
    }),
  );
  const shared = sharedFlags(commands).map((flag) => `- \`${flagItem(flag).term}\`: ${docOf(flag)}`);
  const head = [
    "# Every command",
    "This is what `--help` says, and a test keeps it so. The [README](README.md) explains. Every command has `--help`. Commands that",
    "change something also have:",
  ];
  return [`${head[0]}\n\n${head[1]}\n${head[2]}\n\n${shared.join("\n")}\n`, section([], await helpOf([])), ...all].join(
    "\n",
  );
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

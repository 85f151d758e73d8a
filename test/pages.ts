/** The README and the pages in `docs`. */
import { readdirSync, readFileSync } from "node:fs";

export const pages: readonly string[] = [
  "README.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/${name}`),
  "docs/action/README.md",
];

export const page = (path: string): string => readFileSync(path, "utf8");

/** Returns the fenced blocks of one language. */
export const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, block]) => block!);

/** Returns the anchors of the headings. */
export const anchors = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );

import { readFileSync } from "node:fs";

/** What another program answered; see `data/references/README.md`. */
export const readReferences = <T>(name: string): T[] =>
  readFileSync(new URL(`data/references/${name}.ndjson`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

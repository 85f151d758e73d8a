import { readFileSync } from "node:fs";

/** Reads recorded results of other programs. `data/references/README.md` describes them. */
export const readReferences = <T>(name: string): T[] =>
  readFileSync(new URL(`data/references/${name}.ndjson`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

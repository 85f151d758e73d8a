import { readFileSync } from "node:fs";

/** Reads a file of `test/data` that has a record on each line: `recorded/drafts`. */
export const readRecords = <T>(name: string): T[] =>
  readFileSync(new URL(`data/${name}.ndjson`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

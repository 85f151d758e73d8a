/** Reads `test/data/permissions`: what real servers of levels 371, 442 and 468 let the accounts of random organizations do. */
import { readFileSync } from "node:fs";
import { makeSnapshot, type Snapshot } from "../../src/organization/snapshot.ts";
import type { Scope } from "../../src/permissions/facts.ts";

export interface RecordedCell {
  scope: Scope;
  target: number | null;
  permission: string;
  may: number[];
  may_not: number[];
}

export const recordings = [1, 2, 3, 4, 5, 6, "442-1", "442-2", "468-1"];
export type Recording = (typeof recordings)[number];

export function readRecording(name: Recording): { snapshot: Snapshot; cells: RecordedCell[] } {
  const text = readFileSync(new URL(`../data/permissions/${name}.ndjson`, import.meta.url), "utf8");
  const [first, ...cells] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const snapshot = makeSnapshot({
    taken: first.now * 1000,
    site: "https://chat.example",
    email: first.register.email,
    registered: first.register,
    folders: null,
    invites: [],
  });
  return { snapshot, cells };
}

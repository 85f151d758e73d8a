/** What a real server of level 371 let each account of six random organizations do; `test/data/permissions` has it. */
import { readFileSync } from "node:fs";
import { type Snapshot, snapshotOf } from "../../src/organization/snapshot.ts";
import type { Scope } from "../../src/permissions/term.ts";

export interface RecordedCell {
  scope: Scope;
  target: number | null;
  permission: string;
  may: number[];
  may_not: number[];
}

export const recordings = [1, 2, 3, 4, 5, 6];

export function readRecording(number: number): { snapshot: Snapshot; cells: RecordedCell[] } {
  const text = readFileSync(new URL(`../data/permissions/${number}.ndjson`, import.meta.url), "utf8");
  const [first, ...cells] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const snapshot = snapshotOf({
    taken: first.now * 1000,
    site: "https://chat.example",
    email: first.register.email,
    registered: first.register,
    folders: null,
    invites: [],
  });
  return { snapshot, cells };
}

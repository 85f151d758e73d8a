import type { undoNoun } from "../../src/commands/undo.ts";
import { type CasesOf, local } from "./case.ts";

export const cases: CasesOf<typeof undoNoun> = local({
  // `test/commands/undo.test.ts` takes back what it has changed.
  lines: "elsewhere",
  refused: [
    {
      ...{ typed: "20260101-1", code: 2 },
      says: 'run "20260101-1" not found in the log\nList runs with: zulipctl log',
    },
  ],
});

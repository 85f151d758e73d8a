import type { undo } from "../../src/commands/undo.ts";
import { type CasesOf, local } from "./case.ts";

export const cases: CasesOf<typeof undo> = local({
  // `test/commands/undo.test.ts` takes back what it has changed.
  lines: "elsewhere",
  refused: [
    {
      ...{ typed: "20260101-1", code: 2 },
      says: 'run "20260101-1" not found in the log\nList runs with: zulipctl log',
    },
  ],
});

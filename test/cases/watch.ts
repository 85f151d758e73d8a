import type { watchVerb } from "../../src/commands/watch.ts";
import { type CasesOf, local, usage } from "./case.ts";

export const cases: CasesOf<typeof watchVerb> = local({
  // `test/commands/watch.test.ts` has its output, since it runs until it is interrupted.
  lines: "elsewhere",
  refused: [
    ...usage({
      "--exit-code": "--exit-code requires --plan",
      "-o csv": "watch supports -o table, json and ndjson, not -o csv",
      "--plan nowhere.yaml": "file not found: nowhere.yaml",
    }),
    { typed: "", as: 400, says: "only administrators and owners see the whole organization", code: 3 },
  ],
});

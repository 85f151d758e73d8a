import type { completeVerb } from "../../src/commands/completion.ts";
import { type CasesOf, local } from "./case.ts";

export const cases: CasesOf<typeof completeVerb> = local({
  lines: [{ typed: "zulipctl channel update ''", sends: [], prints: "" }],
});

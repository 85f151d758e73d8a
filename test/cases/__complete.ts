import type { complete } from "../../src/commands/completion.ts";
import { type CasesOf, local } from "./case.ts";

export const cases: CasesOf<typeof complete> = local({
  lines: [{ typed: "zulipctl channel update ''", sends: [], prints: "" }],
});

import type { completion } from "../../src/commands/completion.ts";
import { type CasesOf, local } from "./case.ts";

export const cases: CasesOf<typeof completion> = local({
  takes: ["<bash|zsh|fish>"],
  lines: [{ typed: "bash", sends: [] }],
});

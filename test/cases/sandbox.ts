import type { sandbox } from "../../src/commands/sandbox.ts";
import { type CasesOf, local } from "./case.ts";

/** What an embedded server is like. */
export const embedded = [
  "--world <file>",
  "--users <n>",
  "--export-size <MiB>",
  "--no-rate-limits",
  "--fault <spec>...",
] as const;

export const cases: CasesOf<typeof sandbox> = {
  start: local({ takes: [...embedded, "--fixed-passwords", "--port <n>"], lines: "elsewhere" }),
  exec: local({ takes: ["<command>...", ...embedded, "--fixed-passwords"], lines: "elsewhere" }),
};

import type { sandbox } from "../../src/commands/sandbox.ts";
import { type CasesOf, local } from "./case.ts";

export const cases: CasesOf<typeof sandbox> = {
  start: local({ lines: "elsewhere" }),
  exec: local({ lines: "elsewhere" }),
};

import type { tour } from "../../src/commands/tour.ts";
import { type CasesOf, local } from "./case.ts";

export const cases: CasesOf<typeof tour> = local({ lines: "elsewhere" });

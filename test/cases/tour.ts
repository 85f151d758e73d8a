import type { tour } from "../../src/commands/tour.ts";
import { type CasesOf, local } from "./case.ts";
import { embedded } from "./sandbox.ts";

export const cases: CasesOf<typeof tour> = local({ takes: [...embedded, "--day"], lines: "elsewhere" });

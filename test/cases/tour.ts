import type { tourVerb } from "../../src/commands/tour.ts";
import { type CasesOf, local } from "./case.ts";

export const cases: CasesOf<typeof tourVerb> = local({ lines: "elsewhere" });

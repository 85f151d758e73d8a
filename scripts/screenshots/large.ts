/** The page of a large organization that nobody has. */

import { permissionsReport } from "../../src/permissions/report/make-report.ts";
import { page } from "../../src/permissions/report/page.ts";
import { large } from "../../test/permissions/report/large.ts";

export const html = (): string => page(permissionsReport(large({ people: 5000, channels: 500, groups: 300 })));

/** The program, as the test drives it. It is bundled with the invented kind. */

export { auditLines } from "../../src/audit/audit-lines.ts";
export { logChange } from "../../src/audit/entry.ts";
export { Names } from "../../src/audit/name-history.ts";
export { readLogRow } from "../../src/audit/rows.ts";
export { Interrupted } from "../../src/errors.ts";
export { main } from "../../src/main.ts";
export { namesDirectory } from "../../src/resolve/names-directory.ts";
export { AuditLog } from "../../src/sandbox/audit-log.ts";
export { credentials, fresh, site, zulipctl } from "../run.ts";
export { testWorld } from "../world.ts";

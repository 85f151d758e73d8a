import { keyed } from "../common/object-members.ts";
import { anything, integer, list, object, optional, record, string } from "../wire/types.ts";

/** What readers of the log rely on. Another program, or a person, may have written the line. */
export const entryMembers = object({
  ...keyed(["time", "run", "command", "operation", "target", "outcome"], () => string),
  ...keyed(["stated", "thing", "site", "account", "journal", "job"], () => optional(string)),
  n: optional(integer),
  ...keyed(["changes", "added", "removed", "ignored"], () => optional(list(string))),
  ...keyed(["at", "from", "to"], () => optional(record(anything))),
  ids: optional(list(integer)),
});

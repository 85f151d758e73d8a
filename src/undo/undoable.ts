/** Whether a change can be undone, as far as its line in the log tells. */
import { deactivateUser } from "../api/people.ts";
import { membersOf } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { hasEffect } from "../log/read-log.ts";
import { creationOf } from "./kind-steps.ts";
import type { Part } from "./part.ts";
import { partsOf } from "./parts.ts";
import { noOldValue, reasonOf } from "./reasons.ts";

/** Returns whether an entry deactivated an account with its profile. Only the server tells whether it comes back. */
export const deletesProfile = ({ operation, to }: LogEntry): boolean =>
  operation === deactivateUser.name && membersOf(to?.actions).delete_profile === true;

const nothingChanged = "nothing was changed";

/** Returns why an entry alone cannot be undone, as far as the log tells. Undefined if it can. */
export function whyNot(entry: LogEntry): string | undefined {
  const parts = partsOf([entry]);
  const isEmpty = (part: Part) => part.kind === "list" && !part.added.length && !part.removed.length;
  if (parts.every(isEmpty)) return nothingChanged;
  if (deletesProfile(entry)) return "from feature level 490 on, an account without its profile cannot be reactivated";
  const isSought = parts.some(({ kind }) => kind === "lost") && creationOf(entry)?.update;
  if (isSought) return `${reasonOf(entry)}: undo looks for it`;
  if (parts.some(({ kind }) => kind === "impossible" || kind === "lost")) return reasonOf(entry);
  const isUnknown = (part: Part) => part.kind === "value" && part.from === undefined;
  return parts.every(isUnknown) ? noOldValue : undefined;
}

/** Returns whether an entry changed something, or may have. What was so already changed nothing. */
export const changedSomething = (entry: LogEntry): boolean => hasEffect(entry) && whyNot(entry) !== nothingChanged;

/** The flags of verbs whose changes can be looked at before they are made: the same for all, and understood in one place. */
import { toggle } from "./kinds.ts";
import type { Words } from "./word.ts";

/** `true`: `--diff` and `--if-changed`; `"diff"`: the verb has an `--if-changed` of its own. */
export type Looks = true | "diff";

export const diff = toggle("send nothing: read, and show what is there beside what would be");
export const exitCode = toggle("with --diff: exit code 8 if anything differs");
export const ifChanged = toggle("read first, and send only what differs; nothing that differs is success");

/** The words of a verb with the flags that it has for looking before. */
export function withLooks<T extends { readonly looks?: Looks | undefined; readonly flags?: Words }>(told: T): T {
  const { looks, flags } = told;
  if (!looks) return told;
  return { ...told, flags: { ...flags, diff, exitCode, ...(looks === true && { ifChanged }) } };
}

/** The flags of a preview. */

import type { CommandParameters } from "./parameter.ts";
import { toggle } from "./value-parameters.ts";

/** `true`: `--diff` and `--if-changed`. `"diff"`: the verb has an `--if-changed` of its own. */
export type Preview = true | "diff";

export const diffFlag = toggle("show current and new values, and send nothing");
export const exitCodeFlag = toggle("with --diff: exit code 8 if anything differs");
export const ifChangedFlag = toggle("read first, and send only differences");

/** The parameters of a verb, with its flags for a preview. */
export function withPreview<T extends { readonly preview?: Preview | undefined; readonly flags?: CommandParameters }>(
  verb: T,
): T {
  const { preview, flags } = verb;
  if (!preview) return verb;
  return {
    ...verb,
    flags: { ...flags, diff: diffFlag, exitCode: exitCodeFlag, ...(preview === true && { ifChanged: ifChangedFlag }) },
  };
}

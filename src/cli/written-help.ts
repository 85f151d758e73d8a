/** The help of every command, where the build wrote it down, so that the command need not be made to tell of it. */
import type { HelpData } from "./help.ts";

/** JSON, put in by the build; the sources alone have it not. */
declare const ZULIPCTL_HELP: string | undefined;

/** `words` are those of a command: `channel update`. Undefined where there is no such command, or nothing was written. */
export function writtenHelp(words: string): HelpData | undefined {
  if (typeof ZULIPCTL_HELP === "undefined") return undefined;
  const all = JSON.parse(ZULIPCTL_HELP) as Record<string, HelpData>;
  return Object.hasOwn(all, words) ? all[words] : undefined;
}

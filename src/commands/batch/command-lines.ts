/** The command lines of `batch` that messages show. */

import { commandLine } from "../../common/shell-words.ts";
import type { Shell } from "../../run/shell.ts";

/** The command line as typed, with `--` before the command of each row. */
export function withSeparator(argv: readonly string[], words: readonly string[]): string {
  // The value of a flag may be a word of the command, too.
  const left = [...words];
  const own = argv.toReversed().filter((word) => word !== left.at(-1) || left.pop() === undefined);
  return commandLine([...own.reverse(), "--", ...words]);
}

/** Returns the words that resume a run. `words`: the command of the rows. */
export function resumingLine(
  shell: Shell,
  { file, words }: { file: string; words: readonly string[] },
  resumeName: string,
  more: readonly "--retry-unknown"[] = [],
): string[] {
  return [
    ...shell.argvWithout(["journal", "resume", ...(more.length ? ["retryUnknown"] : [])]),
    ...["--resume", resumeName],
    ...more,
    file,
    ...(words.length ? ["--", ...words] : []),
  ];
}

/** The command line that goes on with a run, to be typed or pasted as it stands. */
import { commandLine } from "../notation/shell-words.ts";
import type { Validation } from "./validation.ts";

/** Flags that name a journal, of which the command gets another. */
const journals = ["--journal", "--resume"];

function withoutJournals(flags: readonly string[]): string[] {
  const named = (word: string | undefined) => word !== undefined && journals.includes(word);
  return flags.filter(
    (word, at) => !named(word) && !named(flags[at - 1]) && !journals.some((flag) => word.startsWith(`${flag}=`)),
  );
}

/** Values that nobody may read over a shoulder or in a log, of the first change of each kind. */
export function secretsOf({ samples }: Pick<Validation, "samples">): unknown[] {
  return [...samples].flatMap(([{ params }, { args }]) =>
    Object.keys(params).flatMap((name) => (params[name]?.secret ? args[name] : [])),
  );
}

/** `argv` is what was typed; `again` is what `--resume` takes; `more` are flags to add where they are not there. */
export function goingOn(
  argv: readonly string[],
  again: string,
  examination: Pick<Validation, "samples">,
  more: readonly string[] = [],
): string {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const secrets = secretsOf(examination);
  const shown = (word: string) => (secrets.includes(word) ? "[secret]" : word);
  const typed = withoutJournals(argv.slice(0, end));
  const flags = [...typed, "--resume", again, ...more.filter((flag) => !typed.includes(flag))];
  return commandLine([...flags, ...argv.slice(end)].map(shown));
}

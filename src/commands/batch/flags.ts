import { InvalidArgumentError } from "commander";
import { guardFlags } from "../../cli/guard-flags.ts";
import { type CommandParameter, type RawFlags, withDefault } from "../../cli/parameter.ts";
import {
  choice,
  journalFlag,
  negatedOnly,
  number,
  offered,
  path,
  text,
  texts,
  toggle,
} from "../../cli/value-parameters.ts";

const separator: CommandParameter<string, string> = {
  ...text("the sign that divides a list in a cell; line breaks always do", "sign"),
  parse: (typed: string) => {
    if (!/^[^\p{L}\p{N}\s"'@._-]$/u.test(typed)) throw new InvalidArgumentError("It must be one sign, such as ; or |.");
    return typed;
  },
};

export const batchFlags = {
  ...guardFlags,
  keep: negatedOnly("delete more than 20 messages without a copy"),
  format: withDefault(
    "by its extension",
    choice(["csv", "tsv", "json", "ndjson", "lines"], "format of the file", "format"),
  ),
  listSeparator: withDefault(",", separator),
  where: texts("only rows with this value, or without it: column!=value; all must hold", "column=value"),
  skipEmpty: toggle("skip rows in which a column of the command is empty, unless it is {column?}"),
  skipInvalid: toggle("skip invalid rows instead of sending nothing"),
  merge: negatedOnly("send each row as a separate request"),
  settle: withDefault("60", number("how many seconds to check for a membership change without an answer", "seconds")),
  journal: journalFlag,
  resume: offered("run", text("resume an earlier run: its name, last, or its journal", "run")),
  again: toggle("resume a run that an undo has taken back: send its rows again"),
  retryUnknown: toggle("resend what an earlier run left unknown"),
  failed: path("write the rows that failed to this file"),
  onError: withDefault("continue", choice(["stop", "continue"], "what to do after a failed row", "what")),
  maxFailures: number("stop after this many failed rows", "n", 1),
};
export type BatchOptions = RawFlags<typeof batchFlags>;

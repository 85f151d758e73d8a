import { acts } from "../cli/conversation.ts";
import { ago, choice, not, number, offered, path, text, texts, toggle } from "../cli/kinds.ts";
import { maybe, needed } from "../cli/word.ts";

const itself = acts({
  doc: "Make a change for every row of a file; everything is checked before anything is sent",
  usage: "[options] <file>",
  operands: {
    file: path("rows; - reads stdin"),
    words: maybe(
      texts("after --, the command for each row: {column} is the row's value, {column?} may be missing", "words"),
    ),
  },
  flags: {
    format: choice(["csv", "tsv", "ndjson", "lines"], "format of the file (default: by its extension)", "format"),
    skipInvalid: toggle("skip invalid rows instead of sending nothing"),
    merge: not("send each row as a separate request"),
    settle: number("how many seconds to check for a membership change without an answer (default: 60)", "seconds"),
    journal: path("record the requests in this new file"),
    resume: offered("run", text("resume an earlier run: its name, last, or its journal", "run")),
    retryUnknown: toggle("resend what an earlier run left unknown"),
    failed: path("write the rows that failed to this file"),
    onError: choice(["stop", "continue"], "what to do after a failed row (default: continue)", "what"),
    maxFailures: number("stop after this many failed rows", "n", 1),
  },
  examples: [
    "printf 'group,email\\ndesigners,otis@sandbox.example\\n' | zulipctl batch - --format csv -- group members {group} --add {email}",
    "echo 'channel update design --folder Projects' | zulipctl batch - --format lines --dry-run",
  ],
  run: async (shell, every) => (await import("./batch/run.ts")).batch(shell, every()),
  many: true,
});

const verbs = {
  list: acts({
    doc: "List earlier runs, including those of org apply, with their results",
    examples: ["zulipctl batch list"],
    run: async () => (await import("./batch/runs.ts")).list,
  }),

  show: acts({
    doc: "Show one earlier run, and which rows failed",
    operands: { run: offered("run", text("name of the run, last, or its journal", "run")) },
    examples: ["zulipctl batch show last"],
    run: async () => (await import("./batch/runs.ts")).show,
  }),

  prune: acts({
    doc: "Remove the journals of finished runs",
    flags: { olderThan: needed(ago("only runs older than so many days (30d) or hours (12h)")) },
    note: "Unfinished runs keep their journals.",
    examples: ["zulipctl batch prune --older-than 30d"],
    run: async () => (await import("./batch/runs.ts")).prune,
  }),
};

export const batch = { doc: itself.doc, verbs, itself };

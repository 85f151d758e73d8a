import { acts } from "../cli/conversation.ts";
import { ago, choice, not, number, offered, path, text, texts, toggle } from "../cli/kinds.ts";
import { maybe, needed } from "../cli/word.ts";

const itself = acts(
  {
    doc: "Make a change for every row of a file: everything is examined before anything is sent",
    usage: "[options] <file>",
    operands: {
      file: path("rows; - reads stdin"),
      words: maybe(
        texts("after --, the command for each row: {column} is the row's value, {column?} may be missing", "words"),
      ),
    },
    flags: {
      format: choice(["csv", "tsv", "ndjson", "lines"], "of the file (default: what its name ends with)", "format"),
      skipInvalid: toggle("leave bad rows out instead of sending nothing"),
      merge: not("send every row in a request of its own"),
      settle: number("how long a membership change without an answer is looked for (default: 60)", "seconds"),
      journal: path("record each request here; a new file"),
      resume: offered("run", text("go on with an earlier run: its name, last, or its journal", "run")),
      retryUnknown: toggle("send again what an earlier run left unknown"),
      failed: path("write the rows that are known not to be done here"),
      onError: choice(
        ["stop", "continue"],
        "what a refused or unknown row means for the rest (default: continue)",
        "what",
      ),
      maxFailures: number("send nothing new after so many refused or unknown rows", "n", 1),
    },
    examples: [
      "printf 'group,email\\ndesigners,otis@sandbox.example\\n' | zulipctl batch - --format csv -- group members {group} --add {email}",
      "echo 'channel update design --folder Projects' | zulipctl batch - --format lines --dry-run",
    ],
  },
  async (shell, every) => (await import("./batch/run.ts")).batch(shell, every()),
  { many: true },
);

const verbs = {
  list: acts(
    { doc: "Earlier runs, those of org apply too, with what became of their rows", examples: ["zulipctl batch list"] },
    async () => (await import("./batch/runs.ts")).list,
  ),

  show: acts(
    {
      doc: "One earlier run, and which rows of it were not done",
      operands: { run: offered("run", text("name of the run, last, or its journal", "run")) },
      examples: ["zulipctl batch show last"],
    },
    async () => (await import("./batch/runs.ts")).show,
  ),

  prune: acts(
    {
      doc: "Remove the journals of finished runs",
      flags: { olderThan: needed(ago("those that began more than so many days (30d) or hours (12h) ago")) },
      note: "Runs of which rows were not sent, or may have been done, keep theirs.",
      examples: ["zulipctl batch prune --older-than 30d"],
    },
    async () => (await import("./batch/runs.ts")).prune,
  ),
};

export const batch = { doc: itself.doc, verbs, itself };

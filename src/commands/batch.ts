import { emptyAllowed, optionalOperand, requiredFlag } from "../cli/parameter.ts";
import { ago, offered, path, text, texts } from "../cli/value-parameters.ts";
import { rawCustomVerb } from "../cli/verbs-with-code.ts";
import { counted } from "../common/counted.ts";
import { errorRecord } from "../common/error-record.ts";
import { commandLine } from "../common/shell-words.ts";
import { type Header, type JournalFile, lineOfRow } from "../engine/journal.ts";
import { type Column, changed, type Listing, type Single } from "../output/form.ts";
import { timeCell, timeText } from "../output/when.ts";
import { type Context, type LocalChange, localChange } from "../run/context.ts";
import { type EarlierRun, earlierRun, earlierRuns, findJournal } from "../run/journal/journal-files.ts";
import { undoOf } from "../run/journal/undone.ts";
import { batchFlags } from "./batch/flags.ts";

const styles = { finished: "good", unfinished: "warn", unreadable: "bad" } as const;

/** Returns how to resume a run. */
function resumeHint({ kind, resumeName }: JournalFile, header: Header | undefined): string {
  switch (kind) {
    case "org apply":
      return "run org apply with the same files";
    case "users offboard":
      return "run users offboard with the same people";
    case "undo":
      if (!header) return "run the same undo again";
      return commandLine(["undo", ...header.input.split(" "), ...(header.words ? ["--only", header.words] : [])]);
    case "batch":
      return `with the same file and words, and --resume ${resumeName}`;
    default:
      return commandLine([...kind.split(" "), "--resume", resumeName]);
  }
}

const outcomes = ["done", "refused", "unknown", "not_sent"] as const;

async function list({ world }: Context): Promise<Listing<EarlierRun>> {
  return {
    kind: "listing",
    records: earlierRuns(world),
    allFields: ["run", "began", "command", "site", "account", "rows", ...outcomes, "invalid", "state", "journal"],
    optionalFields: ["error"],
    id: "run",
    columns: [
      { head: "RUN", value: ({ run }) => run, whole: true, importance: "high" },
      { head: "BEGAN", value: ({ began }) => timeCell(began), whole: true },
      { head: "STATE", value: ({ state }) => state, style: ({ state }) => styles[state] },
      ...outcomes.map(
        (name): Column<EarlierRun> => ({
          head: name.toUpperCase().replace("_", " "),
          value: (run) => (run.state === "unreadable" ? undefined : run[name]),
          align: "right",
        }),
      ),
      { head: "SITE", value: ({ site }) => site?.replace(/^https:\/\//, ""), importance: "low" },
      { head: "COMMAND", value: ({ command, error }) => command ?? error, importance: "high" },
    ],
  };
}

async function show({ world }: Context, _: object, run: string): Promise<Single> {
  const journalPlace = await findJournal(world, run, "<run>");
  const { replay, ...record } = await earlierRun(world, { ...journalPlace, run: journalPlace.resumeName });
  const lines = replay.header?.lines;
  const undo = await undoOf(world, journalPlace.run);
  const rows = [...replay.rows()].sort(([one], [other]) => one - other);
  const failed = rows.flatMap(([row, result]) =>
    "failure" in result
      ? [{ row, line: lineOfRow(row, lines), outcome: result.outcome, error: errorRecord(result.failure) }]
      : [],
  );
  const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replace("_", " ");
  const first = failed.slice(0, 10);
  const fields: [head: string, value: unknown][] = [
    ["Run", record.run],
    ["State", record.state],
    ["Began", timeText(record.began)],
    ["Command", record.command],
    ["Site", record.site],
    ["Account", record.account],
    ["Rows", record.rows],
    ...outcomes.map((name): [string, unknown] => [title(name), record[name]]),
  ];
  if (undo) fields.push(["Taken back by", undo.run]);
  if (record.invalid) fields.push(["Invalid", record.invalid]);
  fields.push(["Journal", record.journal]);
  if (record.state === "unfinished") fields.push(["Resume", resumeHint(journalPlace, replay.header)]);
  for (const { row, line, outcome, error } of first)
    fields.push([line === undefined ? `Row ${row}` : `Line ${line}`, `${outcome}: ${error.message}`]);
  if (failed.length > first.length) fields.push(["", `and ${counted(failed.length - first.length, "more row")}`]);
  return {
    kind: "single",
    record: { ...record, ...(undo && { undone_by: undo.run }), missing: failed },
    id: () => record.run,
    columns: fields.map(([head, value]): Column => ({ head, value: () => value })),
  };
}

/** Finished runs that began earlier. A locked run is not finished. */
async function* prunable({ world }: Context, olderThan: number): AsyncGenerator<EarlierRun> {
  const before = world.clock.now() - olderThan;
  for await (const run of earlierRuns(world))
    if (run.state === "finished" && run.began !== undefined && Date.parse(run.began) < before) yield run;
}

/** Removes the journals of finished runs. */
async function prune(context: Context, { olderThan }: { olderThan: number }): Promise<LocalChange> {
  const { world, flags, note } = context;
  if (flags.dryRun) for await (const { run } of prunable(context, olderThan)) await note(`Journal of run ${run}.`);
  return localChange(async () => {
    const removed: string[] = [];
    for await (const { run, journal } of prunable(context, olderThan)) {
      const lock = await world.files.lock(journal, 0);
      if (!lock) continue;
      try {
        await world.files.remove(journal);
        removed.push(run);
      } finally {
        await lock.release();
      }
    }
    return changed(`${counted(removed.length, "journal")} of finished runs removed.`, { removed }, removed);
  });
}

const itself = rawCustomVerb({
  doc: "Make a change for every row of a file; everything is checked before anything is sent",
  operations: "any",
  asks: "sometimes",
  usage: "[options] <file>",
  operands: {
    file: path("rows; - reads stdin"),
    words: optionalOperand(
      emptyAllowed(
        texts("after --, the command for each row: {column} is the row's value, {column?} may be missing", "words"),
      ),
    ),
  },
  flags: batchFlags,
  examples: [
    "printf 'group,email\\ndesigners,otis@sandbox.example\\n' | zulipctl batch - --format csv -- group members {group} --add {email}",
    "echo 'channel update design --folder Projects' | zulipctl batch - --format lines --dry-run",
  ],
  run: async (shell, every) => (await import("./batch/run-batch.ts")).runBatch(shell, every),
  many: true,
  records: "run",
  organizations: true,
});

const verbs = {
  list: rawCustomVerb({
    doc: "List earlier runs with their results, also of org apply, users offboard, undo, messages delete and move",
    examples: ["zulipctl batch list"],
    run: async () => list,
  }),

  show: rawCustomVerb({
    doc: "Show one earlier run, and which rows failed",
    operands: { run: offered("run", text("name of the run, last, or its journal", "run")) },
    examples: ["zulipctl batch show last"],
    run: async () => show,
  }),

  prune: rawCustomVerb({
    doc: "Remove the journals of finished runs",
    local: true,
    flags: { olderThan: requiredFlag(ago("only runs older than this: 30d, 12h")) },
    note: "Unfinished runs keep their journals.",
    examples: ["zulipctl batch prune --older-than 30d"],
    run: async () => prune,
  }),
};

export const batchNoun = { doc: itself.doc, verbs, itself };

import { type EarlierRun, earlierRun, earlierRuns, findJournal } from "../batch/journals.ts";
import { acts } from "../cli/conversation.ts";
import { ago, choice, not, number, offered, path, text, texts, toggle } from "../cli/kinds.ts";
import { maybe, needed } from "../cli/word.ts";
import { counted } from "../counted.ts";
import { errorRecord } from "../error-record.ts";
import type { Column, Listing, Single } from "../output/form.ts";
import { when } from "../output/when.ts";
import { type Context, type LocalChange, local } from "../run/context.ts";

const styles = { finished: "good", unfinished: "warn", unreadable: "bad" } as const;

const began = ({ began }: EarlierRun): string => when(began === undefined ? undefined : Date.parse(began));

const numbers = ["done", "refused", "unknown", "not_sent"] as const;

export async function list({ world }: Context): Promise<Listing<EarlierRun>> {
  return {
    kind: "listing",
    records: earlierRuns(world),
    known: ["run", "began", "command", "site", "account", "rows", ...numbers, "invalid", "state", "journal"],
    rare: ["error"],
    id: ({ run }) => run,
    columns: [
      { head: "RUN", value: ({ run }) => run, whole: true, importance: "high" },
      { head: "STATE", value: ({ state }) => state, style: ({ state }) => styles[state] },
      ...numbers.map(
        (name): Column<EarlierRun> => ({
          head: name.toUpperCase().replace("_", " "),
          value: (run) => run[name],
          align: "right",
        }),
      ),
      { head: "COMMAND", value: ({ command, error }) => command ?? error, importance: "high" },
    ],
  };
}

export async function show({ world }: Context, _: object, named: string): Promise<Single> {
  const place = await findJournal(world, named, "<run>");
  const { replay, ...run } = await earlierRun(world, { ...place, run: place.again });
  const rows = [...replay.rows()].sort(([one], [other]) => one - other);
  const lacking = rows.flatMap(([row, result]) =>
    "failure" in result ? [{ row, outcome: result.outcome, error: errorRecord(result.failure) }] : [],
  );
  const column = (head: string, value: unknown): Column => ({ head, value: () => value });
  const first = lacking.slice(0, 10);
  const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replace("_", " ");
  return {
    kind: "single",
    record: { ...run, lacking },
    id: () => run.run,
    columns: [
      column("Run", run.run),
      column("State", run.state),
      column("Began", began(run)),
      column("Command", run.command),
      column("Site", run.site),
      column("Account", run.account),
      column("Rows", run.rows),
      ...numbers.map((name) => column(titled(name), run[name])),
      ...(run.invalid ? [column("Left out", run.invalid)] : []),
      column("Journal", run.journal),
      ...(run.state === "unfinished"
        ? [
            column(
              "Go on",
              place.kind === "org apply"
                ? "run org apply with the same files"
                : place.kind === "users offboard"
                  ? "run users offboard with the same people"
                  : `with the same file and words, and --resume ${place.again}`,
            ),
          ]
        : []),
      ...first.map(({ row, outcome, error }) => column(`Row ${row}`, `${outcome}: ${error.message}`)),
      ...(lacking.length > first.length
        ? [column("", `and ${counted(lacking.length - first.length, "more row")}`)]
        : []),
    ],
  };
}

/** Removes journals of finished runs that began earlier. A locked run is not finished. */
async function* over({ world }: Context, olderThan: number): AsyncGenerator<EarlierRun> {
  const before = world.clock.now() - olderThan;
  for await (const run of earlierRuns(world))
    if (run.state === "finished" && run.began !== undefined && Date.parse(run.began) < before) yield run;
}

export async function prune(context: Context, { olderThan }: { olderThan: number }): Promise<LocalChange> {
  const { world, flags, note } = context;
  if (flags.dryRun) for await (const { run } of over(context, olderThan)) await note(`Journal of run ${run}.`);
  return local(async () => {
    const removed: string[] = [];
    for await (const { run, journal } of over(context, olderThan)) {
      const lock = await world.files.lock(journal, 0);
      if (!lock) continue;
      try {
        await world.files.remove(journal);
        removed.push(run);
      } finally {
        await lock.release();
      }
    }
    return {
      kind: "change",
      sentence: `${counted(removed.length, "journal")} of finished runs removed.`,
      answer: { removed },
      ids: removed,
    };
  });
}

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
  organizations: true,
});

const verbs = {
  list: acts({
    doc: "List earlier runs, including those of org apply and users offboard, with their results",
    examples: ["zulipctl batch list"],
    run: async () => list,
  }),

  show: acts({
    doc: "Show one earlier run, and which rows failed",
    operands: { run: offered("run", text("name of the run, last, or its journal", "run")) },
    examples: ["zulipctl batch show last"],
    run: async () => show,
  }),

  prune: acts({
    doc: "Remove the journals of finished runs",
    flags: { olderThan: needed(ago("only runs older than so many days (30d) or hours (12h)")) },
    note: "Unfinished runs keep their journals.",
    examples: ["zulipctl batch prune --older-than 30d"],
    run: async () => prune,
  }),
};

export const batch = { doc: itself.doc, verbs, itself };

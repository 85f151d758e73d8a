/** Earlier runs of `batch`: shown, and their journals removed. */
import { type EarlierRun, earlierRun, earlierRuns, findJournal } from "../../batch/journals.ts";
import { counted } from "../../counted.ts";
import { errorRecord } from "../../error-record.ts";
import type { Column, Listing, Single } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { type LocalChange, local } from "../../run/context.ts";

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

/** Runs that are finished and began longer ago; one that a process holds is not over. */
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

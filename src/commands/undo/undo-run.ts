/** `undo`: compares the log with what is there now, asks, sends what goes back, and reads again. */

import type { Server } from "../../client/server.ts";
import { joinFirst } from "../../common/counted.ts";
import { commandLine } from "../../common/shell-words.ts";
import { violationsOf } from "../../effects/policy.ts";
import type { Allowed } from "../../engine/change.ts";
import { checkTime } from "../../engine/engine-options.ts";
import type { Header } from "../../engine/journal.ts";
import { beforeSending, Partial, Usage } from "../../errors.ts";
import { maskedLine } from "../../log/masking.ts";
import { jobName } from "../../log/runs.ts";
import { programLine } from "../../output/line.ts";
import type { LeftAlone } from "../../output/shown-requests.ts";
import { nothingToSend } from "../../run/commit.ts";
import { type Conclusion, type Context, type Requests, requests } from "../../run/context.ts";
import { chooseJournal, headerAccount } from "../../run/journal/journal-files.ts";
import { markFinished } from "../../run/journal/mark-finished.ts";
import { connectForRun, sendRows, withRun } from "../../run/journal/run-with-journal.ts";
import { journaled } from "../../run/journal/unanswered.ts";
import { checkViolations } from "../../run/judge-changes.ts";
import type { Shell } from "../../run/shell.ts";
import { type Choice, Chooser, type Nothing } from "../../undo/choose.ts";
import { type LoggedRun, loggedRun } from "../../undo/entries.ts";
import { History } from "../../undo/history.ts";
import type { Item } from "../../undo/item.ts";
import { Planner } from "../../undo/plan.ts";
import { type Reading, readingOf, State } from "../../undo/state.ts";
import { titleOf } from "../../undo/thing.ts";
import { changedSomething } from "../../undo/undoable.ts";
import { moreRows, showSteps } from "../org/apply/apply-rows.ts";
import { askToUndo, printUndoPlan } from "./confirmation.ts";
import { isPartDone, noteContinued } from "./continued.ts";
import { failureAfter, impossibility, leftFailure, withResult } from "./ending.ts";
import { withNames } from "./named-values.ts";
import { chosenThings } from "./only.ts";

interface Options extends Allowed {
  runs?: string[] | undefined;
  only?: string[] | undefined;
  includeLater?: boolean | undefined;
}

/** Runs that are taken back. */
interface Undo {
  readonly context: Context;
  readonly server: Server;
  readonly options: Options;
  readonly logged: LoggedRun;
  readonly reading: Reading;
}

async function choose(
  context: Context,
  server: Server,
  history: History,
  { runs = [] }: Options,
): Promise<Choice | Nothing> {
  const { job } = context.flags;
  const account = { site: server.site, email: server.email };
  const self = await context.run.name();
  return new Chooser(history, { runs, job: job && jobName(job, "--job"), account, self, words: ["undo"] }).choose();
}

/** Returns the changes of the chosen runs. Throws `Partial` if they are all of another account. */
async function changesOf(history: History, choice: Choice, server: Server): Promise<LoggedRun> {
  const { runs, others = [] } = choice;
  const othersLeft = `runs of another account or site are left alone: ${joinFirst([...others])}`;
  if (!runs.length)
    throw new Partial(othersLeft, {
      outcome: "not_sent",
      hint: "Use that account: --profile, or the environment.",
    });
  const logged = await loggedRun(history, choice, { site: server.site, email: server.email });
  if (!others.length) return logged;
  return { ...logged, left: [...logged.left, othersLeft], isIncomplete: true };
}

function plannerOf({ server, options, logged, reading }: Undo, isSent = false): Planner {
  const known = { ...logged, isSent, includeLater: options.includeLater };
  return new Planner(logged.entries, new State(server, known, reading));
}

/** Plans. `only`: these things alone. `read` plans once more. */
async function planOf(undo: Undo, only?: readonly string[]) {
  const { context, options, logged } = undo;
  const things =
    only &&
    (await chosenThings(context.names, await beforeSending(() => plannerOf(undo).things()), only, logged.title));
  const read = async () => {
    const planner = plannerOf(undo);
    const items = await planner.items(things);
    const stepsOf = (all: readonly Item[]) => planner.stepsOf(all);
    return { items, stepsOf, violations: violationsOf(planner.judgment, options) };
  };
  return { only, things, read, ...(await beforeSending(read)) };
}

type UndoPlan = Awaited<ReturnType<typeof planOf>>;

/** Returns the items of the second reading. What differs from the confirmed plan is a conflict. */
function confirmed(items: readonly Item[], fresh: readonly Item[]): Item[] {
  // The definition of an operation is long.
  const judged = new Set(["effects", "judged"]);
  const textOf = (item: Item) =>
    JSON.stringify(item, (key, value) => (key === "operation" ? value.name : judged.has(key) ? undefined : value));
  const shown = new Set(items.map(textOf));
  return fresh.map((item) =>
    shown.has(textOf(item))
      ? item
      : { ...item, left: item.left ?? { kind: "conflict", says: "it was changed just now" } },
  );
}

/** Ends an undo without a change. Throws `Partial` if some of the runs is left alone. */
async function endWithoutChange({ context, logged }: Undo, only: readonly string[] | undefined): Promise<Conclusion> {
  const { title, entries, isIncomplete, left } = logged;
  if (isIncomplete) throw new Partial(`nothing else to undo: ${left.join("; ")}`, { outcome: "not_sent" });
  const all = only ? `what ${title} changed of ${only.join(", ")}` : `everything that ${title} changed`;
  const why = entries.some(changedSomething) ? `${all} is back` : `${title} changed nothing`;
  return nothingToSend(context, `nothing to undo: ${why}`);
}

/** Returns the requests of the plan, with what is left alone, and what the run would end with. */
async function dryRun({ server, logged }: Undo, items: readonly Item[], { stepsOf }: UndoPlan): Promise<Requests> {
  const shown = await showSteps(server, stepsOf(items));
  const alone = items.flatMap((item): LeftAlone[] => {
    const [{ operation } = {}] = item.changes;
    if (!item.left || !operation) return [];
    return [{ operation: operation.name, target: titleOf(item), outcome: item.left.kind, reason: item.left.says }];
  });
  return { ...requests([...shown, ...alone]), failure: impossibility(items, logged) ?? leftFailure(items, logged) };
}

/** Prints the plan, asks, and sends it. `words`: the command line without the runs. `finish`: earlier undos are complete. */
async function carryOut(
  undo: Undo,
  plan: UndoPlan,
  { words, finish }: { words: readonly string[]; finish: () => Promise<void> },
): Promise<Conclusion> {
  const { context, server, logged, reading } = undo;
  const { only, things, items, violations, read } = plan;
  const { title, runs } = logged;
  const { flags } = context;
  const named = await withNames(context.names, items);
  if (!flags.quiet || !flags.yes) await printUndoPlan(context, server, { logged, reading, items: named });
  const failure = impossibility(named, logged);
  if (failure && !flags.dryRun) throw failure;
  const notes = await beforeSending(async () => checkViolations(context, violations));
  const place = await chooseJournal(context, {}, "undo");
  return withRun(context, server, { place }, async (run) => {
    if (!run) return dryRun(undo, named, plan);
    const sent = named.filter((item) => !item.left);
    await askToUndo(context, server, { sent, title, notes });
    // Somebody else may have changed something while the user decided.
    const fresh = await beforeSending(read);
    if (fresh.violations.length > violations.length)
      await beforeSending(async () => checkViolations(context, fresh.violations));
    const still = confirmed(items, fresh.items);
    const planned = await withNames(context.names, still);
    const { rows: sending, order } = moreRows({ differences: planned, steps: fresh.stepsOf(planned) }, 0);
    const rows = sending.map((row, n) => withResult(row, planned[n]));
    const again = [...words, ...(only ? ["--only", only.join(",")] : []), ...runs];
    const hasConflicts = planned.some(({ left }) => left?.kind === "conflict");
    await context.run.know({ undoes: runs, ...(only && { only }), ...(hasConflicts && { hasConflicts }) });
    return sendRows(context, server, run, {
      input: {
        ...headerAccount(server),
        ...{ input: runs.join(" "), words: only?.join(",") ?? "", rows: rows.length },
        command: maskedLine(again, []),
      },
      options: { merge: false, order, checkUnanswered: checkTime },
      rows,
      resumeCommand: commandLine(again),
      unit: "change",
      async verify(failed) {
        const now = await plannerOf(undo, true).items(things);
        return failureAfter(context, { planned: still, sent: planned, fresh: now }, logged, failed, finish);
      },
    });
  });
}

export const undoRuns =
  (shell: Shell) =>
  async (context: Context, options: Options): Promise<Conclusion> => {
    const { world, flags, note, warn } = context;
    if (options.only && !options.only.length) throw new Usage("--only: the list is empty", { outcome: "not_sent" });
    if (flags.job !== undefined && options.runs?.length)
      throw new Usage("--job cannot be combined with runs", { outcome: "not_sent" });
    const server = await connectForRun(context);
    const history = await History.open(world, (run) => journaled(world, run));
    const choice = await choose(context, server, history, options);
    if ("nothing" in choice) {
      const { nothing, hint } = choice;
      const conclusion = await nothingToSend(context, `nothing to undo: ${nothing}`);
      if (hint !== undefined) await note(hint);
      return conclusion;
    }
    const logged = await changesOf(history, choice, server);
    const undo: Undo = { context, server, options, logged, reading: readingOf(server, context) };
    const first = await planOf(undo, options.only ?? choice.continued?.only);
    const isRest = !options.only && isPartDone(choice, first.items);
    const plan = isRest ? await planOf(undo) : first;
    const { only, items } = plan;
    await noteContinued(context, choice, isRest);
    for (const line of logged.left) await warn(programLine(line));
    const isComplete = ({ input, words: part }: Header) =>
      input.split(" ").every((run) => logged.runs.includes(run)) && (!only || part === only.join(","));
    const finish = () => markFinished(world, "undo", server, isComplete);
    if (!flags.dryRun && items.every((item) => item.left)) await finish();
    if (!items.length) return endWithoutChange(undo, only);
    return carryOut(undo, plan, { words: shell.argvWithout(["job", "only"]), finish });
  };

/** `undo`: compares the log with what is there now, asks, sends what goes back, and reads again. */

import type { Server } from "../../client/server.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { commandLine } from "../../common/shell-words.ts";
import { firstEffects, violationsOf } from "../../effects/policy.ts";
import type { Allowed } from "../../engine/change.ts";
import { checkTime } from "../../engine/engine-options.ts";
import type { Header } from "../../engine/journal.ts";
import { beforeSending, Conflict, type Failure, Partial, Refused, Usage } from "../../errors.ts";
import { maskedLine } from "../../log/masking.ts";
import { jobName } from "../../log/runs.ts";
import type { RequestStep } from "../../organization/order.ts";
import { markCounts } from "../../organization/plan/lines.ts";
import { seesOnlyPart } from "../../organization/snapshot.ts";
import { write } from "../../output/buffered-writer.ts";
import { chalkFor, resultColorLevel } from "../../output/color.ts";
import { foldingFor, programLine } from "../../output/line.ts";
import type { LeftAlone } from "../../output/shown-requests.ts";
import { nothingToSend } from "../../run/commit.ts";
import { type Conclusion, type Context, type Requests, requests } from "../../run/context.ts";
import { chooseJournal, headerAccount } from "../../run/journal/journal-files.ts";
import { markFinished } from "../../run/journal/mark-finished.ts";
import type { RunRow } from "../../run/journal/row.ts";
import { connectForRun, sendRows, withRun } from "../../run/journal/run-with-journal.ts";
import { journaled } from "../../run/journal/unanswered.ts";
import { endVerified, notInEffect } from "../../run/journal/verified.ts";
import { checkViolations } from "../../run/judge-changes.ts";
import type { Shell } from "../../run/shell.ts";
import { accessDifferences, concernsAccess } from "../../undo/access.ts";
import { Chooser } from "../../undo/choose.ts";
import { type LoggedRun, loggedRun } from "../../undo/entries.ts";
import { History } from "../../undo/history.ts";
import { type Item, thingKey, titleOf } from "../../undo/item.ts";
import { changedSomething } from "../../undo/parts.ts";
import { Planner } from "../../undo/plan.ts";
import { type Reading, readingOf, State } from "../../undo/state.ts";
import { moreRows, showSteps } from "../org/apply/apply-rows.ts";
import { isPartDone, noteContinued } from "./continued.ts";
import { withNames } from "./named-values.ts";
import { chosenThings } from "./only.ts";
import { leftLines, undoText } from "./plan-text.ts";

interface Options extends Allowed {
  runs?: string[] | undefined;
  only?: string[] | undefined;
  includeLater?: boolean | undefined;
}

/** What is left alone has a result without a request. */
function withResult(row: RunRow, item: Item | undefined): RunRow {
  if (!item?.left) return row;
  const { kind, says } = item.left;
  const failure =
    kind === "conflict"
      ? new Conflict(says, { outcome: "not_sent" })
      : new Refused(`cannot be undone: ${says}`, { outcome: "not_sent" });
  const all = row.changes.length ? row.changes : item.changes;
  return { ...row, changes: all, knownResults: all.map(() => ({ outcome: "refused", failure })) };
}

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

/** Returns what the run ends with because of what is left alone. */
function leftFailure(items: readonly Item[], { isIncomplete, left, title }: LoggedRun): Failure | undefined {
  const kinds = items.flatMap(({ left }) => left?.kind ?? []);
  if (!kinds.length && !isIncomplete) return undefined;
  const isConflict = !isIncomplete && kinds.every((kind) => kind === "conflict");
  const lines = [...leftLines(items, true), ...left];
  const message = `not all of ${title} can be undone: ${lines.slice(0, 10).join("; ")}`;
  return new (isConflict ? Conflict : Partial)(message, { outcome: "not_sent" });
}

/** Returns what the run ends with if nothing of it goes back. */
function impossibility(items: readonly Item[], { title, isIncomplete }: LoggedRun): Failure | undefined {
  if (!items.length || items.some(({ left }) => !left)) return undefined;
  const message = `nothing of ${title} can be undone: ${leftLines(items, true).slice(0, 10).join("; ")}`;
  const isConflict = !isIncomplete && items.every(({ left }) => left?.kind === "conflict");
  return new (isConflict ? Conflict : Refused)(message, { outcome: "not_sent" });
}

/** Returns who gains and who loses permissions. */
async function accessText({ snapshot: read }: Reading, items: readonly Item[]): Promise<string[]> {
  const sent = items.filter(({ left }) => !left);
  if (!sent.some(concernsAccess)) return [];
  try {
    const [{ applyTo }, { accessChanges }, { accessSentences }] = await Promise.all([
      import("../../organization/prediction.ts"),
      import("../../permissions/access-changes.ts"),
      import("../org/render.ts"),
    ]);
    const snapshot = await read();
    if (seesOnlyPart(snapshot.organization))
      throw new Refused("only administrators and owners see the whole organization");
    const differences = accessDifferences(snapshot, sent);
    return await accessSentences(accessChanges(snapshot, applyTo(snapshot, differences), differences));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [`It is not known who gains and who loses access: ${error.message}`];
  }
}

async function printPlan(
  context: Context,
  server: Server,
  { logged, reading, items }: { logged: LoggedRun; reading: Reading; items: readonly Item[] },
) {
  const { title, command, run, isSeveral } = logged;
  const { world, flags, names } = context;
  const output = world.stderr;
  const chalk = chalkFor(resultColorLevel(flags.color, output, world.env));
  const fold = await foldingFor(output);
  const access = await accessText(reading, items);
  const head = `${server.site} as ${server.email}: undo ${title}${isSeveral ? "" : `: ${command}`}`;
  const options = { chalk, fold, access, showCommand: `zulipctl log show ${run}` };
  await write(output, await undoText({ names, head }, items, options));
}

/**
 * Returns what is not back: what another reading would still send, and whatever the plan sent that is now something else than
 * it should be.
 */
function notBack(planned: readonly Item[], fresh: readonly Item[]): Item[] {
  const sent = new Set(planned.filter(({ left }) => !left).map(thingKey));
  const leftBefore = new Set(planned.flatMap((item) => (item.left ? [`${thingKey(item)} ${item.left.says}`] : [])));
  return fresh.filter(
    (item) => !item.left || (sent.has(thingKey(item)) && !leftBefore.has(`${thingKey(item)} ${item.left.says}`)),
  );
}

/** Returns whether only refusals failed, and reading tells of them: lists do not show whom the plan deactivates. */
const isRefusalAlone = (failed: Failure | undefined, planned: readonly Item[]): boolean =>
  (failed instanceof Refused || failed instanceof Partial) &&
  !failed.details.more?.not_sent &&
  planned.every(({ left, sign, kind }) => !left && !(sign === "-" && /^(person|bot)$/.test(kind ?? "")));

/** Asks, with the first destructive effects. */
async function askToUndo(
  context: Context,
  server: Server,
  { sent, title, notes }: { sent: readonly Item[]; title: string; notes: string },
): Promise<void> {
  const marks = sent.map(({ effects = [] }) => ({
    destructive: effects.length,
    irreversible: effects.some(({ irreversible }) => irreversible),
  }));
  const effects = firstEffects(sent.map((item) => ({ title: titleOf(item), effects: item.effects })));
  const count = counted(sent.length, "change");
  await context.approve({
    changes: sent.length,
    question: {
      question: `Undo ${count}${markCounts(marks)} of ${title}`,
      consequence: [effects, notes].filter(Boolean).join(" ") || undefined,
    },
    organization: server,
  });
}

/** Returns the requests of the plan, with what is left alone, and what the run would end with. */
async function dryRun(
  server: Server,
  { items, steps }: { items: readonly Item[]; steps: readonly RequestStep[] },
  logged: LoggedRun,
): Promise<Requests> {
  const shown = await showSteps(server, steps);
  const alone = items.flatMap((item): LeftAlone[] => {
    const [{ operation } = {}] = item.changes;
    if (!item.left || !operation) return [];
    return [{ operation: operation.name, target: titleOf(item), outcome: item.left.kind, reason: item.left.says }];
  });
  return { ...requests([...shown, ...alone]), failure: impossibility(items, logged) ?? leftFailure(items, logged) };
}

export const undoRuns =
  (shell: Shell) =>
  async (context: Context, options: Options): Promise<Conclusion> => {
    const { world, flags, note } = context;
    const { job } = flags;
    const typed = options.runs ?? [];
    if (job !== undefined && typed.length)
      throw new Usage("--job cannot be combined with runs", { outcome: "not_sent" });
    const server = await connectForRun(context);
    const history = await History.open(world, (run) => journaled(world, run));
    const words = shell.argvWithout(["job", "only"]);
    const account = { site: server.site, email: server.email };
    const self = await context.run.name();
    const asked = { runs: typed, job: job && jobName(job, "--job"), account, self, words: ["undo"] };
    const choice = await new Chooser(history, asked).choose();
    if ("nothing" in choice) {
      const { nothing, hint } = choice;
      const conclusion = await nothingToSend(context, `nothing to undo: ${nothing}`);
      if (hint !== undefined) await note(hint);
      return conclusion;
    }
    const { others = [] } = choice;
    const othersLeft = `runs of another account or site are left alone: ${joinFirst([...others])}`;
    if (!choice.runs.length)
      throw new Partial(othersLeft, {
        outcome: "not_sent",
        hint: "Use that account: --profile, or the environment.",
      });
    const logged = await loggedRun(history, choice, account);
    const { title, runs } = logged;
    const left = [...logged.left, ...(others.length ? [othersLeft] : [])];
    const whole: LoggedRun = { ...logged, left, isIncomplete: logged.isIncomplete || others.length > 0 };
    const reading = readingOf(server, context);
    const plan = (isSent = false) => {
      const known = { ...whole, isSent, includeLater: options.includeLater };
      return new Planner(whole.entries, new State(server, known, reading));
    };
    const planOnly = async (only?: readonly string[]) => {
      const things =
        only && (await chosenThings(context.names, await beforeSending(() => plan().things()), only, title));
      const read = async () => {
        const planner = plan();
        const items = await planner.items(things);
        const stepsOf = (all: readonly Item[]) => planner.stepsOf(all);
        return { items, stepsOf, violations: violationsOf(planner.judgment, options) };
      };
      return { only, things, read, ...(await beforeSending(read)) };
    };
    const first = await planOnly(options.only ?? choice.continued?.only);
    const isRest = !options.only && isPartDone(choice, first.items);
    const { only, things, read, items, stepsOf, violations } = isRest ? await planOnly() : first;
    await noteContinued(context, choice, isRest);
    for (const line of left) await context.warn(programLine(line));
    const isComplete = ({ input, words: part }: Header) =>
      input.split(" ").every((run) => runs.includes(run)) && (!only || part === only.join(","));
    const finishEarlierRuns = () => markFinished(world, "undo", server, isComplete);
    const isAllLeft = items.every((item) => item.left);
    if (!flags.dryRun && isAllLeft) await finishEarlierRuns();
    if (!items.length) {
      const all = only ? `what ${title} changed of ${only.join(", ")}` : `everything that ${title} changed`;
      const why = whole.entries.some(changedSomething) ? `${all} is back` : `${title} changed nothing`;
      if (!whole.isIncomplete) return nothingToSend(context, `nothing to undo: ${why}`);
      throw new Partial(`nothing else to undo: ${left.join("; ")}`, { outcome: "not_sent" });
    }
    const named = await withNames(context.names, items);
    if (!flags.quiet || !flags.yes) await printPlan(context, server, { logged: whole, reading, items: named });
    const failure = impossibility(named, whole);
    if (failure && !flags.dryRun) throw failure;
    const notes = await beforeSending(async () => checkViolations(context, violations));
    const sent = named.filter((item) => !item.left);
    const place = await chooseJournal(context, {}, "undo");
    return withRun(context, server, { place }, async (run) => {
      if (!run) return dryRun(server, { items: named, steps: stepsOf(named) }, whole);
      await askToUndo(context, server, { sent, title, notes });
      // Somebody else may have changed something while the user decided.
      const fresh = await beforeSending(read);
      if (fresh.violations.length > violations.length)
        await beforeSending(async () => checkViolations(context, fresh.violations));
      const planned = await withNames(context.names, confirmed(items, fresh.items));
      const { rows: sending, order } = moreRows({ differences: planned, steps: fresh.stepsOf(planned) }, 0);
      const rows = sending.map((row, n) => withResult(row, planned[n]));
      const again = [...words, ...(only ? ["--only", only.join(",")] : []), ...runs];
      await context.run.know({ undoes: runs, ...(only && { only }) });
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
          const wrong = notBack(items, await plan(true).items(things));
          if (!wrong.length) {
            await finishEarlierRuns();
            const now = "everything that could go back is back";
            if (isRefusalAlone(failed, planned)) {
              await note(programLine(`${failed?.message}. Verified: ${now}`));
              return whole.isIncomplete ? new Partial(left.join("; ")) : undefined;
            }
            if (whole.isIncomplete && !failed) return new Partial(left.join("; "));
            return endVerified(context, failed, now);
          }
          const titles = wrong.map(titleOf);
          if (!failed) return notInEffect(titles, "back");
          await note(programLine(`not back: ${joinFirst(titles, 10)}`));
          return failed instanceof Conflict ? new Partial(failed.message) : failed;
        },
      });
    });
  };

/** `undo`: compares the log with what is there now, asks, sends what goes back, and reads again. */

import type { Server } from "../../client/server.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { settleTime } from "../../engine/options.ts";
import { saysVerified } from "../../engine/summary.ts";
import { beforeSending, Conflict, type Failure, Partial, Refused, Usage, undefinedOnFailure } from "../../errors.ts";
import { type LogEntry, maskedLine } from "../../log/change-log.ts";
import { commandLine } from "../../notation/shell-words.ts";
import { irreversibleFirst, markCounts } from "../../organization/plan/lines.ts";
import { write } from "../../output/buffered-writer.ts";
import { chalkFor, resultColorLevel } from "../../output/color.ts";
import { foldingFor } from "../../output/line.ts";
import { nothingToSend } from "../../run/commit.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { accountOf, chooseJournal } from "../../run/journal/files.ts";
import { markFinished } from "../../run/journal/mark-finished.ts";
import type { RunRow } from "../../run/journal/row.ts";
import { connect, send, withRun } from "../../run/journal/run.ts";
import { isRunning, unansweredChanges } from "../../run/journal/unanswered.ts";
import type { Shell } from "../../run/shell.ts";
import { accessDifferences, concernsAccess } from "../../undo/access.ts";
import { changed, type LoggedRun, loggedRun } from "../../undo/entries.ts";
import { type Item, titleOf } from "../../undo/item.ts";
import { Planner } from "../../undo/plan.ts";
import { State } from "../../undo/state.ts";
import { showSteps } from "../org/apply/steps.ts";
import { unendedUndo } from "./continued.ts";
import { leftLines, undoText } from "./plan-text.ts";
import { withNames } from "./words.ts";

/** The largest number of destructive effects that the question names. */
const mostEffects = 5;

interface Options {
  only?: string;
}

function chosen(entries: readonly LogEntry[], only: string | undefined, run: string): readonly LogEntry[] {
  if (only === undefined) return entries;
  const text = only.trim().toLowerCase();
  const found = entries.filter(({ target, thing = "" }) => `${target}\n${thing}`.toLowerCase().includes(text));
  if (!found.length)
    throw new Usage(`--only: no change of run ${run} has a target with "${only}"`, {
      hint: `List its changes with: zulipctl log show ${run}`,
      outcome: "not_sent",
    });
  return found;
}

/** What is left alone has a result without a request. */
function rowOf({ changes, left }: Item, n: number): RunRow {
  if (!left) return { row: n + 1, changes };
  const { kind, says } = left;
  const failure =
    kind === "conflict"
      ? new Conflict(says, { outcome: "not_sent" })
      : new Refused(`cannot be undone: ${says}`, { outcome: "not_sent" });
  return { row: n + 1, changes, knownResults: [{ outcome: "refused", failure }] };
}

/** Returns the items of the second reading. What differs from the confirmed plan is a conflict. */
function confirmed(items: readonly Item[], fresh: readonly Item[]): Item[] {
  // The definition of an operation is long.
  const textOf = (item: Item) => JSON.stringify(item, (key, value) => (key === "operation" ? value.name : value));
  const shown = new Set(items.map(textOf));
  return fresh.map((item) =>
    shown.has(textOf(item))
      ? item
      : { ...item, left: item.left ?? { kind: "conflict", says: "it was changed just now" } },
  );
}

/** Throws what the run would end with if nothing of it goes back. */
function checkPossible(items: readonly Item[], run: string): void {
  if (!items.length || items.some(({ left }) => !left)) return;
  const message = `nothing of run ${run} can be undone: ${leftLines(items, true).slice(0, 10).join("; ")}`;
  const isConflict = items.every(({ left }) => left?.kind === "conflict");
  throw new (isConflict ? Conflict : Refused)(message, { outcome: "not_sent" });
}

/** Returns who gains and who loses permissions. */
async function accessText(context: Context, server: Server, items: readonly Item[]): Promise<string[]> {
  const sent = items.filter(({ left }) => !left);
  if (!sent.some(concernsAccess)) return [];
  const { world, command } = context;
  try {
    const [{ takeSnapshot }, { applyTo }, { rightsText }] = await Promise.all([
      import("../../organization/fetch-snapshot.ts"),
      import("../../organization/prediction.ts"),
      import("../org/render.ts"),
    ]);
    const snapshot = await takeSnapshot(server, { command, now: world.clock.now() });
    return await rightsText(context, snapshot, applyTo(snapshot, accessDifferences(snapshot, sent)));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [`It is not known who gains and who loses access: ${error.message}`];
  }
}

async function printPlan(context: Context, server: Server, { run, command }: LoggedRun, items: readonly Item[]) {
  const { world, flags, find } = context;
  const output = world.stderr;
  const chalk = chalkFor(resultColorLevel(flags.color, output, world.env));
  const fold = await foldingFor(output);
  const access = await accessText(context, server, items);
  const head = `${server.site} as ${server.email}: undo run ${run}: ${command}`;
  const options = { chalk, fold, access, showCommand: `zulipctl log show ${run}` };
  await write(output, await undoText({ find, head }, items, options));
}

const keyOf = ({ kind, id, name }: Item): string => `${kind} ${id ?? name}`;

/**
 * Returns what is not back. `failed`: something was not done, so what the plan changed counts, too, if another reading
 * would leave it alone.
 */
function notBack(planned: readonly Item[], fresh: readonly Item[], failed: Failure | undefined): Item[] {
  const sent = new Set(failed && planned.filter(({ left }) => !left).map(keyOf));
  return fresh.filter((item) => !item.left || sent.has(keyOf(item)));
}

/** Asks, with the first destructive effects. */
async function askToUndo(context: Context, server: Server, sent: readonly Item[], run: string): Promise<void> {
  const marks = sent.map(({ destructive = [] }) => ({
    destructive: destructive.length,
    irreversible: destructive.some(({ irreversible }) => irreversible),
  }));
  const effects = sent
    .flatMap((item) => (item.destructive ?? []).map((one) => ({ ...one, title: titleOf(item) })))
    .sort(irreversibleFirst)
    .map(({ title, says }) => `${title}: ${says}.`);
  const more = effects.length - mostEffects;
  const count = counted(sent.filter(({ isBetween }) => !isBetween).length, "change");
  await context.approve({
    changes: sent.length,
    question: {
      question: `Undo ${count}${markCounts(marks)} of run ${run}`,
      consequence:
        [...effects.slice(0, mostEffects), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ") || undefined,
    },
    organization: server,
  });
}

export const undoes =
  (shell: Shell) =>
  async (context: Context, options: Options, wanted = "last"): Promise<Conclusion> => {
    const { world, flags, note } = context;
    const server = await connect(context);
    const find = (run: string) => loggedRun(world, run, server, (...asked) => unansweredChanges(world, ...asked));
    const newest = await find(wanted);
    const unended = wanted === "last" ? await unendedUndo(world, newest) : undefined;
    // The log may no longer have what an old undo took back.
    const earlier = unended && (await undefinedOnFailure(find(unended.run)));
    const continued = earlier && unended;
    const logged = earlier ?? newest;
    const only = options.only ?? continued?.only;
    const { run: name, entries: all } = logged;
    for (const journal of new Set(all.flatMap(({ journal }) => journal ?? [])))
      if (await isRunning(world, journal))
        throw new Usage(`run ${name} is still running`, {
          outcome: "not_sent",
          hint: "Wait until that run ends, or stop it.",
        });
    // Another run may be the last one then.
    const again = continued?.run ?? (wanted === "last" ? name : wanted);
    if (continued)
      await note(
        `zulipctl: the undo ${newest.run} of run ${again} has changes without an answer or not sent: continuing it. To take back what it did: zulipctl undo ${newest.run}`,
      );
    for (const line of logged.left) await context.warn(`zulipctl: ${line}`);
    const entries = chosen(all, only, name);
    const finishEarlierRuns = () =>
      markFinished(world, "undo", server, ({ input, words }) => input === again && (words === only || !only));
    const read = () => new Planner(entries, new State(server, logged)).items();
    const items = await beforeSending(read);
    if (!flags.dryRun && items.every(({ left }) => left)) await finishEarlierRuns();
    if (!items.length) {
      const why = entries.some(changed) ? `everything that run ${name} changed is back` : `run ${name} changed nothing`;
      return nothingToSend(context, `nothing to undo: ${why}`);
    }
    const named = await withNames(context.find, items);
    if (!flags.quiet || !flags.yes) await printPlan(context, server, logged, named);
    checkPossible(named, name);
    const sent = named.filter(({ left }) => !left);
    const place = await chooseJournal(world, {}, "undo");
    return withRun(context, server, { place }, async (run) => {
      if (!run) {
        const steps = sent.flatMap(({ changes }, of) => changes.map((change) => ({ change, of, needs: [] })));
        return showSteps(server, steps);
      }
      await askToUndo(context, server, sent, name);
      // Somebody else may have changed something while the user decided.
      const rows = (await withNames(context.find, confirmed(items, await beforeSending(read)))).map(rowOf);
      const inherited = only !== undefined && options.only === undefined ? ["--only", only] : [];
      const words = [...shell.argvWithout([]), ...inherited];
      return send(context, server, run, {
        input: {
          ...accountOf(server),
          ...{ input: again, words: only ?? "" },
          rows: rows.length,
          // Once it is logged, this undo is the last run.
          command: maskedLine([...words, name], []),
        },
        options: { merge: false, settle: settleTime },
        rows,
        resumeCommand: commandLine([...words, again]),
        unit: "change",
        async verify(failed) {
          const left = notBack(items, await read(), failed);
          const now = "everything that could go back is back";
          if (!left.length) await finishEarlierRuns();
          if (!left.length && !saysVerified(failed, now)) await note(`zulipctl: verified: ${now}`);
          if (!left.length || failed) return failed;
          const all = joinFirst(left.map(titleOf), 10);
          return new Partial(`the server accepted these changes, but they are not back: ${all}`);
        },
      });
    });
  };

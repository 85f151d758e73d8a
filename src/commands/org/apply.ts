/** `org apply`: compares, asks, compares again, sends the changes that are still as confirmed, and verifies. */
import { outputOptions } from "../../argv/flags.ts";
import { accountPath, chooseJournal, hashOf, loggedName } from "../../batch/journals.ts";
import { markFinished } from "../../batch/mark-finished.ts";
import { fields, listing } from "../../batch/results.ts";
import type { BatchRow } from "../../batch/validation.ts";
import type { Server } from "../../client/server.ts";
import { counted } from "../../common/counted.ts";
import type { Header, RunKind } from "../../engine/journal.ts";
import { settleTime } from "../../engine/options.ts";
import { Run } from "../../engine/run.ts";
import { transport } from "../../engine/transport.ts";
import { asError, beforeSending, Failure, Interrupted, Usage } from "../../errors.ts";
import { maskedLine } from "../../log/change-log.ts";
import { commandLine } from "../../notation/shell-words.ts";
import { reachIn } from "../../organization/group-members.ts";
import { guards } from "../../organization/guards.ts";
import { namesIn } from "../../organization/naming.ts";
import { markCounts } from "../../organization/plan/lines.ts";
import type { Plan } from "../../organization/plan.ts";
import { predict } from "../../organization/prediction.ts";
import { checkOutputOptions, loadPrinter } from "../../output/printer.ts";
import { deprecations } from "../../run/commit.ts";
import { type Conclusion, type Context, requests } from "../../run/context.ts";
import type { Shell } from "../../run/shell.ts";
import { type Input, type Options, readInput, safeOperands } from "./apply/input.ts";
import { rowsOf, showSteps } from "./apply/steps.ts";
import { verification } from "./apply/verification.ts";
import { checkGuards } from "./plan-files.ts";
import { fetchSnapshot } from "./read.ts";
import { printPlan } from "./render.ts";

/** Prints the plan and asks for confirmation, on stderr: stdout gets the results. */
async function askToApply(
  context: Context,
  server: Server,
  plan: Plan,
  form: Pick<Input, "rights"> & Pick<Options, "details">,
): Promise<void> {
  const { world, flags } = context;
  const { differences } = plan.comparison;
  if (!flags.quiet || !flags.yes) await printPlan(context, world.stderr, plan, form);
  const what = differences.length === 1 ? "this change" : `these ${counted(differences.length, "change")}`;
  const question = `Apply ${what}${markCounts(differences)}`;
  await context.approve({
    changes: differences.length,
    question: { question, preposition: "to" },
    organization: server,
  });
}

const nothing: Conclusion = { kind: "changes", sentences: [], outcomes: [], ids: [] };

interface Application {
  readonly kind: RunKind;
  readonly input: Input;
  readonly options: Pick<Options, "journal" | "verify" | "details">;
}

export const applyFiles =
  (shell: Shell) =>
  async (context: Context, options: Options, operands: string[] = []): Promise<Conclusion> => {
    const input = await readInput(context, options, operands);
    return applyInput(shell)(context, { kind: "org apply", input, options });
  };

/** Plans, asks, sends and verifies. `users offboard` uses it too. */
export const applyInput =
  (shell: Shell) =>
  async (context: Context, { kind, input, options }: Application): Promise<Conclusion> => {
    const { world, flags, note } = context;
    await checkOutputOptions(outputOptions(flags), [...fields, "ignored", "unchanged"]);
    const server = await beforeSending(() => context.server());
    const place = await chooseJournal(world, { journal: options.journal }, kind);
    const lock = accountPath(world, server.site, server.email);
    const run = flags.dryRun ? undefined : await Run.open(world, place, false, lock);
    let started = false;
    try {
      const first = await beforeSending(() => fetchSnapshot(context));
      // The log needs the names of people and things.
      const names = namesIn(first);
      context.find.nameOf = async (kind, id) => names[kind].get(id);
      const plan = await input.plan(first);
      const command = maskedLine(shell.argv, []);
      const isPiped = input.operands.includes("-");
      // What came through another pipe may be something else.
      const isSame = ({ site, account, command: typed }: Header) =>
        site === first.site && account === first.email && typed === command && !isPiped;
      if (!plan.comparison.differences.length) {
        if (run) await markFinished(world, kind, isSame);
        const { length: withheld } = plan.comparison.withheld;
        const says = withheld
          ? `: no changes; ${withheld} to remove (kept: no --prune)`
          : `${kind === "org apply" ? " already matches" : ""}: no changes`;
        await note(`zulipctl: ${first.site}${says}`);
        return flags.dryRun ? requests([]) : nothing;
      }
      const checkLevels = async ({ steps }: Plan) => {
        for (const { change } of steps) await beforeSending(() => server.featureLevel.check(change, change));
      };
      if (!run) {
        await checkLevels(plan);
        return await showSteps(server, plan.steps);
      }
      await askToApply(context, server, plan, { rights: input.rights, details: options.details });
      await beforeSending(() => loadPrinter(outputOptions(flags)));
      // Somebody else may have changed something while the user decided.
      const second = await beforeSending(() => fetchSnapshot(context));
      const fresh = input.replan(second);
      await checkLevels(fresh);
      const rows = rowsOf(plan, fresh);
      const { sent: differences } = rows;
      checkGuards(guards(predict(reachIn(second), differences), input.allowed));
      const changes = fresh.steps.map(({ change }) => change);
      await beforeSending(() => deprecations(context, changes));
      const about = {
        site: second.site,
        account: second.email,
        input: hashOf(rows.differences),
        words: "",
        rows: rows.rows.length,
        command,
      };
      // The plan shows the number of requests, and long lists are split on purpose.
      const engine = await run.begin<BatchRow>(about, [], transport(server, loggedName(place)), {
        merge: false,
        order: rows.order,
        settle: settleTime,
      });
      started = true;
      const { collect, more, verify } = verification(context, input, rows);
      const results = listing(context, {
        run,
        engine,
        rows: rows.rows,
        resumeCommand: commandLine([...shell.argvWithout(["journal"]), ...safeOperands(input.operands)]),
        isPiped,
        unit: "change",
        onFinished: collect,
        ...(options.verify !== false && { more }),
      });
      if (options.verify === false) return results;
      const finish = async () => {
        const failed = await verify(await results.finish?.(), engine.stopped);
        if (!failed) await markFinished(world, kind, isSame);
        return failed;
      };
      return { ...results, finish };
    } catch (error) {
      if (started || input.path === undefined || error instanceof Failure || error instanceof Interrupted) throw error;
      // The digest does not check the shape of the content. Nothing was sent.
      throw new Usage(`${input.path} is damaged: ${asError(error).message}`, {
        cause: error,
        outcome: "not_sent",
      });
    } finally {
      if (!started) await run?.close();
    }
  };

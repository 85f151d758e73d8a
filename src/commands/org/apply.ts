/** `org apply`: compares, asks, compares again, sends the changes that are still as confirmed, and verifies. */

import type { Server } from "../../client/server.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { commandLine } from "../../common/shell-words.ts";
import { firstEffects } from "../../effects/policy.ts";
import { checkTime } from "../../engine/engine-options.ts";
import type { RunKind } from "../../engine/journal.ts";
import { asError, beforeSending, Failure, Interrupted, Usage } from "../../errors.ts";
import { maskedLine } from "../../log/masking.ts";
import { groupMembershipIn } from "../../organization/group-members.ts";
import { guardsOf } from "../../organization/guards.ts";
import type { OrganizationPlan } from "../../organization/make-plan.ts";
import { namesIn } from "../../organization/naming.ts";
import { markCounts } from "../../organization/plan/lines.ts";
import { predict } from "../../organization/prediction.ts";
import { differenceTitle } from "../../organization/section-registry.ts";
import { programLine } from "../../output/line.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import { deprecations, nothingToSend } from "../../run/commit.ts";
import { type Conclusion, type Context, requests } from "../../run/context.ts";
import { chooseJournal, hashOf, headerAccount } from "../../run/journal/journal-files.ts";
import { markFinished } from "../../run/journal/mark-finished.ts";
import { connectForRun, sendRows, withRun } from "../../run/journal/run-with-journal.ts";
import type { Shell } from "../../run/shell.ts";
import { type ApplyInput, type ApplyOptions, readInput, safeOperands } from "./apply/apply-input.ts";
import { applyRows, showSteps } from "./apply/apply-rows.ts";
import { Verification } from "./apply/verification.ts";
import { checkGuards, withAccess } from "./plan.ts";
import { fetchSnapshot } from "./read.ts";
import { printPlan } from "./render.ts";

/** Prints the plan and asks for confirmation, on stderr: stdout gets the results. */
async function askToApply(
  context: Context,
  server: Server,
  plan: OrganizationPlan,
  { rights, details }: Pick<ApplyInput, "rights"> & Pick<ApplyOptions, "details">,
): Promise<void> {
  const { world, flags } = context;
  const { differences } = plan.comparison;
  if (!flags.quiet || !flags.yes)
    await printPlan(context, world.stderr, rights ? await withAccess(context, plan) : plan, { details });
  const what = differences.length === 1 ? "this change" : `these ${counted(differences.length, "change")}`;
  const question = `Apply ${what}${markCounts(differences)}`;
  const consequence = firstEffects(differences.map((one) => ({ title: differenceTitle(one), effects: one.effects })));
  await context.approve({
    changes: differences.length,
    question: { question, preposition: "to", consequence: consequence || undefined },
    organization: server,
  });
}

interface Application {
  readonly kind: RunKind;
  readonly input: ApplyInput;
  readonly options: Pick<ApplyOptions, "journal" | "verify" | "details">;
}

export const applyFiles =
  (shell: Shell) =>
  async (context: Context, options: ApplyOptions, operands: string[] = []): Promise<Conclusion> => {
    const input = await readInput(context, options, operands);
    return applyInput(shell)(context, { kind: "org apply", input, options }).catch((error) => {
      if (input.path === undefined || error instanceof Failure || error instanceof Interrupted) throw error;
      // The digest does not check the shape of the content. Nothing was sent.
      throw new Usage(`${input.path} is damaged: ${asError(error).message}`, { cause: error, outcome: "not_sent" });
    });
  };

/** Plans, asks, sends and verifies. `users offboard` uses it too. */
export const applyInput =
  (shell: Shell) =>
  async (context: Context, { kind, input, options }: Application): Promise<Conclusion> => {
    const { world } = context;
    const server = await connectForRun(context);
    const place = await chooseJournal(context, { journal: options.journal }, kind);
    return withRun(context, server, { place }, async (run) => {
      const first = await beforeSending(() => fetchSnapshot(context, input));
      // The log needs the names of people and things.
      const names = namesIn(first);
      context.names.nameOf = async (kind, id) => names[kind].get(id);
      const plan = await input.plan(first);
      // The command that resumes has its words in another order.
      const words = hashOf([shell.argvWithout(["journal", "output", "quiet", "yes"]).sort(), input.operands]);
      const isPiped = input.operands.includes("-");
      // What came through another pipe may be something else.
      const finishEarlierRuns = () => markFinished(world, kind, server, (header) => header.words === words && !isPiped);
      if (!plan.comparison.differences.length) {
        if (run) await finishEarlierRuns();
        const { onlyWithPrune, deactivated } = plan.comparison;
        const kept = [
          onlyWithPrune.length && `${onlyWithPrune.length} to remove (kept: no --prune)`,
          deactivated.length && `deactivated, and stays so: ${joinFirst(deactivated.map(differenceTitle), 10)}`,
        ].filter(Boolean);
        const matches = kind === "org apply" && !kept.length ? " already matches" : "";
        return nothingToSend(context, `${server.site}${matches}: ${["no changes", ...kept].join("; ")}`);
      }
      const checkLevels = async ({ steps }: OrganizationPlan) => {
        for (const { change } of steps) await beforeSending(() => server.featureLevel.check(change, change));
      };
      const noteLines = async (lines: readonly string[] = []) => {
        for (const line of lines) await context.note(sanitizeLine(programLine(line)));
      };
      const noteRemains = () => noteLines(input.remains?.());
      if (!run) {
        await checkLevels(plan);
        await noteLines(input.warnings?.());
        await noteRemains();
        return requests(await showSteps(server, plan.steps, context.names));
      }
      await noteLines(input.warnings?.());
      await askToApply(context, server, plan, { rights: input.rights, details: options.details });
      // Somebody else may have changed something while the user decided.
      const second = await beforeSending(() => fetchSnapshot(context, input));
      const fresh = await input.replan(second);
      await checkLevels(fresh);
      const { rows, order, differences, sent } = applyRows(plan, fresh);
      const ordering = { verifyWith: input.verifyWith, portion: context.world.peoplePerRequest };
      checkGuards(await guardsOf(predict(groupMembershipIn(second), sent), ordering, input.allowed));
      const changes = fresh.steps.map(({ change }) => change);
      await beforeSending(() => deprecations(context, changes));
      const verification = new Verification(context, input, differences);
      const verifies = options.verify !== false && {
        more: () => verification.more(),
        async verify(failed: Failure | undefined) {
          const failure = await verification.verify(failed);
          if (!failure) await finishEarlierRuns();
          await noteRemains();
          return failure;
        },
      };
      return sendRows(context, server, run, {
        input: {
          ...headerAccount(server),
          ...{ input: hashOf(differences), words, rows: rows.length },
          command: maskedLine(shell.argv, []),
        },
        // The plan shows the number of requests, and long lists are split on purpose.
        options: { merge: false, order, checkUnanswered: checkTime },
        rows,
        resumeCommand: commandLine([...shell.argvWithout(["journal"]), ...safeOperands(input.operands)]),
        isPiped,
        unit: "change",
        onFinished: (finished) => verification.collect(finished),
        ...verifies,
      });
    });
  };

/** The input of `org apply`, from files or a plan file, and the plans made from it. */
import { joinFirst } from "../../../common/counted.ts";
import { commandLine } from "../../../common/shell-words.ts";
import { Conflict, Usage } from "../../../errors.ts";
import { type Comparison, compare } from "../../../organization/compare.ts";
import { type Difference, idIn } from "../../../organization/difference.ts";
import { groupMembershipIn } from "../../../organization/group-members.ts";
import type { GuardOverrides } from "../../../organization/guards.ts";
import type { OrganizationPlan } from "../../../organization/make-plan.ts";
import { isPlan, type PlanFile, readPlan } from "../../../organization/plan/plan-file.ts";
import { wordingOf } from "../../../organization/plan/wording.ts";
import { recheck } from "../../../organization/recheck.ts";
import { differenceTitle } from "../../../organization/section-registry.ts";
import type { Snapshot } from "../../../organization/snapshot.ts";
import type { Context } from "../../../run/context.ts";
import { checkGuards, checkRefused, type PlanFlags, planFiles, planOn, printNotices } from "../plan.ts";
import { asksForInvitations, documentOf, sourcesOf } from "../read.ts";

export interface ApplyOptions extends PlanFlags {
  journal?: string;
  /** False for `--no-verify`. */
  verify?: boolean;
  /** Show the details of all changes of a large plan. */
  details?: boolean;
}

const planAgain = { outcome: "not_sent", hint: "Plan again with: zulipctl org plan <file> --out plan.json" } as const;

/** The desired state, and how to plan it. */
export interface ApplyInput {
  readonly allowed: GuardOverrides;
  /** The path of a plan file. */
  readonly path?: string | undefined;
  /** What names the same in a later run. */
  readonly operands: readonly string[];
  /** The command that shows the remaining differences. */
  readonly verifyWith: string;
  /** Makes the first plan. Throws `Usage`, `Refused` or `Conflict` if it cannot be applied. */
  plan(snapshot: Snapshot): Promise<OrganizationPlan>;
  /** Makes the plan again, right before the first request. */
  replan(snapshot: Snapshot): Promise<OrganizationPlan>;
  /** Compares once more after all requests. */
  remaining(snapshot: Snapshot): Pick<Comparison, "differences" | "problems">;
  /** Returns lines about what should be done before the changes. They are printed before the plan is confirmed. */
  warnings?(): readonly string[];
  /** Returns lines about what still works after the changes. They are printed after a dry run, and at the end. */
  remains?(): readonly string[];
  /** False if invitations do not matter: servers do not show them to bots. */
  readonly invitations: boolean;
  /** Whether the plan shows who gains and loses permissions. */
  readonly rights: boolean;
  /** For messages: follows "this". */
  readonly differs: string;
}

/** Writes operands so that none is read as a flag. */
export const safeOperands = (operands: readonly string[]): string[] => [
  ...(operands.some((each) => /^-./.test(each)) ? ["--"] : []),
  ...operands,
];

/** Reads the operands. Throws `Usage` for flags and files that cannot be combined. */
export async function readInput(
  context: Context,
  options: ApplyOptions,
  operands: readonly string[],
): Promise<ApplyInput> {
  if (!operands.length) throw new Usage("missing file", { hint: "For example: zulipctl org apply organization.yaml" });
  const sources = await sourcesOf(context, operands);
  const [from] = sources.flatMap(({ name, bytes }) => {
    const text = Buffer.from(bytes).toString("utf8");
    return isPlan(text) ? [{ path: name, kept: readPlan(text, name) }] : [];
  });
  if (from && sources.length > 1) throw new Usage(`${from.path} is a plan: it cannot be combined with other files`);
  if (from && options.prune)
    throw new Usage(`--prune cannot be combined with a plan file: ${from.path} is already planned`, {
      hint: "Plan again with: zulipctl org plan <file> --prune --out plan.json",
    });
  const document = from ? undefined : await documentOf(context, sources);
  const content = from?.kept.content ?? document?.value ?? {};
  const prune = from?.kept.prune ?? options.prune ?? false;
  // Neither a plan file nor stdin can be planned once more.
  const command = from || operands.includes("-") ? ["apply", "-n"] : ["plan", ...(prune ? ["--prune"] : [])];
  const verifyWith = commandLine(["org", ...command, ...safeOperands(operands)]);

  const planOptions = { ...options, prune, verifyWith };
  const planNow = (snapshot: Snapshot) => planOn(context, snapshot, content, planOptions);

  let confirmed: readonly Difference[] = from?.kept.changes ?? [];

  return {
    allowed: options,
    path: from?.path,
    operands,
    verifyWith,
    invitations: asksForInvitations(content),
    rights: true,
    differs: "differs from the files",
    remaining: (snapshot) => compare(groupMembershipIn(snapshot), content, { prune }),

    async plan(snapshot) {
      if (from) checkPlannedFor(from.path, from.kept, snapshot);
      const plan = document ? await planFiles(context, { document, snapshot }, planOptions) : await planNow(snapshot);
      if (document) await printNotices(context, document, plan);
      if (from) {
        const { conflicts } = recheck(from.kept.changes, plan.comparison.differences, wordingOf(plan.result));
        const changed = [...conflicts].map(([one, says]) => `${differenceTitle(one)} ${says}`);
        refuseIfChanged(plan, from.path, [...changed, ...deactivatedIn(plan, confirmed)]);
      }
      confirmed = plan.comparison.differences;
      checkRefused(plan);
      checkGuards(plan.guards);
      return plan;
    },

    // The confirmed plan was possible, so a problem now is a conflict.
    async replan(snapshot) {
      const plan = await planNow(snapshot);
      refuseIfChanged(plan, "the plan", deactivatedIn(plan, confirmed));
      checkRefused(plan);
      return plan;
    },
  };
}

function checkPlannedFor(path: string, saved: PlanFile, { site, email, feature_level: level }: Snapshot): void {
  const differs = [
    saved.site !== site && `${saved.site}, and this is ${site}`,
    saved.email !== email && `${saved.email}, and this is ${email}`,
    saved.feature_level !== level && `feature level ${saved.feature_level}, and this server has ${level}`,
  ].find(Boolean);
  if (differs) throw new Usage(`${path} was planned for ${differs}`, planAgain);
}

/** Returns the confirmed accounts that somebody deactivated since. Their changes are no differences any more. */
const deactivatedIn = ({ comparison: { deactivated } }: OrganizationPlan, confirmed: readonly Difference[]): string[] =>
  deactivated.flatMap((one) => {
    const isConfirmed = confirmed.some((each) => each.section === one.section && idIn(each) === one.id);
    return isConfirmed ? [`${differenceTitle(one)} was deactivated`] : [];
  });

function refuseIfChanged({ comparison }: OrganizationPlan, path: string, changed: readonly string[] = []): void {
  const problems = comparison.problems.map(({ message }) => message);
  const all = problems.length ? problems : changed;
  if (!all.length) return;
  const what = `the organization changed since ${path} was made`;
  throw new Conflict(`nothing was sent: ${what}: ${joinFirst(all, 10)}`, planAgain);
}

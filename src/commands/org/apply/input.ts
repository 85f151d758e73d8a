/** What is to be applied, from files or a plan file, and the plan that comes of it each time the organization is read. */
import { firstOf } from "../../../counted.ts";
import { Conflict, Refused, Usage } from "../../../errors.ts";
import type { Content, Document } from "../../../organization/content.ts";
import type { Difference } from "../../../organization/difference.ts";
import type { Allowed, GuardViolation } from "../../../organization/guards.ts";
import { calledIn } from "../../../organization/labels.ts";
import { isPlan, type KeptPlan, readPlan } from "../../../organization/plan/file.ts";
import { type Plan, planned } from "../../../organization/plan.ts";
import { recheck } from "../../../organization/recheck.ts";
import type { Snapshot } from "../../../organization/snapshot.ts";
import type { Context } from "../../../run/context.ts";
import { documentOf, sourcesOf } from "../files.ts";
import { checkPlanned, tellNotices } from "../plan.ts";

export interface Options {
  prune?: boolean;
  journal?: string;
  maxRemovals?: number;
  allowEmpty?: boolean;
  allowLockout?: boolean;
  /** False for `--no-verify`. */
  verify?: boolean;
}

export interface Input {
  readonly content: Content;
  readonly prune: boolean;
  /** Absent for a plan file. */
  readonly document?: Document;
  readonly plan?: { readonly path: string; readonly kept: KeptPlan };
}

export const allowedBy = ({ allowEmpty = false, allowLockout = false, maxRemovals }: Options): Allowed => ({
  empty: allowEmpty,
  lockout: allowLockout,
  removals: maxRemovals,
});

/** Reads what the command line names. Throws `Usage` for what cannot go together. */
export async function inputOf(
  context: Context,
  { prune = false }: Options,
  operands: readonly string[],
): Promise<Input> {
  if (!operands.length) throw new Usage("missing file", { hint: "For example: zulipctl org apply organization.yaml" });
  const sources = await sourcesOf(context, operands);
  const [plan] = sources.flatMap(({ name, bytes }) => {
    const text = Buffer.from(bytes).toString("utf8");
    return isPlan(text) ? [{ path: name, kept: readPlan(text, name) }] : [];
  });
  if (!plan) {
    const document = await documentOf(context, sources);
    return { content: document.value, prune, document };
  }
  if (sources.length > 1) throw new Usage(`${plan.path} is a plan: it cannot be combined with other files`);
  if (prune)
    throw new Usage(`--prune cannot be combined with a plan file: ${plan.path} is already planned`, {
      hint: "Plan again with: zulipctl org plan <file> --prune --out plan.json",
    });
  return { content: plan.kept.content, prune: plan.kept.prune, plan };
}

/**
 * The plan as the organization is now. Throws what stands in its way: `Usage`, `Refused`, or `Conflict` where a plan file
 * is no longer what planning gives.
 */
export async function planFor(
  context: Context,
  options: Options,
  { content, prune, document, plan: file }: Input,
  snapshot: Snapshot,
  verifyWith: string,
): Promise<Plan> {
  if (file) checkPlanFile(file, snapshot);
  const made = computed(context, options, { content, prune }, snapshot, verifyWith);
  const { comparison } = made;
  if (document) {
    await checkPlanned(document, snapshot, comparison);
    await tellNotices(context, document, made);
  }
  if (file) {
    const { conflicts } = recheck(file.kept.changes, comparison.differences, snapshot);
    refuseChanged(
      comparison.problems.map(({ says }) => says),
      file.path,
    );
    refuseChanged(conflictsInWords(conflicts), file.path);
  }
  checkRefused(made);
  checkGuards(made.guards);
  return made;
}

const computed = (
  { world: { portion, signals } }: Context,
  options: Options,
  { content, prune }: Input,
  snapshot: Snapshot,
  verifyWith: string,
): Plan => signals.computing(() => planned(snapshot, content, { prune, portion, verifyWith, ...allowedBy(options) }));

/** The same once more, right before the first request. What the file says could be made so when it was confirmed. */
export function planAgain(
  context: Context,
  options: Options,
  input: Input,
  snapshot: Snapshot,
  verifyWith: string,
): Plan {
  const made = computed(context, options, input, snapshot, verifyWith);
  refuseChanged(
    made.comparison.problems.map(({ says }) => says),
    "the plan",
  );
  checkRefused(made);
  return made;
}

const conflictsInWords = (conflicts: ReadonlyMap<Difference, string>): string[] =>
  [...conflicts].map(([one, says]) => `${calledIn(one)} ${says}`);

function refuseChanged(all: readonly string[], path: string): void {
  if (!all.length) return;
  throw new Conflict(`nothing was sent: the organization changed since ${path} was made: ${firstOf(all, 10)}`, {
    outcome: "not_sent",
    hint: "Plan again with: zulipctl org plan <file> --out plan.json",
  });
}

/** Throws `Refused` where the server would refuse something. */
function checkRefused({ comparison: { refused } }: Plan): void {
  if (!refused.length) return;
  const all = refused.map((each) => `${calledIn({ ...each, action: "update" })}: ${each.says}`);
  throw new Refused(`nothing was sent: the server would refuse some of it: ${firstOf(all, 10)}`, {
    outcome: "not_sent",
    more: { refused: refused.map(({ path: _, ...each }) => each) },
  });
}

export function checkGuards(violations: readonly GuardViolation[]): void {
  if (!violations.length) return;
  const flags = [...new Set(violations.flatMap(({ lifted }) => lifted ?? []))];
  const all = violations.map(({ says }) => says);
  throw new Usage(`nothing was sent: ${firstOf(all, 10)}`, {
    outcome: "not_sent",
    ...(flags.length && { hint: `To do that anyway, add: ${flags.join(" ")}` }),
    more: { guards: violations },
  });
}

function checkPlanFile({ path, kept }: NonNullable<Input["plan"]>, { site, email, feature_level }: Snapshot): void {
  const differs =
    kept.site !== site
      ? `${kept.site}, and this is ${site}`
      : kept.email !== email
        ? `${kept.email}, and this is ${email}`
        : kept.feature_level !== feature_level
          ? `feature level ${kept.feature_level}, and this server has ${feature_level}`
          : undefined;
  if (differs === undefined) return;
  throw new Usage(`${path} was planned for ${differs}`, {
    outcome: "not_sent",
    hint: "Plan again with: zulipctl org plan <file> --out plan.json",
  });
}

/** What is to be applied: the plan of files, of a plan file, or of the run that is gone on with. */
import { firstOf } from "../../../counted.ts";
import type { Run } from "../../../engine/run.ts";
import { Refused, Usage } from "../../../errors.ts";
import { keptStep, type Order } from "../../../organization/apply/steps.ts";
import { calledIn } from "../../../organization/called.ts";
import type { Refusal } from "../../../organization/compare/findings.ts";
import type { Difference } from "../../../organization/difference.ts";
import type { GuardViolation } from "../../../organization/guards.ts";
import { type OrderOptions, ordered, refusedIn } from "../../../organization/order.ts";
import type { Content, Document } from "../../../organization/place.ts";
import { isPlan, type KeptPlan, readPlan } from "../../../organization/plan/file.ts";
import { type Plan, planned, replanned } from "../../../organization/plan.ts";
import type { Snapshot } from "../../../organization/snapshot.ts";
import type { Context } from "../../../run/context.ts";
import { documentOf, sourcesOf } from "../files.ts";
import { checkPlanned, tellNotices } from "../plan.ts";

export interface Options {
  prune?: boolean;
  journal?: string;
  resume?: string;
  maxRemovals?: number;
  allowEmpty?: boolean;
  allowLockout?: boolean;
  /** False for `--no-verify`. */
  verify?: boolean;
}

export interface Input {
  /** What files say; absent where a plan is applied, or the run gone on with. */
  readonly document?: Document;
  readonly plan?: { readonly path: string; readonly kept: KeptPlan };
}

/** What is to be done, as the organization was when it was read first. */
export interface Applying {
  readonly snapshot: Snapshot;
  readonly order: Order;
  /** What the files say, where it was planned from files. */
  readonly files?: Files;
  /** Absent where an earlier run is gone on with. */
  readonly plan?: Plan;
}

export interface Files {
  readonly content: Content;
  readonly prune: boolean;
  /** How many things `--prune` would remove besides. */
  readonly withheld: number;
}

/** Reads what the command line names. Throws `Usage` for what cannot go together. */
export async function asked(context: Context, { prune, resume }: Options, operands: readonly string[]): Promise<Input> {
  if (resume !== undefined) {
    if (prune) throw new Usage("--prune cannot be combined with --resume: the plan of that run is used");
    if (operands.length)
      throw new Usage("--resume takes no file: the plan of that run is used", {
        hint: "To plan again from files, remove --resume.",
      });
    return {};
  }
  if (!operands.length) throw new Usage("missing file", { hint: "For example: zulipctl org apply organization.yaml" });
  const sources = await sourcesOf(context, operands);
  const plans = sources.flatMap(({ name, bytes }) => {
    const text = Buffer.from(bytes).toString("utf8");
    return isPlan(text) ? [{ path: name, kept: readPlan(text, name) }] : [];
  });
  const [plan] = plans;
  if (!plan) return { document: await documentOf(context, sources) };
  if (sources.length > 1) throw new Usage(`${plan.path} is a plan: it cannot be combined with other files`);
  if (prune)
    throw new Usage(`--prune cannot be combined with a plan file: ${plan.path} is already planned`, {
      hint: "Plan again with: zulipctl org plan <file> --prune --out plan.json",
    });
  return { plan };
}

const stillTo = (differences: readonly Difference[], snapshot: Snapshot, options: OrderOptions): Order => {
  const steps = ordered(snapshot, differences, options);
  refuse(refusedIn(steps, differences));
  return { differences, steps: steps.map(keptStep) };
};

/** Throws `Usage` or `Refused` where something stands in its way. */
export async function planOf(
  context: Context,
  { prune = false, allowEmpty, allowLockout, maxRemovals }: Options,
  { document, plan }: Input,
  snapshot: Snapshot,
  verifyWith: string,
): Promise<Applying> {
  const { portion } = context.world;
  if (!document) {
    if (!plan) throw new Error("nothing to plan from");
    check(plan, snapshot);
    refuse(plan.kept.refused);
    const { comparison, ...made } = replanned(snapshot, plan.kept.changes);
    const order = stillTo(comparison.differences, snapshot, { verifyWith, portion });
    return { snapshot, order, plan: { ...made, comparison } };
  }
  const allowed = { empty: allowEmpty ?? false, lockout: allowLockout ?? false, removals: maxRemovals };
  const made = context.world.signals.computing(() => planned(snapshot, document.value, { prune, portion, ...allowed }));
  const { comparison, guards } = made;
  await checkPlanned(document, snapshot, comparison);
  await tellNotices(context, document, { comparison });
  refuse(comparison.refused);
  if (guards.length) throw stopped(guards);
  const files = { content: document.value, prune, withheld: comparison.withheld.length };
  return { snapshot, order: stillTo(comparison.differences, snapshot, { verifyWith, portion }), files, plan: made };
}

/** Throws `Refused` where there is any. */
export function refuse(refused: readonly Refusal[]): void {
  if (!refused.length) return;
  const all = refused.map((each) => `${calledIn({ ...each, action: "update" })}: ${each.says}`);
  throw new Refused(`nothing was sent: the server would refuse some of it: ${firstOf(all, 10)}`, {
    outcome: "not_sent",
    more: { refused: refused.map(({ path: _, ...each }) => each) },
  });
}

export function stopped(standing: readonly GuardViolation[]): Usage {
  const flags = [...new Set(standing.flatMap(({ lifted }) => lifted ?? []))];
  const all = firstOf(
    standing.map(({ says }) => says),
    10,
  );
  return new Usage(`nothing was sent: ${all}`, {
    outcome: "not_sent",
    ...(flags.length && { hint: `To do that anyway, add: ${flags.join(" ")}` }),
    more: { guards: standing },
  });
}

function check({ path, kept }: NonNullable<Input["plan"]>, { site, email, feature_level }: Snapshot): void {
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

/** The plan that a journal keeps. Throws `Usage` where it is that of another organization or account. */
export function keptIn({ earlier, path }: Run, { site, email }: Snapshot): Order {
  const { header } = earlier!;
  if (!header) throw new Usage(`the run of ${path} ended before its plan was saved`, { hint: "Start a new one." });
  if (header.site !== site || header.account !== email)
    throw new Usage(`the journal ${path} belongs to another ${header.site === site ? "account" : "site"}`, {
      outcome: "not_sent",
    });
  return header.plan as Order;
}

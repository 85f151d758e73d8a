/** `org plan`: compares files with an organization, and says what stops the plan. `org apply` uses it too. */

import { outputOptions } from "../../argv/global-flags.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { DifferenceFailure, type Failure, Refused, Usage } from "../../errors.ts";
import { listAttributes } from "../../model/kinds/lists.ts";
import type { Content, Document } from "../../organization/content.ts";
import { type FieldChange, fieldsOf } from "../../organization/difference.ts";
import type { GuardOverrides, GuardViolation } from "../../organization/guards.ts";
import { listChanges } from "../../organization/id-values.ts";
import { makePlan, type OrganizationPlan, type PlanOptions } from "../../organization/make-plan.ts";
import { isPlan, planFileText } from "../../organization/plan/plan-file.ts";
import { completable, differenceTitle } from "../../organization/section-registry.ts";
import type { Snapshot } from "../../organization/snapshot.ts";
import type { ValidationError } from "../../organization/validate.ts";
import { programLine } from "../../output/line.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { saveText } from "../../run/saving.ts";
import { type Compared, documentOf, failureOfProblems, readCompared, sourcesOf } from "./read.ts";
import { checkForm, isForPeople, renderPlan } from "./render.ts";

/** Flags of `org plan` and `org apply`. */
export interface PlanFlags extends GuardOverrides {
  prune?: boolean;
}

/** Makes the error with every problem and its place in the files. */
function problemsIn({ at }: Document, problems: readonly ValidationError[]): Usage {
  const located = problems.map(({ path, message, key }) => ({ location: at(path, key), message }));
  located.sort(({ location: a }, { location: b }) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column,
  );
  return failureOfProblems({ problems: located, count: located.length });
}

/** Makes a plan, with what this account has no right to change among what the server would refuse. */
export async function planOn(
  { world }: Pick<Context, "world">,
  snapshot: Snapshot,
  content: Content,
  options: PlanOptions,
): Promise<OrganizationPlan> {
  const portion = world.peoplePerRequest;
  const { withDenied } = await import("../../permissions/denied-requests.ts");
  return world.signals.runBlocking(async () => withDenied(await makePlan(snapshot, content, { portion, ...options })));
}

/** Plans files. Throws `Usage` for problems in them, and for linkifiers that the server would refuse. */
export async function planFiles(
  context: Context,
  { document, snapshot }: Compared,
  options: PlanOptions,
): Promise<OrganizationPlan> {
  const { value } = document;
  const plan = await planOn(context, snapshot, value, options);
  const { problems, differences } = plan.comparison;
  if (problems.length) throw problemsIn(document, problems);
  if (!differences.some(({ section }) => section === "linkifiers")) return plan;
  const { linkifierProblems } = await import("./linkifiers.ts");
  const ofLinkifiers = linkifierProblems(value, snapshot, differences);
  if (ofLinkifiers.length) throw problemsIn(document, ofLinkifiers);
  return plan;
}

/** Adds who gains and who loses permissions. */
export async function withAccess({ world }: Context, plan: OrganizationPlan): Promise<OrganizationPlan> {
  const { accessChanges } = await import("../../permissions/access-changes.ts");
  const { before, result, comparison } = plan;
  return { ...plan, access: world.signals.runBlocking(() => accessChanges(before, result, comparison.differences)) };
}

/** Returns what the plan takes out of lists that this account could not put back, and why. */
async function takenForGood({ comparison: { differences }, result }: OrganizationPlan): Promise<string[]> {
  const isTaken = ({ field, from, to }: FieldChange) =>
    listAttributes.has(field) && listChanges(from, to)[1].length > 0;
  if (!differences.some((one) => fieldsOf(one).some(isTaken))) return [];
  const { unrestorableMembers } = await import("../../permissions/unrestorable.ts");
  return unrestorableMembers(result, differences);
}

/** Prints notices about parts of the files, and what this account could not take back. */
export async function printNotices({ note }: Context, { at }: Document, plan: OrganizationPlan): Promise<void> {
  const { comparison } = plan;
  for (const { message, path } of comparison.notices) {
    const { file, line, column } = path ? at(path) : { file: undefined, line: 0, column: 0 };
    await note(sanitizeLine(programLine(`${file === undefined ? "" : `${file}:${line}:${column}: `}${message}`)));
  }
  for (const line of await takenForGood(plan)) await note(sanitizeLine(programLine(line)));
}

/** Returns the failure of `--exit-code`: what differs, or would be refused. Undefined if nothing. */
export function differenceFrom(
  other: string,
  { comparison, dropped = [] }: OrganizationPlan,
): DifferenceFailure | undefined {
  const { differences, refused, deactivated } = comparison;
  const count = new Set(
    [...differences, ...refused, ...deactivated, ...dropped].map(({ section, name }) => `${section} ${name}`),
  ).size;
  return count ? new DifferenceFailure(`${counted(count, "thing differs", "things differ")} from ${other}`) : undefined;
}

function refusedFailure({ comparison: { refused } }: OrganizationPlan, start: string): Refused | undefined {
  if (!refused.length) return undefined;
  const all = refused.map((each) => `${differenceTitle({ ...each, action: "update" })}: ${each.says}`);
  return new Refused(`${start}: the server would refuse some of it: ${joinFirst(all, 10)}`, {
    outcome: "not_sent",
    more: { refused },
  });
}

/** Returns what the guards stop, with the flags that allow it. */
function guardFailure(violations: readonly GuardViolation[], start: string): Usage | undefined {
  if (!violations.length) return undefined;
  const flags = new Set(
    violations.map(({ overrideFlag, removals }) => [overrideFlag, removals].filter(Boolean).join(" ")),
  );
  const all = violations.map(({ says }) => says);
  return new Usage(`${start}: ${joinFirst(all, 10, "; ")}`, {
    outcome: "not_sent",
    // No flag overrides some guards.
    ...(!flags.has("") && { hint: `To do that anyway, add: ${[...flags].join(" ")}` }),
    more: { guards: violations },
  });
}

/** Returns the failure with which `org apply` would end before it sends anything. */
function obstacle(plan: OrganizationPlan): Failure | undefined {
  const start = "this plan cannot be applied";
  return refusedFailure(plan, start) ?? guardFailure(plan.guards, start);
}

const nothingSent = "nothing was sent";

/** Throws `Refused` if the server would refuse a change. */
export function checkRefused(plan: OrganizationPlan): void {
  const failure = refusedFailure(plan, nothingSent);
  if (failure) throw failure;
}

/** Throws `Usage` for what the guards stop. */
export function checkGuards(violations: readonly GuardViolation[]): void {
  const failure = guardFailure(violations, nothingSent);
  if (failure) throw failure;
}

/** Throws `Usage` unless the file is new or a plan: nothing else is replaced. */
async function checkOut({ world }: Context, out: string | undefined): Promise<void> {
  if (out === undefined) return;
  const kind = await world.files.kind(out);
  if (kind === undefined) return;
  if (kind !== "file") throw new Usage(`--out: ${out} is not a regular file`);
  const text = await world.files.read(out).catch(() => undefined);
  if (text === undefined || !isPlan(text)) throw new Usage(`--out: ${out} already exists and is not a plan`);
}

export async function planOrganization(
  context: Context,
  flags: PlanFlags & { out?: string; exitCode?: boolean; from?: string; base?: string[]; details?: boolean },
  operands: readonly string[],
): Promise<Conclusion | undefined> {
  const { prune = false, out, from } = flags;
  checkForm(context);
  await checkOut(context, out);
  const compared = await readCompared(context, operands, from);
  const base = flags.base && (await documentOf(context, await sourcesOf(context, flags.base)));
  const planned = await planFiles(context, compared, { ...flags, base: base?.value });
  await printNotices(context, compared.document, planned);
  const { value } = compared.document;
  const listed = value.complete ? [] : completable.filter((name) => value[name]);
  if (listed.length && outputOptions(context.flags).form === "table")
    await context.note(
      programLine(`the file has no "complete": things that it does not list in ${listed.join(", ")} are no difference`),
    );
  if (out !== undefined && !context.flags.dryRun) {
    const { differences: changes } = planned.comparison;
    const text = planFileText(planned.before, { changes, content: compared.document.value, prune });
    await saveText(context, text, { path: out, overwrite: true });
  }
  const difference = flags.exitCode ? differenceFrom("the file", planned) : undefined;
  const shown = isForPeople(context) ? await withAccess(context, planned) : planned;
  return renderPlan(context, shown, { failure: obstacle(planned) ?? difference, details: flags.details });
}

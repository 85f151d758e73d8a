/** `org plan`: shows what a file would change. */
import { roles } from "../../api/users.ts";
import { outputOptions } from "../../argv/flags.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { Difference, type Failure, Refused, Usage } from "../../errors.ts";
import type { Comparison } from "../../organization/compare.ts";
import type { Document } from "../../organization/content.ts";
import { titleOf } from "../../organization/file.ts";
import type { Allowed, GuardViolation } from "../../organization/guards.ts";
import { planRecord, planText } from "../../organization/plan/describe.ts";
import { isPlan, planFileText } from "../../organization/plan/file.ts";
import { makePlan, type Plan } from "../../organization/plan.ts";
import type { ValidationError } from "../../organization/shape.ts";
import { callerRole, type Snapshot } from "../../organization/snapshot.ts";
import { write } from "../../output/buffered-writer.ts";
import { chalkFor, resultColorLevel } from "../../output/color.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { saveText } from "../../run/saving.ts";
import type { Output } from "../../world/world.ts";
import { documentOf, readSnapshotFile, refusal, sourcesOf } from "./files.ts";
import { fetchSnapshot, showReads } from "./snapshot.ts";

/** Flags of `org plan` and `org apply`. */
export interface PlanFlags extends Allowed {
  prune?: boolean;
}

/** Throws `Refused` for a snapshot of an account that does not see everything. */
export function checkWhole(snapshot: Snapshot, from: string): void {
  if (callerRole(snapshot) > roles.administrator)
    throw new Refused(
      `${from} is what ${snapshot.email} sees: only administrators and owners see the whole organization`,
      {
        hint: "Take a snapshot as one of them.",
      },
    );
}

/** Throws `Usage` with every problem and its place in the files. */
function checkProblems({ at }: Document, problems: readonly ValidationError[]): void {
  if (!problems.length) return;
  const located = problems.map(({ path, message, key }) => ({ location: at(path, key), message }));
  located.sort(({ location: a }, { location: b }) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column,
  );
  throw refusal({ problems: located, count: located.length });
}

/** Throws `Usage` for problems of a plan, and for linkifiers that the server would refuse. */
export async function checkPlanned(
  document: Document,
  snapshot: Snapshot,
  { problems, differences }: Comparison,
): Promise<void> {
  checkProblems(document, problems);
  if (!differences.some(({ section }) => section === "linkifiers")) return;
  const { linkifierProblems } = await import("./linkifiers.ts");
  checkProblems(document, linkifierProblems(document.value, snapshot, differences));
}

/** Throws `Usage` unless the file is new or a plan: nothing else is replaced. */
async function checkOut({ world }: Context, out: string | undefined): Promise<void> {
  if (out === undefined) return;
  if (out === "") throw new Usage("--out is empty");
  const kind = await world.files.kind(out);
  if (kind === undefined) return;
  if (kind !== "file") throw new Usage(`--out: ${out} is not a regular file`);
  const text = await world.files.read(out).catch(() => undefined);
  if (text === undefined || !isPlan(text)) throw new Usage(`--out: ${out} already exists and is not a plan`);
}

/** Prints notices about parts of the files. */
export async function printNotices(
  { note }: Context,
  { at }: Document,
  { comparison }: Pick<Plan, "comparison">,
): Promise<void> {
  for (const { message, path } of comparison.notices) {
    const { file, line, column } = path ? at(path) : { file: undefined, line: 0, column: 0 };
    await note(sanitizeLine(`zulipctl: ${file === undefined ? "" : `${file}:${line}:${column}: `}${message}`));
  }
}

/** The largest number of sentences. */
const mostRights = 20;

/** Returns who gains and who loses permissions. Things that the plan creates are skipped. */
async function rights({ world }: Context, snapshot: Snapshot, { comparison, result }: Plan): Promise<string[]> {
  if (!comparison.differences.length) return [];
  const { describeChanges, permissionChanges } = await import("../../permissions/difference.ts");
  const all = world.signals.runBlocking(() =>
    describeChanges(permissionChanges(snapshot, result).changes.filter(({ existsInBoth }) => existsInBoth)),
  );
  const more = all.length - mostRights;
  return more > 0 ? [...all.slice(0, mostRights), `… and ${more} more: see zulipctl permissions diff`] : all;
}

/** Counts the things that differ, or that the server would refuse to change. */
export const countDifferences = ({ comparison: { differences, refused } }: Plan): number =>
  new Set([...differences, ...refused].map(({ section, name }) => `${section} ${name}`)).size;

/** Returns why the server would refuse a part of the plan. */
export function refusedFailure({ comparison: { refused } }: Plan, start: string): Refused | undefined {
  if (!refused.length) return undefined;
  const all = refused.map((each) => `${titleOf({ ...each, action: "update" })}: ${each.says}`);
  return new Refused(`${start}: the server would refuse some of it: ${joinFirst(all, 10)}`, {
    outcome: "not_sent",
    more: { refused: refused.map(({ path: _, ...each }) => each) },
  });
}

/** Returns what the guards stop, with the flags that allow it. */
export function guardFailure(violations: readonly GuardViolation[], start: string): Usage | undefined {
  if (!violations.length) return undefined;
  const flags = [...new Set(violations.flatMap(({ lifted }) => lifted ?? []))];
  const all = violations.map(({ says }) => says);
  return new Usage(`${start}: ${joinFirst(all, 10)}`, {
    outcome: "not_sent",
    ...(flags.length && { hint: `To do that anyway, add: ${flags.join(" ")}` }),
    more: { guards: violations },
  });
}

/** Returns the failure with which `org apply` would end before it sends anything. */
function obstacle(planned: Plan): Failure | undefined {
  const start = "this plan cannot be applied";
  return refusedFailure(planned, start) ?? guardFailure(planned.guards, start);
}

/** Prints a plan as text. */
export async function printPlan(
  context: Context,
  output: Output,
  snapshot: Snapshot,
  planned: Plan,
  withRights = true,
): Promise<void> {
  const { world, flags } = context;
  const chalk = chalkFor(resultColorLevel(flags.color, output, world.env));
  const fold = output.isTerminal ? (await import("../../output/fold.ts")).folding(output.columns || 80) : undefined;
  const options = { chalk, fold, rights: withRights ? await rights(context, snapshot, planned) : [] };
  await write(output, planText(snapshot, planned, options));
}

export async function plan(
  context: Context,
  flags: PlanFlags & { out?: string; exitCode?: boolean; from?: string },
  operands: readonly string[],
): Promise<Conclusion | undefined> {
  const { world } = context;
  const { prune = false, out, from } = flags;
  checkForm(context);
  await checkOut(context, out);
  const sources = await sourcesOf(context, operands);
  const document = await documentOf(context, sources);
  if (from === undefined) await showReads(context);
  const snapshot = from === undefined ? await fetchSnapshot(context) : await readSnapshotFile(context, from);
  if (from !== undefined) checkWhole(snapshot, from);
  const options = { ...flags, portion: world.peoplePerRequest };
  const planned = world.signals.runBlocking(() => makePlan(snapshot, document.value, options));
  await checkPlanned(document, snapshot, planned.comparison);
  await printNotices(context, document, planned);
  if (out !== undefined && !context.flags.dryRun) {
    const { differences: changes } = planned.comparison;
    const text = planFileText(snapshot, { changes, content: document.value, prune });
    await saveText(context, text, { path: out, overwrite: true });
  }
  const count = flags.exitCode ? countDifferences(planned) : 0;
  const says = `${counted(count, "thing differs", "things differ")} from the file`;
  return showPlan(context, snapshot, planned, obstacle(planned) ?? (count ? new Difference(says) : undefined));
}

export function checkForm({ flags, command }: Context): void {
  const { form } = outputOptions(flags);
  if (!["table", "json", "yaml", "markdown", "none"].includes(form))
    throw new Usage(`${command} supports text, JSON, YAML and Markdown, not -o ${form}`);
}

/** Prints a plan in the chosen form. `failure`: ends the command after printing. */
export async function showPlan(
  context: Context,
  snapshot: Snapshot,
  planned: Plan,
  failure?: Failure,
): Promise<Conclusion | undefined> {
  const { world, flags } = context;
  const { form } = outputOptions(flags);
  if (form === "table" && !flags.fields) {
    await printPlan(context, world.stdout, snapshot, planned);
    return failure && { kind: "ended", failure };
  }
  if (form === "markdown") {
    const { planMarkdown } = await import("../../organization/plan/markdown.ts");
    await write(world.stdout, planMarkdown(snapshot, planned, await rights(context, snapshot, planned)));
    return failure && { kind: "ended", failure };
  }
  const result = { kind: "single", record: planRecord(snapshot, planned), columns: [] } satisfies Conclusion;
  return failure ? { kind: "ended", failure, result } : result;
}

/** Prints a plan in the chosen form. */

import { outputOptions } from "../../argv/global-flags.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { type Failure, Usage } from "../../errors.ts";
import type { OrganizationPlan } from "../../organization/make-plan.ts";
import type { AccessChange } from "../../organization/plan/access-change.ts";
import { type CountTable, describePlan, planRecord } from "../../organization/plan/describe.ts";
import { paragraphLines } from "../../organization/plan/lines.ts";
import { write } from "../../output/buffered-writer.ts";
import { chalkFor, resultColorLevel } from "../../output/color.ts";
import { foldingFor } from "../../output/line.ts";
import { escaped, sanitizeLine } from "../../output/sanitize.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import type { Output } from "../../world/world.ts";

/** Places the counts of sections in columns. */
function tableLines({ heads, rows }: CountTable): string[] {
  const cells = [
    ["SECTION", ...heads.map((head) => head.toUpperCase())],
    ...rows.map(({ section, counts }) => [section, ...counts.map((count) => (count ? String(count) : ""))]),
  ];
  const widths = ["", ...heads].map((_, n) => Math.max(...cells.map((row) => row[n]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, n) => (n ? cell.padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

export function checkForm({ flags, command }: Context): void {
  const { form } = outputOptions(flags);
  if (!["table", "json", "yaml", "markdown", "none"].includes(form))
    throw new Usage(`${command} supports text, JSON, YAML and Markdown, not -o ${form}`);
}

/** Returns whether a plan is printed for people, who want to know who gains and who loses permissions. */
export function isForPeople({ flags }: Context): boolean {
  const { form } = outputOptions(flags);
  return form === "markdown" || (form === "table" && !flags.fields);
}

/** The largest number of sentences. */
const mostSentences = 20;

/** Returns sentences about who gains and who loses permissions. */
export async function accessSentences(access: readonly AccessChange[] = []): Promise<string[]> {
  if (!access.length) return [];
  const { describeChanges } = await import("../../permissions/permission-changes.ts");
  const all = describeChanges(access);
  const more = all.length - mostSentences;
  return more > 0 ? [...all.slice(0, mostSentences), `… and ${more} more: see zulipctl permissions diff`] : all;
}

interface PlanForm {
  /** Show the details of all changes of a large plan. */
  readonly details?: boolean | undefined;
}

/** Prints a plan as text. A plan without changes is one line. */
export async function printPlan(
  context: Context,
  output: Output,
  plan: OrganizationPlan,
  { details = false }: PlanForm = {},
): Promise<void> {
  const { world, flags } = context;
  const chalk = chalkFor(resultColorLevel(flags.color, output, world.env));
  const fold = await foldingFor(output);
  const described = describePlan(plan, { isDetailed: details });
  const { otherSide, differs, changes, brief, table, kept, dropped, refused, guarded, counts, unmanaged } = described;
  const { site, email, feature_level } = plan.before;
  // Invisible characters make a name different, so show them.
  const folded = (line: string, hanging: number) => fold(sanitizeLine(escaped(line)), hanging);
  // A job that reports drift prints one line if there is none.
  if (!differs && !changes.length && !guarded.length) {
    const inUse = kept.length ? [`Kept because in use: ${joinFirst(kept, 5)}.`] : [];
    const line = [`${site} matches ${otherSide}.`, ...inUse, ...unmanaged].join(" ");
    return write(output, `${folded(line, 0)}\n`);
  }
  const bad = (line: string) => chalk.red(folded(`✗ ${line}`, 2));
  const left = brief
    ? [`Details of ${counted(brief, "change")} are left out, none of them destructive. To see them, add: --details`]
    : [];
  const parts = [
    [chalk.bold(sanitizeLine(`${site} as ${email}, level ${feature_level}`))],
    table ? tableLines(table) : [],
    changes.flatMap((one) => paragraphLines(one, { chalk, folded })),
    kept.map((one) => folded(`  kept because in use: ${one}`, 4)),
    dropped.map((line) => chalk.yellow(folded(`~ ${line}`, 4))),
    refused.map(bad),
    guarded.map(bad),
    (await accessSentences(plan.access)).map((line) => folded(line, 2)),
    [...left, counts, ...unmanaged].map((line) => folded(line, 0)),
  ];
  const filled = parts.filter((part) => part.length).map((part) => part.join("\n"));
  await write(output, `${filled.join("\n\n")}\n`);
}

/** Prints a plan in the chosen form. `failure`: ends the command after printing. */
export async function renderPlan(
  context: Context,
  plan: OrganizationPlan,
  { failure, details }: { failure?: Failure | undefined } & PlanForm,
): Promise<Conclusion | undefined> {
  const { world, flags } = context;
  const { form } = outputOptions(flags);
  if (form === "table" && !flags.fields) {
    await printPlan(context, world.stdout, plan, { details });
    return failure && { kind: "ended", failure };
  }
  if (form === "markdown") {
    const { planMarkdown } = await import("../../organization/plan/markdown.ts");
    await write(world.stdout, planMarkdown(plan, await accessSentences(plan.access)));
    return failure && { kind: "ended", failure };
  }
  const result = { kind: "single", record: planRecord(plan), columns: [] } satisfies Conclusion;
  return failure ? { kind: "ended", failure, result } : result;
}

/** The third leg of a plan: prints it in the chosen form. */

import { outputOptions } from "../../argv/flags.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { type Failure, Usage } from "../../errors.ts";
import type { Difference } from "../../organization/difference.ts";
import { type CountTable, describePlan, planRecord } from "../../organization/plan/describe.ts";
import { paragraphLines } from "../../organization/plan/lines.ts";
import type { Plan } from "../../organization/plan.ts";
import { everybodyOf, type Snapshot } from "../../organization/snapshot.ts";
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

/** The largest number of sentences. */
const mostRights = 20;

/** Sections and fields on which no permission depends. */
const withoutRights = new Set<string>(["linkifiers", "playgrounds", "emoji", "folders", "profile_fields", "new_users"]);
const plainFields = new Set<string>(["description", "folder", "message_retention_days", "default_push_notifications"]);

/** Returns whether somebody may gain or lose a permission by a change. */
const concernsRights = (one: Difference): boolean =>
  !withoutRights.has(one.section) &&
  !(one.action === "update" && one.fields.every(({ field }) => plainFields.has(field)) && one.section !== "settings");

/** Returns who gains and who loses permissions. An organization is evaluated only if a change concerns them. */
const rights = async (context: Context, { comparison, before, result }: Plan): Promise<string[]> =>
  comparison.differences.some(concernsRights) ? rightsText(context, before, result) : [];

/**
 * Returns sentences. Things and accounts that only `result` has are skipped. So is what people lose because they are
 * deactivated, or because a thing is archived: the plan says that.
 */
export async function rightsText({ world }: Context, before: Snapshot, result: Snapshot): Promise<string[]> {
  const { describeChanges, permissionChanges } = await import("../../permissions/difference.ts");
  const known = new Set(everybodyOf(before).map(({ user_id }) => user_id));
  const active = new Set(result.organization.realm_users.map(({ user_id }) => user_id));
  const all = world.signals.runBlocking(() => {
    const changes = permissionChanges(before, result).changes.filter(({ existsInBoth }) => existsInBoth);
    return describeChanges(
      changes.map((one) => ({
        ...one,
        gain: one.gain.filter(({ user_id }) => known.has(user_id)),
        lose: one.cell.isInactive ? [] : one.lose.filter(({ user_id }) => active.has(user_id)),
      })),
    );
  });
  const more = all.length - mostRights;
  return more > 0 ? [...all.slice(0, mostRights), `… and ${more} more: see zulipctl permissions diff`] : all;
}

interface PlanForm {
  /** Say who gains and who loses permissions. */
  readonly rights?: boolean;
  /** Show the details of all changes of a large plan. */
  readonly details?: boolean | undefined;
}

/** Prints a plan as text. A plan without changes is one line. */
export async function printPlan(
  context: Context,
  output: Output,
  plan: Plan,
  { rights: withRights = true, details = false }: PlanForm = {},
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
    withRights ? (await rights(context, plan)).map((line) => folded(line, 2)) : [],
    [...left, counts, ...unmanaged].map((line) => folded(line, 0)),
  ];
  const filled = parts.filter((part) => part.length).map((part) => part.join("\n"));
  await write(output, `${filled.join("\n\n")}\n`);
}

/** Prints a plan in the chosen form. `failure`: ends the command after printing. */
export async function render(
  context: Context,
  plan: Plan,
  { failure, details }: { failure?: Failure | undefined } & Pick<PlanForm, "details">,
): Promise<Conclusion | undefined> {
  const { world, flags } = context;
  const { form } = outputOptions(flags);
  if (form === "table" && !flags.fields) {
    await printPlan(context, world.stdout, plan, { details });
    return failure && { kind: "ended", failure };
  }
  if (form === "markdown") {
    const { planMarkdown } = await import("../../organization/plan/markdown.ts");
    await write(world.stdout, planMarkdown(plan, await rights(context, plan)));
    return failure && { kind: "ended", failure };
  }
  const result = { kind: "single", record: planRecord(plan), columns: [] } satisfies Conclusion;
  return failure ? { kind: "ended", failure, result } : result;
}

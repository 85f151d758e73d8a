/** Writes a plan as text for people. */
import type { ChalkInstance } from "chalk";
import { counted, joinFirst } from "../../common/counted.ts";
import { escaped, sanitizeLine } from "../../output/sanitize.ts";
import type { Plan } from "../plan.ts";
import type { CountTable } from "./counts.ts";
import { describePlan } from "./describe.ts";
import { paragraphLines } from "./lines.ts";

interface TextOptions {
  chalk: ChalkInstance;
  /** Wraps long lines. Continuation lines are indented by `hanging`. */
  fold?: ((line: string, hanging: number) => string) | undefined;
  /** Sentences about who gains and loses permissions. */
  rights?: readonly string[];
  /** Show the details of all changes of a large plan. */
  details?: boolean | undefined;
}

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

/** Returns the plan as text. A plan without changes is one line. */
export function planText(plan: Plan, options: TextOptions): string {
  const { chalk, fold, rights = [], details: isDetailed = false } = options;
  const { site, email, feature_level } = plan.before;
  const { otherSide, differs, changes, brief, table, kept, refused, guarded, counts, unmanaged } = describePlan(plan, {
    isDetailed,
  });
  // Invisible characters make a name different, so show them.
  const folded = (line: string, hanging: number) => {
    const safe = sanitizeLine(escaped(line));
    return fold ? fold(safe, hanging) : safe;
  };
  const bad = (line: string) => chalk.red(folded(`✗ ${line}`, 2));
  // A job that reports drift prints one line if there is none.
  if (!differs && !changes.length && !guarded.length) {
    const inUse = kept.length ? [`Kept because in use: ${joinFirst(kept, 5)}.`] : [];
    return `${folded([`${site} matches ${otherSide}.`, ...inUse, ...unmanaged].join(" "), 0)}\n`;
  }
  const left = brief
    ? [`Details of ${counted(brief, "change")} are left out, none of them destructive. To see them, add: --details`]
    : [];
  const parts = [
    [chalk.bold(sanitizeLine(`${site} as ${email}, level ${feature_level}`))],
    table ? tableLines(table) : [],
    changes.flatMap((one) => paragraphLines(one, { chalk, folded })),
    kept.map((one) => folded(`  kept because in use: ${one}`, 4)),
    refused.map(bad),
    guarded.map(bad),
    rights.map((line) => folded(line, 2)),
    [...left, counts, ...unmanaged].map((line) => folded(line, 0)),
  ];
  const filled = parts.filter((part) => part.length).map((part) => part.join("\n"));
  return `${filled.join("\n\n")}\n`;
}

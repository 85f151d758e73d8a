/** Writes a plan as a comment for a pull request. */
import { counted, joinFirst } from "../../common/counted.ts";
import { markOf } from "../../model/setting.ts";
import { folding } from "../../output/fold.ts";
import { alert, codeBlock, codeSpan, collapsible, listOf, table } from "../../output/markdown.ts";
import type { OrganizationPlan } from "../make-plan.ts";
import { type Description, describePlan } from "./describe.ts";
import { titleLine } from "./lines.ts";

/** The largest number of characters. GitHub accepts 65,536. */
const limit = 60_000;
/** The largest number of destructive changes, and of refusals, in the summary. */
const maxListed = 20;

/** A hidden first line. Programs use it to find the comment of this organization again. */
const marker = (site: string): string => `<!-- zulipctl org plan ${site.replace(/[^\w.:/-]/g, "").slice(0, 300)} -->`;

/** The largest number of names in an item of the summary. */
const maxNames = 8;

/** Long lines of a block are cut, and no name of a destructive change may be. */
const fold = folding(300);
/** Blocks do not wrap: long lists of names would be out of sight. */
const foldTitle = folding(100);

const changeLines = ({ changes, kept, dropped }: Description): string[] => [
  ...changes.flatMap((one) => [
    ...foldTitle(titleLine(one), 4).split("\n"),
    ...one.details.map((line) => `      ${line}`),
    // GitHub colors a line by its first column.
    ...one.destructive.flatMap((effect) => fold(`${markOf(effect).padEnd(6)}${effect.says}`, 6).split("\n")),
  ]),
  ...kept.map((one) => `  kept because in use: ${one}`),
  ...dropped.map((one) => `~ ${one}`),
];

/** Alerts about what cannot be undone, and about what else is destructive. */
function destructiveIn({ changes, irreversible, reversible }: Description): string[] {
  const itemsOf = (isFinal: boolean): string[] =>
    changes.flatMap(({ title, names, destructive, prune }) => {
      const says = destructive.flatMap((one) => (Boolean(one.irreversible) === isFinal ? [codeSpan(one.says)] : []));
      const which = names.length ? ` (${joinFirst(names.map(codeSpan), maxNames)})` : "";
      return says.length && !prune ? [`${codeSpan(title)}${which}: ${says.join("; ")}`] : [];
    });
  const final = `**${counted(irreversible, "change")} cannot be undone.**`;
  const [takes, lets] = reversible === 1 ? ["It takes", "lets"] : ["They take", "let"];
  const others = `**${counted(reversible, "destructive change")}.** ${takes} something from people, or ${lets} more people in.`;
  return [
    ...(irreversible ? [alert("CAUTION", [final, "", ...listOf(itemsOf(true), maxListed)])] : []),
    ...(reversible ? [alert("WARNING", [others, "", ...listOf(itemsOf(false), maxListed)])] : []),
  ];
}

function countsIn({ table: counts }: Description): string[] {
  if (!counts) return [];
  const rows = counts.rows.map((row) => [row.section, ...row.counts.map((count) => String(count || ""))]);
  return [table(["section", ...counts.heads], rows, (column) => column > 0)];
}

function blockedIn({ refused, guarded }: Description): string[] {
  const all = [...refused, ...guarded];
  if (!all.length) return [];
  return [
    alert("WARNING", [
      "**`org apply` refuses this plan and sends nothing:**",
      "",
      ...listOf(all.map(codeSpan), maxListed),
    ]),
  ];
}

/** Returns fewer than 60,000 characters. `rights`: sentences about who gains and loses permissions. */
export function planMarkdown(plan: OrganizationPlan, rights: readonly string[]): string {
  const { site } = plan.before;
  const description = describePlan(plan, { quoted: codeSpan, isDetailed: true });
  const { otherSide, changes, differs, counts, unmanaged } = description;
  const head = [
    `${marker(site)}\n### Plan for ${codeSpan(site)}`,
    differs || changes.length ? `**${counts}**` : `**No changes: the organization matches ${otherSide}.**`,
    ...countsIn(description),
    ...destructiveIn(description),
    ...blockedIn(description),
  ];
  const tail = [
    ...(rights.length
      ? [collapsible("Who gains and who loses permissions", codeBlock(rights, { language: "text", room: limit / 4 }))]
      : []),
    ...unmanaged,
  ];
  const lines = changeLines(description);
  const taken = [...head, ...tail].reduce((sum, part) => sum + part.length + 2, 200);
  const details = lines.length
    ? [collapsible("Changes", codeBlock(lines, { language: "diff", room: limit - taken }))]
    : [];
  return `${[...head, ...details, ...tail].join("\n\n")}\n`;
}

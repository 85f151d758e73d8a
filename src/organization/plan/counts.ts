/** Counts the changes of a plan, in a sentence and by section. */
import { counted } from "../../common/counted.ts";
import type { Difference } from "../difference.ts";
import { sections, titleOf } from "../file.ts";
import type { Plan } from "../plan.ts";
import { type SectionName, sectionWords } from "../words.ts";
import type { Sign } from "./lines.ts";
import { signOf } from "./paragraphs.ts";

/** Fewer changes are seen at a glance, and so are those of many sections. */
const fewest = 4;

export interface CountTable {
  readonly heads: readonly string[];
  readonly rows: readonly { readonly section: string; readonly counts: readonly number[] }[];
}

/** `channels`, `settings of new people`. */
export const sectionTitle = (section: SectionName): string => {
  const stated = sections[section];
  return "plural" in stated ? stated.plural : titleOf({ section, name: section });
};

const withSign = (all: readonly Difference[], sign: Sign): Difference[] => all.filter((one) => signOf(one) === sign);

/**
 * Returns the number of changes by section, without empty columns and rows. Undefined if there are few, or two or
 * fewer for each row.
 */
export function countTable({ comparison }: Plan): CountTable | undefined {
  const { differences, withheld, refused } = comparison;
  const columns = Object.entries<readonly { section: SectionName }[]>({
    create: withSign(differences, "+"),
    change: withSign(differences, "~"),
    remove: withSign(differences, "-"),
    destructive: differences.filter(({ destructive }) => destructive),
    irreversible: differences.filter(({ irreversible }) => irreversible),
    "only with --prune": withheld,
    refused,
  }).filter(([, all]) => all.length);
  const rows = sectionWords.flatMap((name) => {
    const counts = columns.map(([, all]) => all.filter(({ section }) => section === name).length);
    return counts.some(Boolean) ? [{ section: sectionTitle(name), counts }] : [];
  });
  const total = differences.length + withheld.length + refused.length;
  if (total < fewest || total <= 2 * rows.length) return undefined;
  return { heads: columns.map(([head]) => head), rows };
}

/** Returns a sentence such as `1 to create, 2 to change. 3 requests.` */
export function countsOf({ comparison, steps, messages, comparedWith, guards }: Plan, differs: boolean): string {
  const count = (sign: Sign) => withSign(comparison.differences, sign).length;
  const withheld = comparison.withheld.length;
  const counts = [
    count("+") && `${count("+")} to create`,
    count("~") && `${count("~")} to change`,
    count("-") && `${count("-")} to remove`,
    withheld && `${withheld} to remove (kept: no --prune)`,
    comparison.refused.length && `${comparison.refused.length} refused`,
  ].filter(Boolean);
  if (!differs) return `No changes${withheld ? `; ${counts.join(", ")}` : ""}.`;
  const changed = `${counts.join(", ")}.`;
  // A comparison of two organizations is never applied.
  if (comparedWith !== undefined) return changed;
  if (comparison.refused.length || guards.length) return `${changed} This plan cannot be applied.`;
  const people = messages ? `, ${counted(messages, "person gets", "people get")} a message` : "";
  return `${changed} ${counted(steps.length, "request")}${people}.`;
}

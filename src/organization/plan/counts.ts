/** Counts the changes of a plan, in a sentence and by section. */
import { counted } from "../../common/counted.ts";
import { groupBy } from "../../common/group-by.ts";
import { sections, titleOf } from "../file.ts";
import type { Plan } from "../plan.ts";
import { type SectionName, sectionWords } from "../words.ts";
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

/**
 * Returns the number of changes by section, without empty columns and rows. Undefined if there are few, or two or
 * fewer for each row.
 */
export function countTable({ comparison }: Plan): CountTable | undefined {
  const { differences, withheld, refused } = comparison;
  const all = [
    ...differences.flatMap((one) => [
      { section: one.section, head: { "+": "create", "~": "change", "-": "remove" }[signOf(one)] },
      ...(one.destructive ? [{ section: one.section, head: "destructive" }] : []),
      ...(one.irreversible ? [{ section: one.section, head: "irreversible" }] : []),
    ]),
    ...withheld.map(({ section }) => ({ section, head: "only with --prune" })),
    ...refused.map(({ section }) => ({ section, head: "refused" })),
  ];
  const heads = [
    ...["create", "change", "remove", "destructive", "irreversible"],
    ...["only with --prune", "refused"],
  ].filter((head) => all.some((each) => each.head === head));
  const bySection = groupBy(all, ({ section }) => section);
  const rows = sectionWords.flatMap((name) => {
    const own = bySection.get(name);
    const counts = heads.map((head) => own?.filter((each) => each.head === head).length ?? 0);
    return own ? [{ section: sectionTitle(name), counts }] : [];
  });
  const total = differences.length + withheld.length + refused.length;
  return total < fewest || total <= 2 * rows.length ? undefined : { heads, rows };
}

/** Returns a sentence such as `1 to create, 2 to change. 3 requests.` */
export function countsOf({ comparison, steps, messages, comparedWith, guards }: Plan, differs: boolean): string {
  const count = (sign: string) => comparison.differences.filter((one) => signOf(one) === sign).length;
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

/** The paragraphs of a plan: like changes of several things are one. No sections, so that `undo` loads none. */
import type { ChalkInstance } from "chalk";
import { groupBy } from "../../common/group-by.ts";
import { type DestructiveEffect, markOf } from "../../model/setting.ts";

export type Sign = "+" | "~" | "-";

export interface Paragraph {
  readonly sign: Sign;
  /** `channel design`, or `4 channels`. */
  readonly title: string;
  /** The names of several things. */
  readonly names: readonly string[];
  readonly details: readonly string[];
  /** What the changes destroy or take from people. Of several things, each sentence says which it is about. */
  readonly destructive: readonly DestructiveEffect[];
  readonly prune: boolean;
}

/** `4 channels: design, general, ops, random`. */
export const titleLine = ({ sign, title, names }: Paragraph): string =>
  names.length ? `${sign} ${title}: ${names.join(", ")}` : `${sign} ${title}`;

const irreversibleFirst = (
  one: Pick<DestructiveEffect, "irreversible">,
  other: Pick<DestructiveEffect, "irreversible">,
): number => Number(other.irreversible ?? false) - Number(one.irreversible ?? false);

/** The change of one thing. */
export interface SingleChange extends Omit<Paragraph, "names" | "details"> {
  readonly name: string;
  /** The kind of several. Absent for something that exists once. */
  readonly plural?: string | undefined;
  /** Follows the title: `archived`. */
  readonly remark: string;
  /** What two changes have in common if they say the same. */
  content(): unknown;
  details(): readonly string[];
}

/** Quotes names with a comma within a list. */
const listed = (name: string): string => (name.includes(",") ? JSON.stringify(name) : name);

/** Returns each effect once, with the things that it is about. Irreversible ones come first. */
function effectsOf(all: readonly SingleChange[]): DestructiveEffect[] {
  const effects = all.flatMap(({ destructive, name }) => destructive.map((one) => ({ ...one, name: listed(name) })));
  const found = [...groupBy(effects, ({ says }) => says)].map(([phrase, about]): DestructiveEffect => {
    const which = new Set(about.map(({ name }) => name));
    const each = which.size === all.length ? `each: ${phrase}` : `${phrase} (${[...which].join(", ")})`;
    return { says: all.length === 1 ? phrase : each, irreversible: about.some((one) => one.irreversible) };
  });
  return found.sort(irreversibleFirst);
}

interface Joining {
  /** Without details of harmless changes. */
  readonly brief?: boolean;
  /** The largest number of names of a harmless paragraph. */
  readonly mostNames?: number;
}

/** Joins changes that say the same, in the order of the first of each. */
export function joined(all: readonly SingleChange[], { brief = false, mostNames }: Joining): Paragraph[] {
  const isBrief = ({ destructive }: SingleChange) => brief && !destructive.length;
  const groups = groupBy(all, (one) => {
    const { sign, plural, remark } = one;
    return plural === undefined ? one : JSON.stringify([sign, plural, remark, isBrief(one) || one.content()]);
  });
  return [...groups.values()].map((group): Paragraph => {
    const [one] = group;
    const { sign, title, plural, remark, prune } = one;
    const isAlone = group.length === 1;
    const names = group.map(({ name }) => listed(name));
    const kept = one.destructive.length ? names : names.slice(0, mostNames);
    const more = names.length - kept.length;
    return {
      sign,
      title: isAlone ? `${title}${remark && `: ${remark}`}` : `${group.length} ${plural}${remark && `, ${remark}`}`,
      names: isAlone ? [] : more ? [...kept, `… and ${more} more`] : kept,
      details: isBrief(one) ? [] : one.details(),
      destructive: effectsOf(group),
      prune,
    };
  });
}

interface Marks {
  readonly destructive?: unknown;
  readonly irreversible?: unknown;
}

/** Returns the counts of marked changes for a question: ` (3 destructive, 1 irreversible)`. Empty if none is marked. */
export function markCounts(changes: readonly Marks[]): string {
  const counts = (["destructive", "irreversible"] as const).flatMap((mark) => {
    const { length } = changes.filter((each) => each[mark]);
    return length ? [`${length} ${mark}`] : [];
  });
  return counts.length ? ` (${counts.join(", ")})` : "";
}

interface LineOptions {
  readonly chalk: ChalkInstance;
  /** Makes a line safe, and wraps it. Continuation lines are indented by `hanging`. */
  readonly folded: (line: string, hanging: number) => string;
}

export function paragraphLines(one: Paragraph, { chalk, folded }: LineOptions): string[] {
  const { sign, details, destructive, prune } = one;
  const paint = prune ? chalk.dim : sign === "+" ? chalk.green : sign === "-" ? chalk.red : chalk.yellow;
  return [
    paint(folded(titleLine(one), 4)),
    ...details.map((line) => folded(`    ${line}`, 6)),
    ...destructive.map((effect) => {
      const mark = markOf(effect);
      const paintMark = effect.irreversible ? chalk.bold.red : chalk.bold;
      return paintMark(folded(`  ${mark} ${effect.says}`, 3 + mark.length));
    }),
  ];
}

/** Prints the plan of an undo in the form of `org plan`. */
import type { ChalkInstance } from "chalk";
import { counted, joinFirst } from "../../common/counted.ts";
import { groupBy } from "../../common/group-by.ts";
import { maxDetailed, mostNames } from "../../organization/plan/limits.ts";
import { joined, paragraphLines, type SingleChange } from "../../organization/plan/lines.ts";
import { escaped, sanitizeLine } from "../../output/sanitize.ts";
import type { NameResolver } from "../../resolve/resolver.ts";
import type { Item } from "../../undo/item.ts";
import { titleOf } from "../../undo/thing.ts";
import { valueLine } from "./named-values.ts";

const pluralOf = (kind: string): string => (kind === "person" ? "people" : kind === "emoji" ? kind : `${kind}s`);

/** Returns what is left alone and why: `channels design, general: conflict: …`. `short`: without the kind of reason. */
export function leftLines(items: readonly Item[], short = false): string[] {
  const left = items.flatMap(({ kind, name, left: why }) => (why ? [{ kind, name, why }] : []));
  const alike = groupBy(left, ({ kind, name, why }) => JSON.stringify([kind ?? name, why]));
  return [...alike.values()].map((same) => {
    const [one] = same;
    const names = [...new Set(same.map(({ name }) => name))];
    const title =
      one.kind !== undefined && names.length > 1
        ? `${pluralOf(one.kind)} ${joinFirst(names, mostNames)}`
        : titleOf(one);
    const { kind, says } = one.why;
    return `${title}: ${short ? "" : kind === "conflict" ? "conflict: " : "cannot be undone: "}${says}`;
  });
}

/** `3 to change, 1 to remove, 1 conflict left alone. 4 requests.` */
function countsText(items: readonly Item[]): string {
  const sent = items.filter(({ left }) => !left);
  const count = (sign: string) => sent.filter((each) => each.sign === sign).length;
  const left = (kind: string) => items.filter((each) => each.left?.kind === kind).length;
  const parts = [
    count("+") && `${count("+")} to add again`,
    count("~") && `${count("~")} to change`,
    count("-") && `${count("-")} to remove`,
    left("conflict") && `${counted(left("conflict"), "conflict")} left alone`,
    left("impossible") && `${left("impossible")} cannot be undone`,
  ].filter(Boolean);
  const requests = sent.reduce((sum, { changes }) => sum + changes.length, 0);
  return `${parts.join(", ")}. ${counted(requests, "request")}.`;
}

interface PlanOptions {
  readonly chalk: ChalkInstance;
  readonly fold: (line: string, hanging: number) => string;
  /** Sentences about who gains and who loses permissions. */
  readonly access: readonly string[];
  /** The command that shows all details. */
  readonly showCommand: string;
}

/** Returns the plan as text: what goes back, the last change first, then what stays and why. */
export async function undoText(
  { names, head }: { names: NameResolver; head: string },
  items: readonly Item[],
  { chalk, fold, access, showCommand }: PlanOptions,
): Promise<string> {
  const folded = (line: string, hanging: number) => fold(sanitizeLine(escaped(line)), hanging);
  const sent = items.filter(({ left }) => !left);
  const singles = sent.map(async (item): Promise<SingleChange> => {
    const { kind, name, sign, says = "", values = [], notes = [], effects = [] } = item;
    const destructive = effects.map(({ text, irreversible }) => ({ says: text, irreversible: irreversible ?? false }));
    const lines = await Promise.all(values.map((value) => valueLine(names, value)));
    const details = [...lines, ...notes];
    return {
      ...{ sign, name, title: titleOf({ kind, name }), remark: says, destructive, prune: false },
      ...(kind !== undefined && { plural: pluralOf(kind) }),
      content: () => details,
      details: () => details,
    };
  });
  const all = await Promise.all(singles);
  const detailed = joined(all, { mostNames });
  const isBrief = detailed.length > maxDetailed;
  const brief = isBrief ? all.filter(({ destructive }) => !destructive.length).length : 0;
  const omitted = `Details of ${counted(brief, "change")} are left out, none of them destructive. See: ${showCommand}`;
  const parts = [
    [chalk.bold(folded(head, 2))],
    (isBrief ? joined(all, { brief: true, mostNames }) : detailed).flatMap((one) =>
      paragraphLines(one, { chalk, folded }),
    ),
    leftLines(items).map((line) => chalk.red(folded(`✗ ${line}`, 2))),
    access.map((line) => folded(line, 2)),
    [...(brief ? [folded(omitted, 0)] : []), countsText(items)],
  ];
  return `${parts
    .filter((part) => part.length)
    .map((part) => part.join("\n"))
    .join("\n\n")}\n`;
}

/** Prints the plan of an undo in the form of `org plan`. */
import type { ChalkInstance } from "chalk";
import { counted } from "../../common/counted.ts";
import { membersOf } from "../../common/members.ts";
import { provisionalIn } from "../../engine/provisional-ids.ts";
import { Refused } from "../../errors.ts";
import { shortText } from "../../log/change-log.ts";
import { irreversibleFirst, paragraphLines } from "../../organization/plan/lines.ts";
import { escaped, sanitizeLine } from "../../output/sanitize.ts";
import type { NameKind } from "../../resolve/look-ups.ts";
import type { NameResolver } from "../../resolve/resolver.ts";
import type { BackValue, Item } from "../../undo/item.ts";

/** Reads the names that the plan mentions. Without them, ids stand. */
async function loadNames(find: NameResolver, items: readonly Item[]): Promise<void> {
  const kinds = new Set<NameKind>();
  for (const { values = [] } of items)
    for (const { of } of values) {
      if (of === "user" || of === "group" || of === "channel" || of === "folder") kinds.add(of);
      if (of === "who") for (const kind of ["user", "group"] as const) kinds.add(kind);
    }
  for (const kind of kinds)
    await find.nameLookup(kind).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
}

async function wordsOf(find: NameResolver, of: BackValue["of"], value: unknown): Promise<string> {
  if (value === null) return "none";
  const { direct_members, direct_subgroups } = membersOf(value);
  if (of === "who" && (direct_members || direct_subgroups))
    return (
      (await namesOf(find, [
        ["group", direct_subgroups],
        ["user", direct_members],
      ])) || "nobody"
    );
  // What is made again has no id yet.
  if (provisionalIn(value).length)
    return [value]
      .flat()
      .map((id) => (provisionalIn(id).length ? "new" : id))
      .join(", ");
  return shortText(find, of, value);
}

async function namesOf(find: NameResolver, all: readonly (readonly ["user" | "group", unknown])[]): Promise<string> {
  const names = all.flatMap(([of, ids]) => [ids ?? []].flat().map((id) => shortText(find, of, id)));
  return (await Promise.all(names)).join(", ");
}

async function valueLine(find: NameResolver, { name, of, now, back }: BackValue): Promise<string> {
  if ((of === "user" || of === "group") && Array.isArray(now) && Array.isArray(back)) {
    const [added, removed] = [await namesOf(find, [[of, back]]), await namesOf(find, [[of, now]])];
    return `${name}: ${[added && `+ ${added}`, removed && `− ${removed}`].filter(Boolean).join("; ")}`;
  }
  return `${name}: ${await wordsOf(find, of, now)} → ${await wordsOf(find, of, back)}`;
}

/** `3 to change, 1 to remove, 1 left alone. 4 requests.` */
export function countsText(items: readonly Item[]): string {
  const sent = items.filter(({ left }) => !left);
  const count = (sign: string) => sent.filter((each) => each.sign === sign).length;
  const left = (kind: string) => items.filter((each) => each.left?.kind === kind).length;
  const parts = [
    count("+") && `${count("+")} to make again`,
    count("~") && `${count("~")} to change`,
    count("-") && `${count("-")} to remove`,
    left("conflict") && `${counted(left("conflict"), "conflict")} left alone`,
    left("impossible") && `${left("impossible")} cannot be undone`,
  ].filter(Boolean);
  const requests = sent.reduce((sum, { changes }) => sum + changes.length, 0);
  return `${parts.join(", ") || "Nothing to undo"}. ${counted(requests, "request")}.`;
}

/** Returns the plan as text: what goes back, the last change first, then what stays and why. */
export async function undoText(
  find: NameResolver,
  head: string,
  items: readonly Item[],
  {
    chalk,
    fold = (line) => line,
    access = [],
  }: {
    chalk: ChalkInstance;
    fold?: ((line: string, hanging: number) => string) | undefined;
    /** Sentences about who gains and who loses permissions. */
    access?: readonly string[];
  },
): Promise<string> {
  await loadNames(find, items);
  const folded = (line: string, hanging: number) => fold(sanitizeLine(escaped(line)), hanging);
  const changes: string[] = [];
  const left: string[] = [];
  for (const { target, sign, says, values = [], notes = [], destructive = [], left: why } of items) {
    if (why) {
      const kind = why.kind === "conflict" ? "conflict" : "cannot be undone";
      left.push(chalk.red(folded(`✗ ${target}: ${kind}: ${why.says}`, 2)));
      continue;
    }
    const title = `${target}${says === undefined ? "" : `: ${says}`}`;
    const details = [...(await Promise.all(values.map((value) => valueLine(find, value)))), ...notes];
    const effects = [...destructive].sort(irreversibleFirst);
    const paragraph = { sign, title, names: [], details, destructive: effects, prune: false };
    changes.push(...paragraphLines(paragraph, { chalk, folded, whole: true }));
  }
  const parts = [
    [chalk.bold(folded(head, 2))],
    changes,
    left,
    access.map((line) => folded(line, 2)),
    [countsText(items)],
  ];
  return `${parts
    .filter((part) => part.length)
    .map((part) => part.join("\n"))
    .join("\n\n")}\n`;
}

/** The values of an undo in words, with names. */
import { joinFirst } from "../../common/counted.ts";
import { numbersIn } from "../../common/members.ts";
import { Refused } from "../../errors.ts";
import { shortText } from "../../log/change-log.ts";
import { withUnit } from "../../notation/units.ts";
import type { NameKind } from "../../resolve/look-ups.ts";
import type { NameResolver } from "../../resolve/resolver.ts";
import { type BackValue, type Item, labelOf } from "../../undo/item.ts";

/** The largest number of people or groups that a line names. */
const mostNames = 8;

/** Returns the kinds whose names a value or a thing of a kind needs. */
function kindsOf(of: string | undefined): readonly NameKind[] {
  if (of === "who") return ["user", "group"];
  if (of === "person" || of === "bot") return ["user"];
  return (["channel", "folder", "group", "user"] as const).filter((kind) => kind === of);
}

const isId = (name: string): boolean => /^(id:)?\d+$/.test(name);

/** Reads the names that the plan mentions, and gives accounts and what was typed as an id their names. Without, ids stand. */
export async function withNames(find: NameResolver, items: readonly Item[]): Promise<Item[]> {
  const named = items.flatMap(({ kind, name, values = [], left }) => [
    kind === "person" || kind === "bot" || isId(name) ? kind : undefined,
    ...[...values, left?.value].map((value) => value?.of),
  ]);
  for (const kind of new Set(named.flatMap(kindsOf)))
    await find.nameLookup(kind).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  return Promise.all(
    items.map(async ({ left, ...item }) => ({
      ...item,
      name: await nameOf(find, item),
      ...(left && { left: { kind: left.kind, says: await reasonOf(find, left) } }),
    })),
  );
}

async function reasonOf(find: NameResolver, { says, value }: NonNullable<Item["left"]>): Promise<string> {
  return value ? `${says}: it is ${await wordsOf(find, value, value.now)} now` : says;
}

async function nameOf(find: NameResolver, { kind, name, id }: Item): Promise<string> {
  const [known] = kindsOf(kind);
  const found = known && id !== undefined ? await find.nameOf(known, id) : undefined;
  if (found === undefined) return name;
  if (isId(name)) return found;
  return known === "user" && found !== name ? `${found} (${name})` : name;
}

async function wordsOf(find: NameResolver, { name, of, isWord }: BackValue, value: unknown): Promise<string> {
  if (value === null) return "none";
  if (Array.isArray(value)) {
    // Only the first are named, of perhaps thousands.
    const text = (each: unknown, at: number) =>
      typeof each === "string" ? each : at < mostNames ? shortText(find, of, each) : String(each);
    const texts = await Promise.all(value.map(text));
    return (of ? joinFirst(texts, mostNames) : texts.join(", ")) || "none";
  }
  if (isWord && typeof value === "string") return value;
  if (of === undefined && typeof value === "number") return String(withUnit(name, value));
  return shortText(find, of, value);
}

/** Returns lines such as `description: "x" → "y"` and `members: + Ada Lovelace; − Eve Ost`. */
export async function valueLine(find: NameResolver, value: BackValue): Promise<string> {
  const { name, of, now, back } = value;
  const label = labelOf(name);
  if ((of === "user" || of === "group") && [now, back].some(Array.isArray)) {
    const signed = async (sign: string, ids: unknown) =>
      numbersIn(ids).length ? [`${sign} ${await wordsOf(find, value, ids)}`] : [];
    return `${label}: ${[...(await signed("+", back)), ...(await signed("−", now))].join("; ")}`;
  }
  return `${label}: ${await wordsOf(find, value, now)} → ${await wordsOf(find, value, back)}`;
}

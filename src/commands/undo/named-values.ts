/** The values of an undo in words, with names. */
import { numbersIn } from "../../common/object-members.ts";
import { Refused } from "../../errors.ts";
import { fieldLabel } from "../../model/field.ts";
import { fieldWords } from "../../resolve/field-words.ts";
import { kindsNamed } from "../../resolve/look-ups.ts";
import type { NameResolver } from "../../resolve/resolver.ts";
import type { BackValue, Item } from "../../undo/item.ts";
import { titleOf } from "../../undo/thing.ts";

/** Returns the kinds whose names a value or a thing of a kind needs. */
const kindsOf = (of: string | undefined) => kindsNamed(of === "person" || of === "bot" ? "user" : of);

const isId = (name: string): boolean => /^(id:)?\d+$/.test(name);

/** Reads the names that the plan mentions, and gives accounts and what was typed as an id their names. Without, ids stand. */
export async function withNames(names: NameResolver, items: readonly Item[]): Promise<Item[]> {
  const named = items.flatMap(({ kind, name, values = [], left }) => [
    kind === "person" || kind === "bot" || isId(name) ? kind : undefined,
    ...[...values, left?.value].map((value) => value?.of),
  ]);
  for (const kind of new Set(named.flatMap(kindsOf)))
    await names.nameLookup(kind).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  return Promise.all(
    items.map(async ({ left, ...item }) => {
      const name = await nameOf(names, item);
      // Results show what was typed as an id with its name, too.
      const targets = new Map([
        [item.name, name],
        [titleOf(item), titleOf({ ...item, name })],
      ]);
      const changes = isId(item.name)
        ? item.changes.map((each) => ({ ...each, target: targets.get(each.target) ?? each.target }))
        : item.changes;
      return { ...item, name, changes, ...(left && { left: { kind: left.kind, says: await reasonOf(names, left) } }) };
    }),
  );
}

async function reasonOf(names: NameResolver, { says, value }: NonNullable<Item["left"]>): Promise<string> {
  return value ? `${says}: it is ${await fieldWords(names, value, value.now)} now` : says;
}

async function nameOf(names: NameResolver, { kind, name, id }: Item): Promise<string> {
  const [known] = kindsOf(kind);
  const found = known && id !== undefined ? await names.nameOf(known, id) : undefined;
  if (found === undefined) return name;
  if (isId(name)) return found;
  return known === "user" && found !== name ? `${found} (${name})` : name;
}

/** Returns lines such as `description: "x" → "y"` and `members: + Ada Lovelace; − Eve Ost`. */
export async function valueLine(names: NameResolver, value: BackValue): Promise<string> {
  const { name, of, now, back } = value;
  const label = fieldLabel(name);
  if ((of === "user" || of === "group") && [now, back].some(Array.isArray)) {
    const signed = async (sign: string, ids: unknown) =>
      numbersIn(ids).length ? [`${sign} ${await fieldWords(names, value, ids)}`] : [];
    return `${label}: ${[...(await signed("+", back)), ...(await signed("−", now))].join("; ")}`;
  }
  return `${label}: ${await fieldWords(names, value, now)} → ${await fieldWords(names, value, back)}`;
}

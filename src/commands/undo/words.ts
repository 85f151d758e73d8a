/** The values of an undo in words, with names. */
import { getProfileFields } from "../../api/profile-fields.ts";
import type { Server } from "../../client/server.ts";
import { joinFirst } from "../../common/counted.ts";
import { membersOf, numbersIn } from "../../common/members.ts";
import { Refused } from "../../errors.ts";
import { shortText } from "../../log/change-log.ts";
import { fieldTypes, optionsIn } from "../../model/profile-field.ts";
import { withUnit } from "../../notation/units.ts";
import type { NameKind } from "../../resolve/look-ups.ts";
import type { NameResolver } from "../../resolve/resolver.ts";
import { type BackValue, type Item, labelOf, type Thing } from "../../undo/item.ts";

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
  const named = items.flatMap(({ kind, name, values = [] }) => [
    kind === "person" || kind === "bot" || isId(name) ? kind : undefined,
    ...values.map(({ of }) => of),
  ]);
  for (const kind of new Set(named.flatMap(kindsOf)))
    await find.nameLookup(kind).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  return Promise.all(items.map(async (item) => ({ ...item, name: await nameOf(find, item) })));
}

async function nameOf(find: NameResolver, { kind, name, id }: Thing): Promise<string> {
  const [known] = kindsOf(kind);
  const found = known && id !== undefined ? await find.nameOf(known, id) : undefined;
  if (found === undefined) return name;
  if (isId(name)) return found;
  return known === "user" && found !== name ? `${found} (${name})` : name;
}

async function wordsOf(find: NameResolver, { name, of, isWord }: BackValue, value: unknown): Promise<string> {
  if (value === null) return "none";
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ") || "none";
  if (isWord && typeof value === "string") return value;
  if (of === undefined && typeof value === "number") return String(withUnit(name, value));
  return shortText(find, of, value);
}

async function signed(find: NameResolver, sign: string, of: BackValue["of"], ids: readonly number[]) {
  const names = await Promise.all(ids.map((id) => shortText(find, of, id)));
  return names.length ? [`${sign} ${joinFirst(names, mostNames)}`] : [];
}

/** Returns the values of somebody's profile, each with the name of its field. */
async function profileValues(server: Server, { now, back }: BackValue): Promise<BackValue[]> {
  const { custom_fields: fields } = await server.lookUp(getProfileFields, {});
  const [old, present] = [back, now].map((all) => [all].flat().map(membersOf));
  const values = (old ?? []).map(async ({ id, value }): Promise<BackValue> => {
    const field = fields.find((each) => each.id === id);
    const options = field?.type === fieldTypes.options ? optionsIn(field.field_data) : [];
    const text = (each: unknown) => options.find(({ key }) => key === each)?.text ?? each;
    const current = present?.find((each) => each.id === id)?.value;
    const isPeople = [value, current].some(Array.isArray);
    const label = `profile ${field?.name ?? id}`;
    return { name: label, ...(isPeople && { of: "user" }), now: text(current ?? null), back: text(value) };
  });
  return Promise.all(values);
}

/** Returns lines such as `description: "x" → "y"` and `members: + Ada Lovelace; − Eve Ost`. */
export async function valueLines(find: NameResolver, server: Server, value: BackValue): Promise<string[]> {
  const { name, of, now, back } = value;
  if (name === "profile_data") {
    const all = await profileValues(server, value);
    return (await Promise.all(all.map((each) => valueLines(find, server, each)))).flat();
  }
  const label = labelOf(name);
  if ((of === "user" || of === "group") && [now, back].some(Array.isArray)) {
    const [leave, join] = [numbersIn(now), numbersIn(back)];
    const parts = [...(await signed(find, "+", of, join)), ...(await signed(find, "−", of, leave))];
    return [`${label}: ${parts.join("; ")}`];
  }
  if (name === "field_data") {
    const [before = [], after = []] = [now, back].map(optionsIn);
    const texts = (all: typeof after) => all.map(({ text }) => text).join(", ");
    if (before.length && after.length) return [`options: ${texts(before)} → ${texts(after)}`];
  }
  return [`${label}: ${await wordsOf(find, value, now)} → ${await wordsOf(find, value, back)}`];
}

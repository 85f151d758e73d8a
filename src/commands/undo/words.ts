/** The values of an undo in words, with names. */
import { getProfileFields } from "../../api/profile-fields.ts";
import type { Server } from "../../client/server.ts";
import { joinFirst } from "../../common/counted.ts";
import { membersOf, numbersIn } from "../../common/members.ts";
import { provisionalIn } from "../../engine/provisional-ids.ts";
import { undefinedOnFailure } from "../../errors.ts";
import { shortText } from "../../log/change-log.ts";
import { withUnit } from "../../notation/units.ts";
import type { NameKind } from "../../resolve/look-ups.ts";
import type { NameResolver } from "../../resolve/resolver.ts";
import { type BackValue, type Item, labelOf, type Thing } from "../../undo/item.ts";

/** The largest number of people or groups that a line names. */
const mostNames = 8;

const kindsOf: Readonly<Record<string, readonly NameKind[]>> = {
  channel: ["channel"],
  folder: ["folder"],
  group: ["group"],
  user: ["user"],
  person: ["user"],
  bot: ["user"],
  who: ["user", "group"],
};

/** Reads the names that the plan mentions. Without them, ids stand. */
export async function loadNames(find: NameResolver, items: readonly Item[]): Promise<void> {
  const named = items.flatMap(({ kind, name, values = [] }) => [
    // Other things are called as they were typed.
    kind === "person" || kind === "bot" || /^(id:)?\d+$/.test(name) ? kind : undefined,
    ...values.map(({ of }) => of),
  ]);
  for (const kind of new Set(named.flatMap((each) => (each === undefined ? [] : (kindsOf[each] ?? [])))))
    await undefinedOnFailure(find.nameLookup(kind));
}

/** Returns the name of a thing: that of an account with its address, or of what was typed as an id. */
export async function nameOf(find: NameResolver, { kind = "", name, id }: Thing): Promise<string> {
  const [known] = kindsOf[kind] ?? [];
  const found = known && id !== undefined ? await find.nameOf(known, id) : undefined;
  if (found === undefined || known !== "user") return (/^(id:)?\d+$/.test(name) ? found : undefined) ?? name;
  return found === name ? name : `${found} (${name})`;
}

async function wordsOf(find: NameResolver, { name, of, isWord }: BackValue, value: unknown): Promise<string> {
  if (value === null) return "none";
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ") || "none";
  if (isWord && typeof value === "string") return value;
  if (of === undefined && typeof value === "number") return String(withUnit(name, value));
  return provisionalIn(value).length ? "new" : shortText(find, of, value);
}

async function signed(find: NameResolver, sign: string, of: BackValue["of"], ids: readonly number[]) {
  const names = await Promise.all(ids.map((id) => shortText(find, of, id)));
  return names.length ? [`${sign} ${joinFirst(names, mostNames)}`] : [];
}

/** Returns the texts of options by their keys, in their order. Undefined if a profile field has none. */
function optionsIn(data: unknown): ReadonlyMap<string, string> | undefined {
  const options = Object.entries(membersOf(data)).flatMap(([key, option]): [string, string, number][] => {
    const { text, order } = membersOf(option);
    return typeof text === "string" ? [[key, text, Number(order)]] : [];
  });
  options.sort(([, , one], [, , other]) => one - other);
  return options.length ? new Map(options.map(([key, text]) => [key, text])) : undefined;
}

/** Returns the values of somebody's profile, each with the name of its field. */
async function profileValues(server: Server, { now, back }: BackValue): Promise<BackValue[]> {
  const fields = (await undefinedOnFailure(server.lookUp(getProfileFields, {})))?.custom_fields ?? [];
  const [old, present] = [back, now].map((all) => [all].flat().map(membersOf));
  return (old ?? []).map(({ id, value }) => {
    const field = fields.find((each) => each.id === id);
    const options = field?.field_data ? optionsIn(JSON.parse(field.field_data)) : undefined;
    const text = (each: unknown) => options?.get(String(each)) ?? each;
    const current = present?.find((each) => each.id === id)?.value;
    const isPeople = [value, current].some(Array.isArray);
    const label = `profile ${field?.name ?? id}`;
    return { name: label, ...(isPeople && { of: "user" }), now: text(current ?? null), back: text(value) };
  });
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
  const options = name === "field_data" ? [now, back].map(optionsIn) : [];
  const [before, after] = options.every((each) => each) ? options.map((each) => [...(each?.values() ?? [])]) : [];
  if (before && after) return [`options: ${before.join(", ")} → ${after.join(", ")}`];
  return [`${label}: ${await wordsOf(find, value, now)} → ${await wordsOf(find, value, back)}`];
}

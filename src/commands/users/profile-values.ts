/** Values of custom profile fields as people write them, turned into what servers take. */
import type { ProfileField } from "../../api/profile-fields.ts";
import type { Reading } from "../../cli/word.ts";
import { readingWord, Usage } from "../../errors.ts";

/** A value as it is sent; null clears it. */
export type ProfileValue = { id: number; value: string | number[] | null };

interface Typed {
  field: string;
  value: string;
}

/** The kinds of fields whose values are not the text itself. */
const optionsField = 3;
export const peopleField = 6;

/** `field=value`; the value is everything after the first `=`. */
export const split = (typed: readonly string[], { flag }: Reading): Typed[] =>
  typed.map((text) => {
    const at = text.indexOf("=");
    if (at < 1)
      throw new Usage(`${flag}: "${text}" must be field=value`, {
        hint: "An empty value clears the field.",
      });
    return { field: text.slice(0, at), value: text.slice(at + 1) };
  });

/** The options of a field, by the keys that are kept; none for a field of another kind. */
export function optionsOf({ type, field_data }: ProfileField): [key: string, text: string][] {
  if (type !== optionsField || !field_data) return [];
  const all = JSON.parse(field_data) as Readonly<Record<string, { text?: unknown } | null>>;
  return Object.entries(all).map(([key, option]) => [key, String(option?.text ?? key)]);
}

/** People see and write the text of an option. */
function optionOf(field: ProfileField, value: string, flag: string): string {
  const all = optionsOf(field);
  const folded = value.toLowerCase();
  const alike = all.filter(([, text]) => text.toLowerCase() === folded);
  const [key] = alike.find(([, text]) => text === value) ?? (alike.length === 1 ? alike[0] : undefined) ?? [];
  if (key !== undefined) return key;
  throw new Usage(`${flag}: "${value}" is not an option of ${field.name}`, {
    hint: `Available: ${all.map(([, text]) => text).join(", ")}.`,
  });
}

async function meant(field: ProfileField, value: string, { context, flag }: Reading): Promise<string | number[]> {
  if (field.type === optionsField) return optionOf(field, value, flag);
  if (field.type !== peopleField) return value;
  const ids = new Set<number>();
  for (const name of value.split(",")) ids.add(await context.find.user(name.trim(), flag));
  return [...ids];
}

export async function find(typed: readonly Typed[], at: Reading): Promise<ProfileValue[]> {
  const found = new Map<number, ProfileValue>();
  for (const { field: name, value } of typed) {
    await readingWord(at.flag, async () => {
      const field = await at.context.find.profileField(name, at.flag);
      if (found.has(field.id)) throw new Usage(`${at.flag} gives ${field.name} two values`);
      found.set(field.id, { id: field.id, value: value === "" ? null : await meant(field, value, at) });
    });
  }
  return [...found.values()];
}

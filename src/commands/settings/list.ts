import { register } from "../../api/events.ts";
import { unchangeable } from "../../model/organization.ts";
import type { Column, Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { showsColumn } from "../../run/labels.ts";
import { type Collection, collectionOf, inWords, labelsOf, withServersSettings } from "./setting-values.ts";

export interface SettingRecord {
  name: string;
  value: unknown;
  kind: string;
  who: string;
}

/** Returns the selected settings, the server's answer, and a function for values in words. */
export async function readSettings(
  context: Context,
  stated: Collection,
  select: (names: readonly string[]) => readonly string[],
) {
  const answer = await context.ask(register, stated.read);
  const collection = withServersSettings(stated, answer);
  const values = collection.valuesIn(answer);
  const names = select(Object.keys(collection.settings).filter((name) => Object.hasOwn(values, name)));
  const records = names.map((name): SettingRecord => {
    const setting = collection.settings[name]!;
    const who = name === unchangeable ? "nobody" : setting.owner ? "owners" : "administrators";
    return { name, value: values[name], kind: setting.kind, who };
  });
  // Names are read only for tables.
  const label = await labelsOf(context, showsColumn(context, "VALUE") ? records : []);
  const words = (name: string, value: unknown): string =>
    inWords(name, collection.settings[name]!, value, label, answer);
  return { records, answer, words, settings: collection.settings };
}

export const settingFields = ["name", "value", "kind", "who"] as const;

export const settingColumns = (words: (name: string, value: unknown) => string): Column<SettingRecord>[] => [
  { head: "NAME", value: ({ name }) => name, importance: "high", whole: true },
  { head: "VALUE", value: ({ name, value }) => words(name, value), cut: true, importance: "high" },
  { head: "KIND", value: ({ kind }) => kind },
  { head: "WHO", value: ({ who }) => who },
];

export async function listSettings(
  context: Context,
  { match, newUsers }: { match?: string | undefined; newUsers?: boolean | undefined },
): Promise<Listing<SettingRecord>> {
  const text = match?.toLowerCase().replaceAll("-", "_");
  const { records, words } = await readSettings(context, collectionOf(newUsers), (all) =>
    all.filter((name) => text === undefined || name.includes(text)),
  );
  return { kind: "listing", records, id: ({ name }) => name, allFields: settingFields, columns: settingColumns(words) };
}

/** Custom profile fields: what is on or off, their types, and their data as servers store it. */
import { counted, joinFirst } from "../common/counted.ts";
import { keyed, membersOf, membersOfJson, namesOf, numbersIn } from "../common/object-members.ts";
import type { DestructiveEffect } from "./setting.ts";

interface FieldToggleRule {
  /** What organization files say of it. */
  doc: string;
  since: number;
  initial: boolean;
  flag: string;
  /** What the flag does, and its `--no-…`. */
  flagDocs: readonly [on: string, off: string];
}

/** In the order of help. */
const toggles = {
  required: {
    doc: "Everybody is asked to fill it in.",
    since: 244,
    initial: false,
    flag: "required",
    flagDocs: ["everybody is asked to fill it in", "nobody is asked"],
  },
  display_in_profile_summary: {
    doc: "Shown in the summary.",
    since: 146,
    initial: false,
    flag: "inSummary",
    flagDocs: ["show it in the summary of a profile; two fields can be there", "only in the whole profile"],
  },
  editable_by_user: {
    doc: "People may change their own value.",
    since: 296,
    initial: true,
    flag: "editable",
    flagDocs: ["people may change their own value", "only administrators change it"],
  },
  use_for_user_matching: {
    doc: "Imports and log-ins find people by it.",
    since: 455,
    initial: false,
    flag: "forMatching",
    flagDocs: ["imports and log-ins find people by it", "nobody is found by it"],
  },
} as const satisfies Readonly<Record<string, FieldToggleRule>>;

type FieldToggle = keyof typeof toggles;
export const fieldToggleRules: Readonly<Record<FieldToggle, FieldToggleRule>> = toggles;
export const fieldToggles = namesOf(toggles);
export const fieldFlag = (name: FieldToggle) => toggles[name].flag;

/** The values of a new field. */
export const newField = { hint: "", field_data: "", ...keyed(fieldToggles, (name): boolean => toggles[name].initial) };

/** The level from which on a long text can be in the summary. */
export const longTextInSummary = 476;

/** The numbers of types, by their words. */
export const fieldTypes = {
  short_text: 1,
  long_text: 2,
  options: 3,
  date: 4,
  url: 5,
  people: 6,
  account: 7,
  pronouns: 8,
} as const;

export interface Option {
  readonly key: string;
  readonly text: string;
}

/** Returns the options in the data of a field, as text or read, in their order. */
export const optionsIn = (data: unknown): Option[] =>
  Object.entries(typeof data === "string" ? membersOfJson(data) : membersOf(data))
    .map(([key, option]) => [key, membersOf(option)] as const)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .flatMap(([key, { text }]) => (typeof text === "string" ? [{ key, text }] : []));

/** Returns the texts of options by their keys. Other types have none. */
export const optionTexts = ({ type, field_data }: { type: number; field_data: string }): ReadonlyMap<unknown, string> =>
  new Map(type === fieldTypes.options ? optionsIn(field_data).map(({ key, text }) => [key, text]) : []);

/** By attribute, the only type of fields that have it. */
export const typeWith = { options: "options", field_data: "account" } as const;
export const onlyWith = (attribute: keyof typeof typeWith): string =>
  `only fields of type ${typeWith[attribute]} have "${attribute}"`;

/** Returns the key of the next option. People's values are keys, so it was never used. */
export const nextKey = (options: readonly Option[]): number =>
  Math.max(-1, ...options.map(({ key }) => (/^\d{1,15}$/.test(key) ? Number(key) : -1))) + 1;

/** What the removal of options takes. `holders`: the number of people who have one, if known. */
export function optionsRemoved(options: readonly Option[], holders?: number): DestructiveEffect {
  const having = holders === undefined ? "people may have" : counted(holders, "person has", "people have");
  return {
    says: `removes ${joinFirst(options.map(({ text }) => text))}, which ${having}`,
    irreversible: holders !== 0,
  };
}

/** What a question about it adds. */
export function optionsLost(holders: number | undefined): { readonly sentence?: string } {
  if (holders === undefined) return {};
  if (!holders) return { sentence: "Nobody has this value." };
  const who = counted(holders, "person", "people");
  return { sentence: `${who} ${holders === 1 ? "loses" : "lose"} this value. This cannot be undone.` };
}

/** Returns the ids in the value of a people field: a list, or the JSON of one. */
export const peopleInValue = (value: unknown): number[] =>
  numbersIn(typeof value === "string" ? Object.values(membersOfJson(value)) : value);

/** Returns the data of a field for its options, in their order. People's values name the keys. */
export const optionsData = (options: readonly Option[]) =>
  Object.fromEntries(options.map(({ key, text }, n) => [key, { text, order: String(n + 1) }]));

/** Returns the data of a field with these options too. The others, and their keys, stay. */
export function withOptions(data: unknown, desired: unknown): Record<string, { text: string; order: string }> {
  const current = optionsIn(data);
  const next = nextKey(current);
  const added = optionsIn(desired).filter(({ text }) => !current.some((each) => each.text === text));
  return optionsData([...current, ...added.map(({ text }, n) => ({ key: String(next + n), text }))]);
}

export interface ExternalAccount {
  accountType?: string | undefined;
  urlPattern?: string | undefined;
}

/** Returns the data of an external account. Without a type it is a custom one. `current`: the data until now. */
export function accountData(
  { accountType = "custom", urlPattern }: ExternalAccount,
  current: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const pattern = urlPattern ?? (accountType === "custom" ? current.url_pattern : undefined);
  return { subtype: accountType, ...(pattern !== undefined && { url_pattern: pattern }) };
}

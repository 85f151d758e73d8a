/** What servers keep as JSON within texts: the options of a profile field, and people as its value. */
import * as v from "valibot";
import type { Option } from "../difference.ts";

/** The numbers that servers use for kinds of fields, by the file's words. */
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

/** Undefined where the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const optionsSchema = v.record(v.string(), v.object({ text: v.string(), order: v.union([v.string(), v.number()]) }));

/** The options of a field in their order. */
export function optionsIn(data: string): Option[] {
  const read = v.safeParse(optionsSchema, parsed(data));
  if (!read.success) return [];
  return Object.entries(read.output)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => ({ key, text }));
}

export const optionsData = (options: readonly Option[]): string =>
  JSON.stringify(Object.fromEntries(options.map(({ key, text }, n) => [key, { text, order: String(n + 1) }])));

/** Ids of the people whom a value names: a list, or the JSON of one. Null where there are none. */
export function peopleIn(value: unknown): number[] | null {
  const read = v.safeParse(v.array(v.number()), typeof value === "string" ? parsed(value) : value);
  return read.success && read.output.length ? read.output : null;
}

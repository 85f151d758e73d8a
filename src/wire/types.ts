/** Types of values as valibot schemas. Parameters say how values are sent. */
import * as v from "valibot";

export type Type<T = unknown> = v.GenericSchema<unknown, T>;
export type Value<T> = T extends Type<infer V> ? V : never;

export const boolean = v.boolean("must be true or false");
/** JavaScript would round larger numbers. */
export const integer = v.pipe(v.number("must be a whole number"), v.safeInteger("must be a whole number below 2^53"));
/** How many there are of something. */
export const count = v.pipe(
  v.number("must be a whole number"),
  v.safeInteger("must be a whole number below 2^53"),
  v.minValue(0, "must not be negative"),
);
/** A number that JavaScript represents exactly. */
export const number = v.pipe(
  v.number("must be a number"),
  v.minValue(Number.MIN_SAFE_INTEGER, "must be a number above -2^53"),
  v.maxValue(Number.MAX_SAFE_INTEGER, "must be a number below 2^53"),
);
export const string = v.string("must be text");
export const matching = (pattern: RegExp, message: string) => v.pipe(v.string(message), v.regex(pattern, message));
export const time = v.pipe(string, v.isoTimestamp("must be a time in ISO 8601"));
export const anything = v.unknown();

export const pair = <A, B>(first: Type<A>, second: Type<B>) => v.tuple([first, second]);
export const list = <T>(item: Type<T>) => v.array(item, "must be a list");
export const nullable = <T>(type: Type<T>) => v.nullable(type);
export const optional = <T>(type: Type<T>) => v.optional(type);
export const either = <const T extends readonly Type[]>(...types: T) => v.union(types);
export const word = <const W extends readonly string[]>(...words: W) =>
  v.picklist(words, `must be ${words.map((w) => JSON.stringify(w)).join(", ")}`);
export const oneOf = <const N extends readonly number[]>(...numbers: N) => v.picklist(numbers);

/** Unknown members are kept: servers can be newer. */
export const object = <const E extends v.ObjectEntries>(entries: E) => v.looseObject(entries, "must be an object");
/** Unknown members are errors. */
export const struct = <const E extends v.ObjectEntries>(entries: E) => v.strictObject(entries, "must be an object");
export const record = <T>(item: Type<T>) => v.record(v.string(), item, "must be an object");

/** Describes an issue. Those of missing and unknown members are issues of the object. */
const describe = ({ type, expected, message }: v.BaseIssue<unknown>): string => {
  if (type !== "loose_object" && type !== "strict_object") return message;
  if (expected === "never") return "is unknown";
  return expected?.startsWith('"') ? "is missing" : message;
};

/** Returns the errors of a value: `[0].to: must be a list`. `first`: only the first one. `within`: the path to the value. */
export function typeErrors(
  type: Type,
  value: unknown,
  { first = false, within = [] }: { first?: boolean; within?: (string | number)[] } = {},
): string[] {
  const { issues = [] } = v.safeParse(type, value, { abortEarly: first });
  return issues.map((issue) => {
    const where = [...within, ...(issue.path ?? []).map(({ key }) => key)]
      .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
      .join("")
      .replace(/^\./, "");
    return where ? `${where}: ${describe(issue)}` : describe(issue);
  });
}

/** Returns the first error of a value. Undefined if it fits. */
export const typeError = (type: Type, value: unknown, within?: (string | number)[]): string | undefined =>
  typeErrors(type, value, { first: true, within })[0];

/** Decodes parameters, with the server's errors. */

import { parse as parseLossless } from "lossless-json";
import { roleValues } from "../model/person.ts";
import { noLimit } from "../model/setting.ts";
import type { Param } from "../wire/params.ts";
import { type Shape, shapeOf } from "../wire/shape.ts";
import { ApiError, badRequest, requireFound } from "./answers.ts";

/** A number with a fraction or an exponent, or `NaN`, or an infinity. */
export class Float {
  constructor(readonly value: number) {}
}

export type JsonValue = null | boolean | string | number | bigint | Float | JsonValue[] | { [name: string]: JsonValue };

const maxDepth = 200;
const maxDigits = 4300;

// Servers accept `NaN`, `Infinity` and `-Infinity`. The library does not, so each becomes a number that is infinite.
const specialNumbers = /"(?:[^"\\]|\\.)*"|(?<![\w.+-])(?:-?Infinity|NaN)(?![\w.+-])/g;
const infinite = "1e999";

const parseNumber = (text: string): number | bigint | Float => {
  if (/[.eE]/.test(text)) return new Float(Number(text));
  if (text.length > maxDigits) throw new SyntaxError("number too long");
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
};

const tooDeep = (text: string): boolean => {
  let depth = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
};

// With the u flag this only matches lone surrogates.
const loneSurrogate = /\p{Surrogate}/u;
const rejectLoneSurrogates = (key: string, value: unknown): unknown => {
  if (loneSurrogate.test(key) || (typeof value === "string" && loneSurrogate.test(value)))
    throw new SyntaxError("lone surrogate");
  return value;
};

/** Throws `SyntaxError`. If a member is repeated, the last one counts. */
export function parseServerJson(text: string): JsonValue {
  if (tooDeep(text)) throw new SyntaxError("nested too deeply");
  const known = text.replace(specialNumbers, (found) => (found.startsWith('"') ? found : infinite));
  return parseLossless(known, /\\u[dD]/.test(text) ? rejectLoneSurrogates : null, {
    parseNumber: parseNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  }) as JsonValue;
}

export const isObject = (value: JsonValue): value is { [name: string]: JsonValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Float);

/** Returns the value of one parameter, or throws the server's refusal. */
export type Decoder<T = unknown> = (text: string, name: string, level: number) => T;
/** Checks a part of a JSON document. `path` is `drafts[0]["to"]`. */
export type Check<T = unknown> = (value: JsonValue, path: string) => T;

export const fromJson =
  <T>(check: Check<T>, where: (name: string) => string = (name) => name): Decoder<T> =>
  (text, name) => {
    let value: JsonValue;
    try {
      value = parseServerJson(text);
    } catch {
      throw badRequest(`${where(name)} is not valid JSON`);
    }
    return check(value, name);
  };

export const aBoolean: Check<boolean> = (value, path) => {
  if (typeof value !== "boolean") throw badRequest(`${path} is not a boolean`);
  return value;
};

/** Whole numbers beyond 2^53 stay bigint, so that refusals quote all digits. No id equals them. */
export const anInteger: Check<number> = (value, path) => {
  if (typeof value !== "number" && typeof value !== "bigint") throw badRequest(`${path} is not an integer`);
  return value as number;
};

/** The server's database does not accept such numbers. */
export const isBeyond64Bits = (value: unknown): boolean =>
  typeof value === "bigint" && BigInt.asIntN(64, value) !== value;

/** Numbers beyond 2^53 lose digits: they are only compared and added. */
export const nonNegative: Check<number> = (value, path) => {
  const number = anInteger(value, path);
  if (number < 0) throw badRequest(`${path} is too small`);
  return Number(number);
};

export const impossibleValue = (path: string) => `Invalid ${path}: Value error, Not in the list of possible values`;

export const aRole: Check<(typeof roleValues)[number]> = (value, path) => {
  const number = anInteger(value, path);
  const role = roleValues.find((each) => each === number);
  return requireFound(role, impossibleValue(path));
};

export const aString: Check<string> = (value, path) => {
  if (typeof value !== "string") throw badRequest(`${path} is not a string`);
  return value;
};

export const aList =
  <T>(item: Check<T>): Check<T[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw badRequest(`${path} is not a list`);
    return value.map((each, index) => item(each, `${path}[${index}]`));
  };

export const aDict: Check<{ [name: string]: JsonValue }> = (value, path) => {
  if (!isObject(value)) throw badRequest(`${path} is not a dict`);
  return value;
};

export const dictOf =
  <T>(item: Check<T>): Check<{ [name: string]: T }> =>
  (value, path) =>
    Object.fromEntries(
      Object.entries(aDict(value, path)).map(([name, each]) => [name, item(each, `${path}["${name}"]`)]),
    );

/** An object whose class the server's refusal names. */
export const instanceOf =
  (className: string): Check<{ [name: string]: JsonValue }> =>
  (value, path) => {
    if (isObject(value)) return value;
    throw badRequest(`Invalid ${path}: Input should be a valid dictionary or instance of ${className}`);
  };

export const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value, path) =>
    value === null ? null : check(value, path);

export const requiredMember = <T>(
  object: { [name: string]: JsonValue },
  name: string,
  path: string,
  check: Check<T>,
): T => {
  const memberPath = `${path}["${name}"]`;
  const value = object[name];
  if (value === undefined) throw badRequest(`${memberPath} field is missing: Field required`);
  return check(value, memberPath);
};

/** Reads a number of days or seconds, at least 1, or the word for no limit. */
export function orUnlimited<U>(name: string, value: unknown, unlimited: U): number | U {
  if (value === noLimit) return unlimited;
  if (typeof value !== "string" && Number(value) >= 1) return Number(value);
  const fields = { var_name: name, bad_value: value };
  throw new ApiError(400, "REQUEST_VARIABLE_INVALID", `Bad value for '${name}': ${value}`, fields);
}

/** The value of a parameter with two names. Refuses a request that has both. */
export function resolveAliases<T>(values: { readonly [name: string]: T | undefined }): T | undefined {
  const sent = Object.entries(values).filter(([, value]) => value !== undefined);
  const [[var_name1, value] = [], [var_name2] = []] = sent;
  if (var_name2 === undefined) return value;
  const msg = `Can't decide between '${var_name1}' and '${var_name2}' arguments`;
  throw new ApiError(400, "REQUEST_CONFUSING_VAR", msg, { var_name1, var_name2 });
}

export const maxLength =
  (limit: number) =>
  (text: string, name: string): string => {
    if ([...text].length > limit) throw badRequest(`${name} is too long (limit: ${limit} characters)`);
    return text;
  };

export const anyOf =
  <T>(options: readonly T[]): Check<T> =>
  (value, path) =>
    requireFound(
      options.find((each) => each === value),
      `Invalid ${path}`,
    );

/** The check of a simple schema. Routes state the checks of others. */
function checkOf({ type, item, wrapped, options }: Shape): Check {
  if (type === "array" && item) return aList(checkOf(item));
  if (type === "nullable" && wrapped) return orNull(checkOf(wrapped));
  if (type === "picklist" && options) return anyOf(options);
  switch (type) {
    case "boolean":
      return aBoolean;
    case "number":
      return anInteger;
    case "string":
      return aString;
    default:
      throw new Error(`the sandbox has no check for ${type}: state one in its route`);
  }
}

/** The default decoder of a parameter. It does not read the forms of servers before level 371. */
export function decoderOf({ type, encoding, valueSince }: Param, level: number): Decoder {
  const shape = shapeOf(type);
  if (encoding === "json") return fromJson(checkOf(shape));
  if (shape.type !== "picklist") return (text) => text;
  const known = (shape.options as readonly string[]).filter((option) => level >= (valueSince?.(option) ?? 0));
  const check = anyOf(known);
  return (text, name) => check(text, name);
}

/** The parameter `narrow`: terms, and every way of getting them wrong. */

import { strip } from "../../folding.ts";
import { ApiError, refused } from "../api-error.ts";
import { type Check, type Decoder, fromJson } from "../decode.ts";
import { isObject, type Json } from "../json.ts";

export type Operand = string | number | bigint | boolean | (number | bigint | boolean)[];

export interface Term {
  operator: string;
  operand: Operand;
  negated: boolean;
}

const isInteger = (value: Json): value is number | bigint | boolean =>
  // To the server's language truth values are whole numbers too.
  typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";

/** Operators that take ids as numbers, with the level that knew them first. */
const withId: Record<string, number> = {
  channel: 250,
  stream: 0,
  id: 194,
  sender: 0,
  "group-pm-with": 0,
  "dm-including": 177,
  with: 271,
  mentions: 446,
};
const withIds: Record<string, number> = { "pm-with": 0, dm: 177 };
const takes = (operators: Record<string, number>, operator: string, level: number): boolean =>
  Object.hasOwn(operators, operator) && level >= operators[operator]!;

/** Refusals of an operand name no index. */
function operandOf(operator: string, value: Json, level: number): Operand {
  if (takes(withId, operator, level)) {
    if (typeof value === "string" || isInteger(value)) return value;
    throw refused("operand is not a string or integer");
  }
  if (takes(withIds, operator, level)) {
    if (typeof value === "string") return value;
    if (!Array.isArray(value)) throw refused("operand is not a string or an integer list");
    return value.map((item, n) => {
      if (!isInteger(item)) throw refused(`operand[${n}] is not an integer`);
      return item;
    });
  }
  if (typeof value !== "string") throw refused("operand is not a string");
  if (operator === "search" && strip(value) === "") throw refused("operand cannot be blank.");
  return value;
}

const invalid = (path: string, reason: string): ApiError => refused(`Invalid ${path}: Value error, ${reason}`);

/** A term, or what is wrong with its shape. */
function read(value: Json, path: string, level: number): Term | ApiError {
  let parts: { [name: string]: Json };
  if (Array.isArray(value)) {
    // The form of old clients.
    const [operator, operand, ...others] = value;
    if (typeof operator !== "string" || typeof operand !== "string" || others.length)
      return invalid(path, "element is not a string pair");
    parts = { operator, operand };
  } else if (isObject(value)) parts = value;
  else return invalid(path, "dict or list required");
  const { operator, operand, negated = false } = parts;
  if (operand === undefined || operand === null) return invalid(path, "operand is missing");
  if (operator === undefined || operator === null) return invalid(path, "operator is missing");
  if (typeof operator !== "string") return refused(`${path}["operator"] is not a string`);
  if (typeof negated !== "boolean") return refused(`${path}["negated"] is not a boolean`);
  return { operator, operand: operandOf(operator, operand, level), negated };
}

const aNarrow =
  (level: number): Check<Term[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw refused(`${path} is not a list`);
    // A wrong operand ends the reading at once, so it goes before what is wrong with the shape of an earlier term.
    const terms = value.map((each, n) => read(each, `${path}[${n}]`, level));
    for (const term of terms) if (term instanceof ApiError) throw term;
    return terms as Term[];
  };

export const narrow: Decoder<Term[]> = (text, name, level) => fromJson(aNarrow(level))(text, name, level);

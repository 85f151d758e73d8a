/** Reads narrows in JSON, as requests send them. */

import { isMapping } from "../common/object-members.ts";
import { didYouMean } from "../common/suggestions.ts";
import { Usage } from "../errors.ts";
import { readId } from "./id.ts";
import {
  isKnown,
  me,
  type Narrow,
  NewerOperand,
  narrow,
  type Operand,
  type Operator,
  operatorNamed,
  type TypedTerm,
} from "./narrow.ts";
import { readJson } from "./read-json.ts";

const isId = (value: unknown): boolean => Number.isSafeInteger(value);
const isAddress = (value: unknown): boolean => value === "me" || (typeof value === "string" && value.includes("@"));
const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
/** By kind, whether servers take a JSON operand of this type, and the types in words. */
const jsonOperands: Record<Operator["operand"], readonly [fits: (value: unknown) => boolean, types: string]> = {
  channel: [(value) => isId(value) || isText(value), "a name or an id"],
  person: [(value) => isId(value) || isAddress(value), "an e-mail address or an id"],
  people: [
    (value) => isAddress(value) || (Array.isArray(value) && value.every(isId)),
    "e-mail addresses or a list of ids",
  ],
  address: [(value) => value !== "me" && isAddress(value), "an e-mail address"],
  message: [
    (value) => isId(value) || (typeof value === "string" && readId(value) !== undefined),
    "the number of a message",
  ],
  text: [(value) => typeof value === "string", "text"],
  search: [isText, "text"],
  word: [isText, "text"],
};

/** Reads a term in JSON. */
function jsonTerm(value: unknown, place: string): TypedTerm {
  // Servers still read the old form, a pair.
  const object = Array.isArray(value) && value.length === 2 ? { operator: value[0], operand: value[1] } : value;
  if (!isMapping(object)) throw new Usage(`${place} must be an object or a list of two strings`);
  const { operator, operand, negated = false, ...others } = object;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new Usage(`${place}: unknown member "${other}" of a term`, {
      hint: didYouMean(other, ["operator", "operand", "negated"]),
    });
  if (typeof operator !== "string") throw new Usage(`${place}.operator must be text`);
  if (operand === undefined || operand === null) throw new Usage(`${place}.operand is missing`);
  if (typeof negated !== "boolean") throw new Usage(`${place}.negated must be true or false`);
  // A newer server may know it. Others refuse it.
  if (!isKnown(operator)) return { operator, operand: new NewerOperand(operand), negated };
  const { operand: kind } = operatorNamed(operator, place);
  const [fits, types] = jsonOperands[kind];
  if (!fits(operand)) {
    const found = typeof operand === "object" ? "this list or object" : JSON.stringify(operand).slice(0, 60);
    throw new Usage(`${place}: ${operator}: must be ${types}, not ${found}`);
  }
  if (operand === "me" && kind === "people") return { operator, operand: [me], negated };
  return { operator, operand: operand === "me" && kind === "person" ? me : (operand as Operand), negated };
}

/** Reads a JSON list of terms, for servers of all levels. Throws `Usage` with the index of the invalid term. */
export function readNarrowJson(text: string): Narrow {
  const flag = "--narrow-json";
  const json = readJson(text);
  if ("error" in json) throw new Usage(`${flag}, column ${json.column}: ${json.error}`);
  if (!Array.isArray(json.value)) throw new Usage(`${flag} must be a list of terms`);
  return { ...narrow(json.value.map((value, n) => jsonTerm(value, `${flag}[${n}]`))), needs: [] };
}

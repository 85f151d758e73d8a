/** Checks values of a file against their shapes. */
import * as v from "valibot";
import { type AttributeShape, orList } from "./attribute-shapes.ts";
import type { Path } from "./content.ts";

/** A value that does not fit its schema, and the path to it. */
export interface ValidationError {
  readonly path: Path;
  /** Follows the place in the message. */
  readonly message: string;
  /** The message says what the value must be. */
  readonly expects?: boolean;
  /** The problem is the last key of the path, not its value. */
  readonly key?: "key" | undefined;
}

type Issue = v.BaseIssue<unknown>;

const isInside = ({ path, type }: Issue): boolean => path !== undefined || type === "raw_check";

/** Returns what a value may be if it fits none of several types. */
const alternatives = ({ issues, message }: Issue): string[] =>
  (issues ? issues.flatMap(alternatives) : [message.replace(/^must be /, "")]).filter(Boolean);

function errorsOfIssue(issue: Issue, within: Path): ValidationError[] {
  const path = [...within, ...(issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)))];
  // The value is a mapping or a list, so its errors come from the matching type.
  const inside = issue.issues?.filter(isInside) ?? [];
  if (inside.length) return inside.flatMap((each) => errorsOfIssue(each, path));
  const says = issue.issues ? `must be ${orList([...new Set(alternatives(issue))])}` : issue.message;
  // A name of digits alone, for example.
  const needsQuotes = says.startsWith("must be text") && /number|boolean/.test(typeof issue.input);
  const message = needsQuotes ? `${says}; put it in quotes` : says;
  const key = issue.path?.at(-1)?.origin === "key" ? "key" : undefined;
  return [{ path, message, expects: issue.type !== "raw_check", key }];
}

/** Checks a JSON value and returns what does not fit. */
export const validate = (shape: AttributeShape, value: unknown): ValidationError[] =>
  (v.safeParse(shape, value).issues ?? []).flatMap((issue) => errorsOfIssue(issue, []));

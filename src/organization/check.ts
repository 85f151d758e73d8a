/** What of a value does not fit its shape: everything at once, each with the way to it. */
import * as v from "valibot";
import type { Path } from "./content.ts";
import { inWords, type Shape } from "./shape.ts";

/** What does not fit, by the way to it. */
export interface Misfit {
  readonly path: Path;
  /** Completes a sentence that begins with where it is. */
  readonly says: string;
  /** It says what the value of the attribute must be. */
  readonly wanted?: boolean;
  /** It is about the last key of the path, and not about what stands behind it. */
  readonly key?: "key" | undefined;
}

type Issue = v.BaseIssue<unknown>;

const isInside = ({ path, type }: Issue): boolean => path !== undefined || type === "raw_check";

/** What a value of none of several types must be. */
const alternatives = ({ issues, message }: Issue): string[] =>
  issues ? issues.flatMap(alternatives) : [message.replace(/^must be /, "")];

function misfitsIn(issue: Issue, within: Path): Misfit[] {
  const path = [...within, ...(issue.path ?? []).map(({ key }) => key as string | number)];
  // Of several types the one is meant whose mapping or list the value is.
  const inside = issue.issues?.filter(isInside) ?? [];
  if (inside.length) return inside.flatMap((each) => misfitsIn(each, path));
  const says = issue.issues ? `must be ${inWords([...new Set(alternatives(issue))])}` : issue.message;
  return [
    { path, says, wanted: issue.type !== "raw_check", key: issue.path?.at(-1)?.origin === "key" ? "key" : undefined },
  ];
}

/** What of a plain value, as JSON has it, does not fit. */
export const misfitsOf = (shape: Shape, value: unknown): Misfit[] =>
  (v.safeParse(shape, value).issues ?? []).flatMap((issue) => misfitsIn(issue, []));

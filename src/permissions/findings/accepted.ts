/** Accepted findings, as a file lists them. */
import * as v from "valibot";
import { day as oneDay } from "../../common/unit-sizes.ts";
import { type AttributeShape, membersShape, nonEmptyShape } from "../../organization/attribute-shapes.ts";
import type { FileProblem, Location } from "../../organization/content.ts";
import { parse } from "../../organization/document/parse.ts";
import { decodeFile, findLocation, Problems, type SourceFile } from "../../organization/document/source-text.ts";
import { validate } from "../../organization/validate.ts";
import { string } from "../../wire/types.ts";
import { type FindingName, findingNames } from "./finding-kinds.ts";

export interface AcceptedFinding {
  readonly finding: FindingName;
  /** The target, as the table of findings shows it. */
  readonly target: string;
  readonly why: string;
  /** The last day. */
  readonly until?: string;
  readonly place: Location;
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

const day: AttributeShape = v.pipe(string, v.check<string, string>(isDay, "must be a day such as 2027-06-30"));

const name: AttributeShape = v.picklist(findingNames, "must be the name of a finding, such as web_public_channel");

const list: AttributeShape = v.array(
  membersShape({
    finding: { shape: name, doc: "", needed: true },
    target: { shape: nonEmptyShape, doc: "", needed: true },
    why: { shape: nonEmptyShape, doc: "", needed: true },
    until: { shape: day, doc: "" },
  }),
  "must be a list",
);

/** Reads a file of accepted findings. Returns the first error and its place, if any. */
export function readAccepted(
  source: SourceFile,
): { accepted: AcceptedFinding[] } | { problems: readonly FileProblem[] } {
  const problems = new Problems();
  const text = decodeFile(source, problems);
  const value = (text && parse(text, problems)) ?? [];
  if (!text || problems.count) return { problems: problems.sorted([source.name]) };
  const start = { source: text, value: 0, key: 0 };
  for (const { path, message, expects, key } of validate(list, value)) {
    const attribute = expects ? path.findLast((step) => typeof step === "string") : undefined;
    problems.add(findLocation(value, start, path, key), attribute === undefined ? message : `${attribute}: ${message}`);
  }
  if (problems.count) return { problems: problems.sorted([source.name]) };
  const entries = value as Omit<AcceptedFinding, "place">[];
  return { accepted: entries.map((entry, at) => ({ ...entry, place: findLocation(value, start, [at]) })) };
}

/** Returns the end of the last accepted day, in milliseconds. */
export const endOf = ({ until }: AcceptedFinding): number =>
  until === undefined ? Infinity : Date.parse(`${until}T00:00:00Z`) + oneDay;

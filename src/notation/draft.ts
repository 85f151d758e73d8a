/** Drafts from a file: a JSON array, or one JSON draft a line. */
import * as v from "valibot";
import { type Draft, draftTypes } from "../api/drafts.ts";
import { Usage } from "../errors.ts";
import { strip } from "../folding.ts";
import { positionOf, readJson } from "./json.ts";

const text = v.string("must be text");
const id = v.pipe(v.number("must be a whole number"), v.safeInteger("must be a whole number"));

/** As strict as servers: no other members, no `"channel"` for `"stream"`, no numbers in quotes. */
const draft = v.strictObject(
  {
    type: v.picklist(draftTypes, 'must be "", "stream" or "private"'),
    to: v.array(id, "must be a list of ids"),
    topic: text,
    content: v.pipe(
      text,
      v.check((content) => strip(content) !== "", "cannot be empty"),
    ),
    timestamp: v.optional(v.nullable(v.number("must be a number of seconds, or null"))),
  },
  ({ expected }) => {
    if (expected === "never") return "is not a member of a draft";
    return expected === "Object" ? "must be a JSON object" : "is missing";
  },
);

/** The largest number of characters in a message. Servers silently cut longer ones. */
export const maxMessageLength = 10_000;

export interface DraftProblem {
  file: string;
  /** From 1. Absent for an array. */
  line?: number;
  /** From 1, if invalid JSON has a known place. */
  column?: number;
  message: string;
}

/** Returns the errors in the form of a draft: `to[1] must be a whole number`. */
export function draftProblems(value: unknown): string[] {
  if (Array.isArray(value)) return ["must be a JSON object"];
  return (v.safeParse(draft, value).issues ?? []).map(({ message, path = [] }) => {
    const where = path.map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
    return `${where.replace(/^\./, "")} ${message}`.trim();
  });
}

const formatProblem = ({ file, line, column, message }: DraftProblem): string =>
  `${[file, line && `line ${line}`, column && `column ${column}`].filter(Boolean).join(", ")}: ${message}`;

/**
 * Reads the drafts of a file, in order. Throws `Usage` for drafts of another form: several problems are in
 * `more.problems`. The server checks lengths, ids and combinations.
 */
export function readDrafts(text: string, file: string): Draft[] {
  const content = text.replace(/^\uFEFF/, "");
  const problems: DraftProblem[] = [];
  const drafts: Draft[] = [];
  const add = (value: unknown, at: { line?: number }, prefix: string) => {
    const messages = draftProblems(value);
    for (const message of messages) problems.push({ file, ...at, message: `${prefix}${message}` });
    if (!messages.length) drafts.push(value as Draft);
  };
  const document = readJson(content);
  if (!content.trim()) throw new Usage(`${file} is empty: a JSON array or one JSON draft a line is expected`);
  if ("value" in document) {
    if (Array.isArray(document.value))
      for (const [n, value] of document.value.entries()) add(value, {}, `draft [${n}]: `);
    else add(document.value, { line: positionOf(content, content.search(/\S/)).line }, "");
  } else if (/^\s*\[/.test(content)) {
    const { error, line, column } = document;
    problems.push({ file, line, column, message: error });
  } else
    for (const [n, line] of content.split(/\r?\n/).entries()) {
      if (!line.trim()) continue;
      const read = readJson(line);
      if ("value" in read) add(read.value, { line: n + 1 }, "");
      else problems.push({ file, line: n + 1, column: read.column, message: read.error });
    }
  const [problem, ...others] = problems;
  if (problem && !others.length) throw new Usage(formatProblem(problem));
  if (problem)
    throw new Usage(`There are ${problems.length} problems with the drafts of ${file}`, { more: { problems } });
  return drafts;
}

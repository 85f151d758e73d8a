/** Drafts from a file: a JSON array, or one JSON draft a line. */
import { type Draft, draftSchema } from "../api/drafts.ts";
import { strip } from "../common/folding.ts";
import { membersOf } from "../common/object-members.ts";
import { Usage } from "../errors.ts";
import { fits } from "../wire/fits.ts";
import { typeErrors } from "../wire/types.ts";
import { positionOf, readJson } from "./read-json.ts";
import { latestTime } from "./time.ts";

/** The largest number of characters in a message. Servers silently cut longer ones. */
export const maxMessageLength = 10_000;

interface DraftProblem {
  file: string;
  /** From 1. Absent for an array. */
  line?: number;
  /** From 1, if invalid JSON has a known place. */
  column?: number;
  message: string;
}

export const isDraft = (value: unknown): value is Draft => fits(draftSchema)(value);

/** Returns the errors of a draft: `to[1]: must be a whole number below 2^53`. As strict as servers. */
export function draftProblems(value: unknown): string[] {
  if (Array.isArray(value)) return ["must be an object"];
  const problems = typeErrors(draftSchema, value);
  return problems.length || strip(String(membersOf(value).content)) !== "" ? problems : ["content: cannot be empty"];
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
    if (!messages.length && isDraft(value) && Number(value.timestamp) >= latestTime)
      messages.push("timestamp: must be in seconds, not in milliseconds");
    for (const message of messages) problems.push({ file, ...at, message: `${prefix}${message}` });
    if (!messages.length && isDraft(value)) drafts.push(value);
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
      const json = readJson(line);
      if ("value" in json) add(json.value, { line: n + 1 }, "");
      else problems.push({ file, line: n + 1, column: json.column, message: json.error });
    }
  const [problem, ...others] = problems;
  if (problem && !others.length) throw new Usage(formatProblem(problem));
  if (problem)
    throw new Usage(`There are ${problems.length} problems with the drafts of ${file}`, { more: { problems } });
  return drafts;
}

import { describe, expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { draftProblems, readDrafts } from "../../src/notation/draft.ts";
import { readRecords } from "../records.ts";

const one = { type: "stream", to: [5], topic: "t", content: "c" };

const refusalOf = (content: string): { message: string; problems: unknown } => {
  try {
    readDrafts(content, "drafts.json");
  } catch (error) {
    if (error instanceof Usage) return { message: error.message, problems: error.details.more?.problems };
    throw error;
  }
  throw new Error("nothing was refused");
};

test("reads an array, one object, or one draft a line, in order", () => {
  const two = { type: "", to: [], topic: "", content: "x", timestamp: null };
  expect(readDrafts(JSON.stringify([one, two], undefined, 2), "f")).toEqual([one, two]);
  expect(readDrafts(JSON.stringify(one, undefined, 2), "f")).toEqual([one]);
  expect(readDrafts(`\uFEFF${JSON.stringify(one)}\r\n\n${JSON.stringify(two)}\n`, "f")).toEqual([one, two]);
  expect(readDrafts("[]", "f")).toEqual([]);
});

test("names one problem with its place", () => {
  expect(refusalOf(JSON.stringify([one, { ...one, to: ["5"] }])).message).toBe(
    "drafts.json: draft [1]: to[0]: must be a whole number",
  );
  expect(refusalOf(`${JSON.stringify(one)}\n\n${JSON.stringify({ ...one, type: "channel" })}`).message).toBe(
    'drafts.json, line 3: type: must be "", "stream", "private"',
  );
  expect(refusalOf(`${JSON.stringify(one)}\n{"type":}\n`).message).toBe(
    "drafts.json, line 2, column 9: not valid JSON: Object value expected after ':'",
  );
  expect(refusalOf('[\n  {"type": }\n]').message).toBe(
    "drafts.json, line 2, column 12: not valid JSON: Object value expected after ':'",
  );
  expect(refusalOf(JSON.stringify({ ...one, timestamp: 1_764_547_200_000 })).message).toBe(
    "drafts.json, line 1: timestamp: must be in seconds, not in milliseconds",
  );
  expect(refusalOf(" \n").message).toBe("drafts.json is empty: a JSON array or one JSON draft a line is expected");
});

test("lists several problems", () => {
  expect(refusalOf(`5\n${JSON.stringify({ ...one, id: 3, topic: undefined })}\n{`)).toEqual({
    message: "There are 4 problems with the drafts of drafts.json",
    problems: [
      { file: "drafts.json", line: 1, message: "must be an object" },
      { file: "drafts.json", line: 2, message: "topic: is missing" },
      { file: "drafts.json", line: 2, message: "id: is unknown" },
      expect.objectContaining({ file: "drafts.json", line: 3, message: expect.stringContaining("not valid JSON") }),
    ],
  });
});

test("does not round large ids, and reads no member of the prototype", () => {
  expect(draftProblems({ ...one, to: [2 ** 53] })).toEqual(["to[0]: must be a whole number below 2^53"]);
  expect(draftProblems(JSON.parse('{"type":"","to":[],"topic":"","content":"c","__proto__":1}'))).toEqual([
    "__proto__: is unknown",
  ]);
});

interface Recorded {
  case: string;
  method: string;
  path: string;
  form: { drafts?: string } | null;
  status: number;
  body: { msg: string };
}

const shape = /is not a|is missing|Invalid drafts\[|is unexpected|cannot be blank|does not have the expected/;
const recorded = readRecords<Recorded>("recorded/drafts").flatMap(
  ({ case: name, method, path, form, status, body }) => {
    // JavaScript cannot represent ids above 2 ** 53.
    if (/huge/.test(name)) return [];
    // The server's parser failed: nested too deeply, or half a character.
    if (/is not valid JSON/.test(body.msg)) return [];
    if (method !== "POST" || path !== "/drafts" || !form?.drafts || (status !== 200 && status !== 400)) return [];
    try {
      const drafts: unknown = JSON.parse(form.drafts);
      return Array.isArray(drafts) ? [{ name, drafts, msg: status === 200 ? "" : body.msg }] : [];
    } catch {
      return [];
    }
  },
);

describe("accepts and refuses drafts as servers do", () => {
  test("has more than 80 recorded drafts", () => expect(recorded.length).toBeGreaterThan(80));

  test.each(recorded)("$name", ({ drafts, msg }) => {
    const refusal = shape.test(msg);
    expect(drafts.some((draft) => draftProblems(draft).length > 0)).toBe(refusal);
  });
});

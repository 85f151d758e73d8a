import { describe, expect, test } from "vitest";
import { checkLinkifier } from "../../src/notation/linkifier.ts";
import { readRecords } from "../records.ts";

interface Recorded {
  case: string;
  method: string;
  path: string;
  form: Record<string, string> | null;
  status: number;
  body: { msg: string; errors?: Record<string, string[]> };
}

const recorded = readRecords<Recorded>("recorded/linkifiers");

/** Existing patterns at the time of the recording. */
const existingPatterns = new Set(["P611d-(?P<n>[0-9]+)", "P611-(?P<n>[0-9]+)"]);

const answers = recorded.flatMap(({ case: name, method, path, form, status, body }) =>
  /^(?:POST|PATCH) \/realm\/filters/.test(`${method} ${path}`) &&
  form?.pattern !== undefined &&
  form.url_template !== undefined &&
  // Other refusals are about permissions and ids.
  (body.errors || status === 200)
    ? [{ name, candidate: { pattern: form.pattern, url_template: form.url_template }, body, status }]
    : [],
);

describe("accepts and refuses linkifiers as servers do", () => {
  test("has 130 recorded answers", () => expect(answers.length).toBe(130));

  test.each(answers)("$name", ({ name, candidate, body }) => {
    const isDuplicate = /same pattern|of another linkifier/.test(name);
    const refusal = checkLinkifier(candidate, isDuplicate ? (pattern) => existingPatterns.has(pattern) : undefined);
    expect(refusal).toEqual(body.errors && { msg: body.msg, errors: body.errors });
  });
});

const verdict = (pattern: string, url_template: string, more = {}) =>
  checkLinkifier({ pattern, url_template, ...more });
const together = (message: string) => ({ msg: message, errors: { __all__: [message] } });

test("lists all errors, and the first is the message", () => {
  expect(verdict(" ", "{n", {})).toEqual({
    msg: "This field cannot be blank.",
    errors: { pattern: ["This field cannot be blank."], url_template: ["Invalid URL template."] },
  });
});

test("trims the white space that servers trim", () => {
  expect(verdict("\u001fA-(?P<n>1)\u0085", "\u2003https://x.example/{n}\n")).toBeUndefined();
  expect(verdict("\ufeff", "https://x.example/")).toBeUndefined();
});

test("requires an example that matches, and a reverse template that restores it", () => {
  const field = (example_input: string, reverse_template?: string) =>
    verdict("#(?P<id>[0-9]+)", "https://x.example/{id}", { example_input, reverse_template });
  expect(field("#7")).toBeUndefined();
  expect(field("see #7", "#{id}")).toEqual(together("Example text does not match auto-conversion field."));
  expect(field("#7", "#{id}")).toBeUndefined();
  expect(field("x")).toEqual(together("Example input does not match the linkifier pattern."));
  expect(field("#7", "#{id")).toEqual(together("Invalid auto-conversion field: missing '}' character."));
  expect(field("#7", "#{}")).toEqual(together("Invalid auto-conversion field: empty field name."));
  expect(field("#7", "#{no}")).toEqual(
    together("Group 'no' in auto-conversion field is not present in linkifier pattern."),
  );
  expect(
    verdict("\\{(?P<id>[0-9]+)\\}", "https://x.example/{id}", { example_input: "{7}", reverse_template: "{{{id}}}" }),
  ).toBeUndefined();
});

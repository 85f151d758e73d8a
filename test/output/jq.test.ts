import { describe, expect, test } from "vitest";
import { Cancelled, Interrupted, Usage } from "../../src/errors.ts";
import type { FilteredForm, Result } from "../../src/output/form.ts";
import { filtered } from "../../src/output/jq.ts";
import { checkOutputOptions } from "../../src/output/printer.ts";
import { place, printed, terminal } from "./world.ts";

const people = [
  { user_id: 1, full_name: "Ada" },
  { user_id: 2, full_name: 'Zoë\n"王"\u001b[31m\u009b1m\u202E', is_bot: true },
];
const listing: Result = { kind: "listing", records: people, columns: [], id: "user_id" };
const run = (jq: string, world = place(), result: Result = listing) => printed(result, { form: "json", jq }, world);

describe("a filter", () => {
  test.each([
    [
      ".[] | .user_id, .is_bot, {full_name}",
      '1\nnull\n{"full_name":"Ada"}\n2\ntrue\n{"full_name":"Zoë\\n\\"王\\"\\u001b[31m\\u009b1m\\u202e"}\n',
    ],
    ["map(.user_id)", "[1,2]\n"],
    ['.[0].full_name, ""', "Ada\n\n"],
  ])("%s prints each result on a line, and bare strings", async (jq, text) => expect(await run(jq)).toBe(text));

  test.each([place(), place(terminal())])("prints safe strings with their line ends", async (world) => {
    expect(await run(".[1].full_name", world)).toBe('Zoë\n"王"\n');
  });

  test("reads no environment, arguments or files", async () => {
    const { results } = await filtered("null", 'env.HOME, ($ENV|has("PATH")), input_filename');
    expect(results).toEqual(['"/home/web_user"', "true", '"inputString"']);
    await expect(filtered("null", 'include "x"; .')).rejects.toBeInstanceOf(Usage);
  });

  test("reads half a surrogate pair as U+FFFD", async () => {
    const records = [{ user_id: 1, full_name: "a\ud83d \\ud83d 😀" }];
    expect(await run(".[].full_name", place(), { ...listing, records })).toBe("a\ufffd \\ud83d 😀\n");
  });

  test("prints messages of debug on stderr, escaped", async () => {
    const world = place();
    expect(await run('.[0].full_name | debug("\\u001b[31mhere")', world)).toBe("Ada\n");
    expect(world.stderr.text).toBe('["DEBUG:","\\u001b[31mhere"]\n');
  });
});

describe("-o gives the form of what a filter returns", () => {
  const inForm = (jqForm: FilteredForm, jq: string, world = place()) =>
    printed(listing, { form: "json", jq, jqForm }, world);

  test.each<[FilteredForm, string, string]>([
    ["csv", ".[] | {full_name, user_id} | select(.user_id == 1)", "full_name,user_id\r\nAda,1\r\n"],
    ["csv", ".[] | {user_id, is_bot} | del(..|nulls)", "user_id,is_bot\r\n1,\r\n2,true\r\n"],
    ["csv", "map({user_id})", "user_id\r\n1\r\n2\r\n"],
    ["csv", '"=1+1", "a,b"', 'value\r\n\'=1+1\r\n"a,b"\r\n'],
    ["tsv", ".[] | .user_id, null, [1, 2], true", 'value\n1\n""\n[1,2]\ntrue\n2\n""\n[1,2]\ntrue\n'],
    ["tsv", "{a: 1}, 5", "a\tvalue\n1\t\n\t5\n"],
    ["table", ".[] | {user_id, n: {x: 1}}", 'user_id\tn\n1\t{"x":1}\n2\t{"x":1}\n'],
    ["ndjson", '.[0] | ., [.user_id], "a"', '{"user_id":1,"full_name":"Ada"}\n[1]\n"a"\n'],
    ["yaml", ".[] | {user_id}", "- user_id: 1\n- user_id: 2\n"],
    ["yaml", ".[].user_id", "- 1\n- 2\n"],
    ["csv", "empty", ""],
    ["table", "[]", ""],
    ["ndjson", "empty", ""],
  ])("%s of %s", async (form, jq, text) => expect(await inForm(form, jq)).toBe(text));

  test("draws a table for a terminal, and says that it is empty", async () => {
    const drawn = place(terminal());
    const heads = (await inForm("table", ".[] | {user_id}", drawn)).replace(/\x1b\[[\d;]*m/g, "");
    expect(heads).toBe("user_id\n      1\n      2\n");
    const empty = place(terminal());
    await printed(listing, { form: "json", jq: "empty", jqForm: "table", empty: "No users match." }, empty);
    expect([empty.stdout.text, empty.stderr.text]).toEqual(["", "No users match.\n"]);
  });
});

describe("an invalid filter", () => {
  test.each([
    [".[", "invalid --jq filter: syntax error, unexpected end of file (Unix shell quoting issues?) .["],
    [".a | foo", "invalid --jq filter: foo/0 is not defined .a | foo"],
    ["", 'invalid --jq filter: Top-level program not given (try ".")'],
  ])("%j is refused before anything is sent", async (jq, message) => {
    await expect(checkOutputOptions({ form: "json", jq, color: "auto" })).rejects.toMatchObject({
      exitCode: 2,
      message,
    });
  });

  test("ends a read with 2 and prints nothing", async () => {
    const world = place();
    await expect(run(".[] | .user_id, .full_name.x", world)).rejects.toMatchObject({
      exitCode: 2,
      message: '--jq: the filter failed: Cannot index string with string "x"',
    });
    expect(world.stdout.writes).toEqual([]);
    await expect(filtered('"\\u001b[31mred\\u202e"', "error(.)")).rejects.toThrow("--jq: the filter failed: red");
  });

  const outcomes = [{ operation: "attachment.rm", target: "1", outcome: "refused" }];
  test.each<[Result, string, object]>([
    [
      { kind: "change", sentence: "Created folder 7.", answer: { id: 7 }, ids: [7] },
      'The change was made, but the result could not be printed: --jq: the filter failed: Cannot index number with string "x"',
      { answer: { id: 7 } },
    ],
    [{ kind: "changes", sentences: [], outcomes, ids: [] }, "The changes were sent", { outcomes }],
  ])("ends a change with 5, and the error has the result: %j", async (change, message, more) => {
    await expect(run(".id.x, .x", place(), change)).rejects.toMatchObject({
      exitCode: 5,
      message: expect.stringContaining(message),
      details: { more },
    });
  });
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends a filter that runs forever, and the next filter works", async (signal, exitCode) => {
  const stop = new AbortController();
  const signals = { stop: stop.signal, unansweredChanges: 0, runBlocking: <T>(work: () => T) => work() };
  const running = filtered("1", "last(repeat(.))", signals);
  setImmediate(() => stop.abort(new Interrupted(signal)));
  const error = await running.catch((reason) => reason);
  expect(error).toBeInstanceOf(Cancelled);
  expect(error).toMatchObject({ exitCode });
  expect(await filtered("1", ".+1")).toEqual({ results: ["2"], messages: "" });
});

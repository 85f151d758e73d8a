import { expect, test } from "vitest";
import { Cancelled, Interrupted, Refused, Usage } from "../../src/errors.ts";
import { printError } from "../../src/output/error.ts";
import { place, recording, terminal } from "./world.ts";

type Options = { form?: "json" | "table"; verbose?: boolean; stderr?: ReturnType<typeof recording> };

/** Prints an error, and returns the exit code and stderr. */
async function shown(error: unknown, { form = "table", verbose = false, stderr = recording() }: Options = {}) {
  const world = place(recording(), stderr);
  const code = await printError(error, { form, color: "auto", verbose }, world);
  expect(world.stdout.writes).toEqual([]);
  return { code, err: world.stderr.text };
}

const refused = new Refused("Invalid channel ID", {
  code: "BAD_REQUEST",
  httpStatus: 400,
  request: { method: "PATCH", path: "/api/v1/streams/99" },
  outcome: "not_applied",
  more: { parameters: ["description"] },
  hint: "List the channels with: zulipctl channel list",
});

test.each([
  [refused, 1, "zulipctl: Invalid channel ID\nList the channels with: zulipctl channel list\n"],
  [new Usage("Unknown flag."), 2, "zulipctl: Unknown flag.\n"],
  [new Cancelled("Nothing was changed."), 130, "zulipctl: Nothing was changed.\n"],
  [new Interrupted("SIGINT"), 130, "zulipctl: Stopped.\n"],
  [
    new TypeError("x is not a function"),
    70,
    "zulipctl: This is a bug in zulipctl 1.2.3: TypeError: x is not a function\n" +
      "Please report it with what --verbose prints.\n",
  ],
])("prints %o with its hint, and ends with %i", async (error, code, err) => {
  expect(await shown(error)).toEqual({ code, err });
});

test.each([
  [
    refused,
    {
      exit_code: 1,
      kind: "refused",
      message: "Invalid channel ID",
      code: "BAD_REQUEST",
      http_status: 400,
      request: { method: "PATCH", path: "/api/v1/streams/99" },
      outcome: "not_applied",
      parameters: ["description"],
      hint: "List the channels with: zulipctl channel list",
    },
  ],
  [new Usage("Unknown flag."), { exit_code: 2, kind: "usage", message: "Unknown flag." }],
  [new Interrupted("SIGTERM"), { exit_code: 143, kind: "cancelled", message: "Stopped." }],
])("prints %o as one line of JSON with -o json", async (error, record) => {
  const { err } = await shown(error, { form: "json", stderr: terminal() });
  expect(err).toBe(`${JSON.stringify({ error: record })}\n`);
});

test("prints hostile text as one safe line", async () => {
  const hostile = "No\n\u001b[2Jzulipctl: all is well\u202E\u009b1m\u200b";
  expect((await shown(new Refused(hostile, { hint: hostile }))).err).toBe(
    "zulipctl: No zulipctl: all is well\nNo zulipctl: all is well\n",
  );
  const { err } = await shown(new Refused(hostile), { form: "json" });
  expect(err).toMatch(/^[\x20-\x7E]*\n$/);
  expect(JSON.parse(err).error.message).toBe(hostile);
});

test("wraps lines at blanks on a terminal, keeps commands whole, and wraps nothing in a pipe", async () => {
  const error = new Usage("the setting can_remove_subscribers_group of the channel is missing", {
    more: { problems: ["can_move_messages_within_channel_group: not found"] },
    hint: "List the settings of the organization with: zulipctl settings list",
  });
  expect((await shown(error, { stderr: recording({ isTerminal: true, columns: 36 }) })).err.split("\n")).toEqual([
    "zulipctl: the setting",
    "can_remove_subscribers_group of the",
    "channel is missing",
    "  can_move_messages_within_channel_group:",
    "  not found",
    "List the settings of the",
    "organization with:",
    "zulipctl settings list",
    "",
  ]);
  expect((await shown(error)).err.split("\n")).toHaveLength(4);
});

test("lists problems with their places", async () => {
  const problems = [
    "the first",
    { file: "a.csv", line: 3, column: 2, message: "no such user\n\u001b[1m" },
    { message: "bare" },
    { row: 7 },
  ];
  expect((await shown(new Usage("4 rows are wrong.", { more: { problems } }))).err).toBe(
    'zulipctl: 4 rows are wrong.\n  the first\n  a.csv, line 3, column 2: no such user \n  bare\n  row 7: {"row":7}\n',
  );
});

test("prints the stack of a bug with --verbose", async () => {
  const { err } = await shown(new TypeError("x"), { verbose: true });
  expect(err).toMatch(
    /^zulipctl: This is a bug in zulipctl .*\nPlease report it with these lines\.\nTypeError: x\n {4}at .*error\.test\.ts/,
  );
  const json = await shown(new TypeError("x"), { form: "json", verbose: true });
  expect(JSON.parse(json.err).error.stack).toMatch(/^TypeError: x\n {4}at /);
});

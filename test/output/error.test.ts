import { describe, expect, test } from "vitest";
import { Cancelled, Interrupted, Refused, Usage } from "../../src/errors.ts";
import { printError } from "../../src/output/error.ts";
import type { Form } from "../../src/output/form.ts";
import { place, recording, terminal } from "./world.ts";

const told = async (error: unknown, form: Form = "table", { verbose = false, stderr = recording() } = {}) => {
  const world = place(recording(), stderr);
  const json = form === "json" ? "json" : "table";
  const code = await printError(error, { form: json, color: "auto", verbose }, world);
  expect(world.stdout.writes).toEqual([]);
  return { code, err: world.stderr.text };
};

const refused = () =>
  new Refused("Invalid channel ID", {
    code: "BAD_REQUEST",
    httpStatus: 400,
    request: { method: "PATCH", path: "/api/v1/streams/99" },
    outcome: "not_applied",
    more: { parameters: ["description"] },
    hint: "List the channels with: zulipctl channel list",
  });

describe("an error", () => {
  test("is one line and its hint", async () => {
    expect(await told(refused())).toEqual({
      code: 1,
      err: "zulipctl: Invalid channel ID\nList the channels with: zulipctl channel list\n",
    });
    expect(await told(new Usage("Unknown flag."))).toEqual({ code: 2, err: "zulipctl: Unknown flag.\n" });
  });

  test("is one JSON object on one line with -o json", async () => {
    expect(await told(refused(), "json", { stderr: terminal() })).toEqual({
      code: 1,
      err: `${JSON.stringify({
        error: {
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
      })}\n`,
    });
    expect((await told(new Usage("Unknown flag."), "json")).err).toBe(
      '{"error":{"exit_code":2,"kind":"usage","message":"Unknown flag."}}\n',
    );
  });

  test("with a server's hostile words stays one harmless line", async () => {
    const hostile = "No\n\u001b[2Jzulipctl: all is well\u202E\u009b1m\u200b";
    expect((await told(new Refused(hostile, { hint: hostile }))).err).toBe(
      "zulipctl: No zulipctl: all is well\nNo zulipctl: all is well\n",
    );
    const { err } = await told(new Refused(hostile), "json");
    expect(err).toMatch(/^[\x20-\x7E]*\n$/);
    expect(JSON.parse(err).error.message).toBe(hostile);
  });

  test("lists problems, a line each, where each is", async () => {
    const problems = [
      "the first",
      { file: "a.csv", line: 3, column: 2, message: "no such user\n\u001b[1m" },
      { message: "bare" },
      { row: 7 },
    ];
    expect((await told(new Usage("4 rows are wrong.", { more: { problems } }))).err).toBe(
      'zulipctl: 4 rows are wrong.\n  the first\n  a.csv, line 3, column 2: no such user \n  bare\n  {"row":7}\n',
    );
  });

  test("that is a signal has the signal's code", async () => {
    expect(await told(new Cancelled("Nothing was changed."))).toEqual({
      code: 130,
      err: "zulipctl: Nothing was changed.\n",
    });
    expect((await told(new Interrupted("SIGINT"))).code).toBe(130);
    expect(JSON.parse((await told(new Interrupted("SIGTERM"), "json")).err)).toEqual({
      error: { exit_code: 143, kind: "cancelled", message: "Stopped." },
    });
  });
});

describe("a defect", () => {
  test("names the version and asks for a report, without a stack", async () => {
    expect(await told(new TypeError("x is not a function"))).toEqual({
      code: 70,
      err:
        "zulipctl: This is a bug in zulipctl 1.2.3: TypeError: x is not a function\n" +
        "Please report it with what --verbose prints.\n",
    });
  });

  test("shows where it is with --verbose", async () => {
    const { err } = await told(new TypeError("x"), "table", { verbose: true });
    expect(err).toMatch(
      /^zulipctl: This is a bug in zulipctl .*\nPlease report it with these lines\.\nTypeError: x\n {4}at .*error\.test\.ts/,
    );
    const { error } = JSON.parse((await told(new TypeError("x"), "json", { verbose: true })).err);
    expect(error.stack).toMatch(/^TypeError: x\n {4}at /);
  });
});

/** People by the groups and channels that they are in, and bots by their owners. */
import { describe, expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

describe("users list picks", () => {
  test.each([
    [
      ["--group", "designers"],
      [9, 11],
    ],
    // Through its subgroups too.
    [
      ["--group", "makers"],
      [9, 10, 11, 12],
    ],
    [
      ["--not-in-group", "makers", "--humans"],
      [8, 13, 15],
    ],
    [
      ["--channel", "staff,design"],
      [8, 9, 11, 12, 13],
    ],
    [["--not-in-channel", "#general"], [15]],
    [["--group", "makers", "--channel", "council", "--role", "member"], [11]],
    [["--group", "@none.txt"], []],
    [["--not-in-channel", "@none.txt", "--bots"], [14]],
    [["--owner", "me"], [14]],
    [["--owner", "8,9", "--channel", "general"], [14]],
  ])("%j", async (flags, ids) => {
    const files = new Map([["none.txt", "\n"]]);
    const { code, out } = await zulipctl(["users", "list", ...flags, "-o", "ids"], { files });
    expect({ code, out }).toEqual({ code: 0, out: ids.map((id) => `${id}\n`).join("") });
  });
});

describe("users list is refused", () => {
  test.each([
    [["--owner", "me", "--humans"], {}, 2, "--humans cannot be combined with --owner"],
    [["--group", "17"], { as: 600 }, 1, "Not allowed for guest users"],
    [["--channel", "99"], {}, 1, "Invalid channel ID"],
  ])("%j with %j", async (flags, options, code, words) => {
    expect(await zulipctl(["users", "list", ...flags], options)).toMatchObject({ code, err: `zulipctl: ${words}\n` });
  });

  test("by a deactivated group's server, in its words", async () => {
    const sandbox = fresh({ level: 371 });
    sandbox.state.groups.get(18)!.deactivated = true;
    const { code, err } = await zulipctl(["users", "list", "--group", "18"], { sandbox });
    expect({ code, err }).toEqual({ code: 1, err: "zulipctl: User group is deactivated.\n" });
  });
});

describe("users list with activity", () => {
  test("shows when people were last active, and null for bots and deactivated people", async () => {
    const { code, out } = await zulipctl([
      "users",
      "list",
      "--activity",
      "-o",
      "csv",
      "--fields",
      "user_id,last_active",
    ]);
    expect({ code, out }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "user_id,last_active
      8,2026-01-15T12:00:00.000Z
      9,2026-01-15T12:00:00.000Z
      10,2026-01-15T12:00:00.000Z
      11,2026-01-15T12:00:00.000Z
      12,2026-01-15T12:00:00.000Z
      13,2026-01-15T12:00:00.000Z
      14,
      15,
      ",
      }
    `);
  });

  test("leaves out accounts whose last activity is unknown, and names how many people", async () => {
    const { code, out, err } = await zulipctl(["users", "list", "--inactive-for", "12h", "-o", "ids"]);
    expect({ code, out, err }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "err": "zulipctl: left out 1 person whose last activity is unknown: deactivated, hidden, or API key only
      ",
        "out": "",
      }
    `);
  });

  test("picks people who were last active before that, at the boundary not", async () => {
    const sandbox = fresh();
    const { users, messages } = sandbox.state;
    messages.clear();
    const days = 24 * 60 * 60 * 1000;
    const now = Date.UTC(2026, 0, 15, 12);
    users.get(11)!.date_joined = now - 181 * days;
    users.get(12)!.date_joined = now - 180 * days;
    const { code, out } = await zulipctl(["users", "list", "--inactive-for", "180d", "-o", "ids"], { sandbox });
    expect({ code, out }).toEqual({ code: 0, out: "11\n" });
  });

  test("finds nobody inactive for longer than the organization exists", async () => {
    const { code, out } = await zulipctl(["users", "list", "--inactive-for", "9999d", "-o", "json"]);
    expect({ code, out }).toEqual({ code: 0, out: "[]\n" });
  });

  test("shows the request for presence in a dry run", async () => {
    const { out } = await zulipctl(["users", "list", "--activity", "--dry-run"]);
    expect(out).toMatchInlineSnapshot(`
      "POST https://chat.example/api/v1/register  events.register
        slim_presence = true
        presence_history_limit_days = 36500
        event_types = []
        fetch_event_types = ["presence"]
      GET https://chat.example/api/v1/users  users.list
      "
    `);
  });
});

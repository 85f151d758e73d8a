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
    [["--owner", "me", "--humans"], {}, 2, "--owner cannot be combined with --humans: only bots have owners"],
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

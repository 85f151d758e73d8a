import { describe, expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

describe("users list picks", () => {
  test.each([
    ["--role member", [11, 12, 14, 15]],
    ["--role 600", [13]],
    ["--role 450", []],
    ["--active --humans --role 400", [11, 12]],
    ["--deactivated", [15]],
    ["--match MEMBER", [11, 12]],
    ["--ids 12,8 --ids me", [8, 12]],
    ["--ids @ids.txt --active", [8]],
    ["--group designers", [9, 11]],
    // Through its subgroups too.
    ["--group makers", [9, 10, 11, 12]],
    ["--not-in-group makers --humans", [8, 13, 15]],
    ["--channel staff,design", [8, 9, 11, 12, 13]],
    ["--not-in-channel #general", [15]],
    ["--group makers --channel council --role member", [11]],
    ["--group @none.txt", []],
    ["--not-in-channel @none.txt --bots", [14]],
    ["--owner me", [14]],
    ["--owner 8,9 --channel general", [14]],
    ["--owner 9", []],
    // Everybody was active today.
    ["--inactive-for 9999d", []],
  ])("%s", async (flags, ids) => {
    const files = new Map([
      ["ids.txt", "15\r\n\r\n8\n"],
      ["none.txt", "\n"],
    ]);
    const { code, out } = await zulipctl(["users", "list", ...flags.split(" "), "-o", "ids"], { files });
    expect({ code, out }).toEqual({ code: 0, out: ids.map((id) => `${id}\n`).join("") });
  });
});

test("users list splits many ids into requests of less than 8,000 bytes, and prints one result", async () => {
  const ids = Array.from({ length: 3000 }, (_, n) => 100_000 + n);
  const { out, sent } = await zulipctl(["users", "list", "--ids", ids.join(","), "--json"], {
    http: async ({ url }) => {
      if (url.endsWith("/server_settings"))
        return answer(200, { result: "success", msg: "", zulip_version: "x", zulip_feature_level: 442 });
      const asked: number[] = JSON.parse(new URL(url).searchParams.get("user_ids")!);
      const members = asked.map((user_id) => ({ user_id, full_name: "x", email: "x", is_bot: false, role: 400 }));
      return answer(200, { result: "success", msg: "", members });
    },
  });
  expect(JSON.parse(out).map(({ user_id }: { user_id: number }) => user_id)).toEqual(ids);
  expect(sent.length).toBe(4);
  for (const { url } of sent) expect(`GET ${url} HTTP/1.1`.length).toBeLessThan(8000);
  const lengths = sent.map(({ url }) => JSON.parse(new URL(url).searchParams.get("user_ids")!).length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(3000);
});

test("users list sends nothing for an empty file of ids", async () => {
  const { out, sent } = await zulipctl(["users", "list", "--ids", "@none.txt", "--json"], {
    files: new Map([["none.txt", "\n"]]),
  });
  expect({ out, sent }).toEqual({ out: "[]\n", sent: [] });
});

describe("users list --ids with unknown ids", () => {
  test("prints a note, whatever the form and the filters", async () => {
    const { code, out, err } = await zulipctl(["users", "list", "--ids", "9999,8,9998,9999", "-o", "ids"]);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: "8\n",
      err: "zulipctl: no visible account has the ids 9999, 9998\n",
    });
    const one = await zulipctl(["users", "list", "--ids", "9999", "--bots", "--json"]);
    expect(one).toMatchObject({
      code: 0,
      out: "[]\n",
      err: "zulipctl: no visible account has the id 9999\n",
    });
  });

  test("prints no note with --quiet, or for people that a filter leaves out", async () => {
    expect((await zulipctl(["users", "list", "--ids", "9999", "-q", "-o", "ids"])).err).toBe("");
    expect((await zulipctl(["users", "list", "--ids", "8", "--match", "nobody", "-o", "ids"])).err).toBe("");
  });
});

describe("users list with activity", () => {
  test("shows when people were last active, and null for bots and deactivated people", async () => {
    const { out } = await zulipctl(["users", "list", "--activity", "-o", "csv", "--fields", "user_id,last_active"]);
    const active = [8, 9, 10, 11, 12, 13].map((id) => `${id},2026-01-15T12:00:00.000Z\r\n`);
    expect(out).toBe(`user_id,last_active\r\n${active.join("")}14,\r\n15,\r\n`);
  });

  test("picks people who were not active since then, and counts people whose last activity is unknown", async () => {
    const sandbox = fresh();
    const { users, messages } = sandbox.state;
    messages.clear();
    const days = 24 * 60 * 60 * 1000;
    const now = Date.UTC(2026, 0, 15, 12);
    users.get(11)!.date_joined = now - 181 * days;
    users.get(12)!.date_joined = now - 180 * days;
    const { out, err } = await zulipctl(["users", "list", "--inactive-for", "180d", "-o", "ids"], { sandbox });
    expect({ out, err }).toEqual({
      out: "11\n",
      err: "zulipctl: left out 1 person whose last activity is unknown: deactivated, hidden, or API key only\n",
    });
  });
});

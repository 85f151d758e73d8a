import { describe, expect, test } from "vitest";
import { zulipctl } from "../run.ts";
import { answer } from "../world.ts";

describe("users list picks", () => {
  test.each([
    [
      ["--role", "member"],
      [11, 12, 14, 15],
    ],
    [["--role", "600"], [13]],
    [["--role", "450"], []],
    [
      ["--active", "--humans", "--role", "400"],
      [11, 12],
    ],
    [["--deactivated"], [15]],
    [
      ["--match", "MEMBER"],
      [11, 12],
    ],
    [
      ["--ids", "12,8", "--ids", "me"],
      [8, 12],
    ],
    [["--ids", "name:Gwen Guest"], [13]],
    [["--ids", "@ids.txt", "--active"], [8]],
  ])("%j", async (flags, ids) => {
    const files = new Map([["ids.txt", "15\r\n\r\n8\n"]]);
    const { out } = await zulipctl(["users", "list", ...flags, "-o", "ids"], { files });
    expect(out).toBe(ids.map((id) => `${id}\n`).join(""));
  });
});

test("users list asks for many ids in parts, each request line under 8,000 bytes, and gives one result", async () => {
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

test("users list asks nothing where a file of ids is empty", async () => {
  const { out, sent } = await zulipctl(["users", "list", "--ids", "@none.txt", "--json"], {
    files: new Map([["none.txt", "\n"]]),
  });
  expect({ out, sent }).toEqual({ out: "[]\n", sent: [] });
});

describe("users list as a usage error sends nothing:", () => {
  test.each([
    [["--role", "modertor"], '--role: unknown role "modertor"\nDid you mean: moderator?'],
    [
      ["--role", "king"],
      '--role: unknown role "king"\nValid values: owner, administrator, moderator, member, guest, and numbers.',
    ],
    [["--active", "--deactivated"], "--active cannot be combined with --deactivated"],
    [["--client-gravatar", "--no-client-gravatar"], "--client-gravatar cannot be combined with --no-client-gravatar"],
    [["--ids", ""], '--ids: "" has an empty item'],
    [
      ["--ids", "Ada"],
      '--ids: "Ada" is not an id or an e-mail address\nWrite a full name as name:Ada. Your own account is me.',
    ],
  ])("%j", async (flags, words) => {
    expect(await zulipctl(["users", "list", ...flags])).toMatchObject({
      code: 2,
      err: `zulipctl: ${words}\n`,
      sent: [],
    });
  });
});

describe("users list --ids of ids that nobody has", () => {
  test("says so, whatever the form and the filters", async () => {
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

  test("is quiet with --quiet, and about people that a filter leaves out", async () => {
    expect((await zulipctl(["users", "list", "--ids", "9999", "-q", "-o", "ids"])).err).toBe("");
    expect((await zulipctl(["users", "list", "--ids", "8", "--match", "nobody", "-o", "ids"])).err).toBe("");
  });
});

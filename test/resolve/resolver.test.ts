/** Names instead of ids, and the requests of their look-ups. */
import { describe, expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

const paths = (sent: { method: string; url: string }[]) =>
  sent.map(({ method, url }) => `${method} ${url.slice("https://chat.example/api/v1".length)}`);

/** A server whose reads give these records. */
const server = (records: Record<string, object>, level = 442) => ({
  http: async ({ url, method }: { url: string; method: string }) => {
    const path = new URL(url).pathname.slice("/api/v1".length);
    if (path === "/server_settings")
      return answer(200, { result: "success", msg: "", zulip_version: "x", zulip_feature_level: level });
    if (method !== "GET") return answer(200, { result: "success", msg: "" });
    return answer(200, { result: "success", msg: "", ...records[path] });
  },
});

const channelOf = async (words: string[], options: object = {}) => {
  const { sent, err, code } = await zulipctl(["channel", "update", ...words, "--description", "x"], options);
  return {
    target: sent.at(-1)?.method === "PATCH" ? paths(sent).at(-1) : undefined,
    reads: paths(sent).slice(0, -1),
    err,
    code,
  };
};

describe("a channel", () => {
  test("by id needs no look-up", async () => {
    expect(await channelOf(["22"])).toMatchObject({ target: "PATCH /streams/22", reads: [] });
    expect(await channelOf(["id:4000000000"])).toMatchObject({ target: "PATCH /streams/4000000000", reads: [] });
  });

  test.each(["general", "GENERAL", "#general", "name:general"])("by name: %s", async (name) => {
    expect(await channelOf([name])).toMatchObject({
      target: "PATCH /streams/2",
      reads: ["GET /streams?exclude_archived=false&include_all=true"],
    });
  });

  test("that is not found has candidates in the JSON error", async () => {
    const { err } = await zulipctl(["channel", "update", "genral", "--default", "--json"]);
    expect(JSON.parse(err)).toEqual({
      error: {
        exit_code: 2,
        kind: "usage",
        message: '<channel>: channel "genral" not found, or not visible to this account',
        outcome: "not_sent",
        candidates: [{ id: 2, name: "general" }],
        hint: "Did you mean: general (2)?",
      },
    });
  });
});

describe("a folder", () => {
  const folders = {
    channel_folders: [
      { id: 1, name: "Plans", description: "", is_archived: true },
      { id: 2, name: "plans", description: "", is_archived: false },
      { id: 3, name: "old", description: "", is_archived: true },
      { id: 4, name: "2026", description: "", is_archived: false },
    ],
  };
  const folderOf = async (name: string) => {
    const { sent } = await zulipctl(
      ["channel", "update", "7", "--folder", name],
      server({ "/channel_folders": folders }),
    );
    return sent.map(({ url, body }) => body ?? new URL(url).search);
  };

  test("that is archived is found only if no live one has the name", async () => {
    expect(await folderOf("Plans")).toEqual(["?include_archived=true", "folder_id=2"]);
    expect(await folderOf("OLD")).toEqual(["?include_archived=true", "folder_id=3"]);
  });

  test("with a number as its name is written with name:", async () => {
    expect(await folderOf("name:2026")).toEqual(["?include_archived=true", "folder_id=4"]);
    expect(await folderOf("2026")).toEqual(["folder_id=2026"]);
  });
});

describe("a user", () => {
  const person = (user_id: number, full_name: string, email: string, more: object = {}) => ({
    user_id,
    full_name,
    email,
    delivery_email: null,
    is_bot: false,
    is_active: true,
    role: 400,
    ...more,
  });
  const users = {
    members: [
      person(8, "Ada Lovelace", "user8@chat.example", { delivery_email: "ada@example.com" }),
      person(9, "Ada Lovelace", "user9@chat.example"),
      person(10, "Bob", "ada@example.com"),
      person(11, "Eve", "eve@example.com", { is_active: false }),
      person(12, "Eve", "eve2@example.com"),
      person(13, "Carl", "carl@example.com", { delivery_email: "carl@example.com", is_active: false }),
    ],
  };
  const reads = { "/users": users, "/users/me": { user_id: 99, email: "x@y", full_name: "Me", role: 400 } };
  const userOf = async (name: string) => {
    const { sent, err } = await zulipctl(["group", "members", "7", "--add", name], server(reads));
    return err || sent.map(({ url, body }) => body ?? new URL(url).pathname.slice("/api/v1".length));
  };

  test.each([
    ["8", ["add=%5B8%5D"]],
    ["me", ["/users/me", "add=%5B99%5D"]],
    ["ada@example.com", ["/users", "add=%5B8%5D"]],
    ["ADA@example.com", ["/users", "add=%5B8%5D"]],
    ["user9@chat.example", ["/users", "add=%5B9%5D"]],
    ["carl@example.com", ["/users", "add=%5B13%5D"]],
    ["name:Bob", ["/users", "add=%5B10%5D"]],
    ["name:Eve", ["/users", "add=%5B12%5D"]],
  ])("%s", async (name, expected) => expect(await userOf(name)).toEqual(expected));

  test.each([
    [
      "name:Ada Lovelace",
      'zulipctl: --add: "Ada Lovelace" matches several users: Ada Lovelace (8, ada@example.com), Ada Lovelace (9)\n' +
        "Pass the id of the one you mean.\n",
    ],
    ["name:bob", 'zulipctl: --add: user "bob" not found, or not visible to this account\nDid you mean: Bob (10)?\n'],
    [
      "adda@example.com",
      'zulipctl: --add: user "adda@example.com" not found, or not visible to this account\n' +
        "Did you mean: ada@example.com (8, Ada Lovelace), ada@example.com (10, Bob)? 4 addresses are hidden from this account: use an id or name:<full name>.\n",
    ],
    [
      "Bob",
      'zulipctl: --add: "Bob" is not an id or an e-mail address\nWrite a full name as name:Bob. Your own account is me.\n',
    ],
  ])("%s is refused", async (name, words) => expect(await userOf(name)).toBe(words));

  test("a command looks up each kind once", async () => {
    const { sent } = await zulipctl(
      ["group", "members", "7", "--add", "name:Bob,carl@example.com,me", "--delete", "name:Eve,user9@chat.example"],
      server(reads),
    );
    expect(paths(sent)).toEqual(["GET /users", "GET /users/me", "POST /user_groups/7/members"]);
  });
});

describe("a group setting", () => {
  const settingOf = async (who: string) => {
    const { sent, err } = await zulipctl(["channel", "update", "22", "--can-subscribe-group", who], {
      sandbox: fresh(),
    });
    const body = sent.at(-1)?.body;
    return body ? JSON.parse(new URLSearchParams(body).get("can_subscribe_group")!).new : err;
  };

  test.each([
    ["15", 15],
    ["role:moderators", 12],
    ["@designers", 17],
    ["nobody", 9],
    ["group:designers", { direct_members: [], direct_subgroups: [17] }],
    ["user:me,group:writers", { direct_members: [8], direct_subgroups: [18] }],
    ["user:cora@sandbox.example,user:12,group:17", { direct_members: [11, 12], direct_subgroups: [17] }],
    ['{"direct_members":[8],"direct_subgroups":[]}', { direct_members: [8], direct_subgroups: [] }],
  ])("%s", async (who, value) => expect(await settingOf(who)).toEqual(value));
});

describe("a hint for an unknown group", () => {
  const hinted = async (who: string) => {
    const argv = ["channel", "update", "2", "--can-send-message-group", who, "-o", "json"];
    return JSON.parse((await zulipctl(argv)).err).error.hint;
  };

  test.each([
    ["admins", "role:administrators"],
    ["Administrators", "role:administrators"],
    ["owner", "role:owners"],
    ["moderator", "role:moderators"],
    ["everyone", "role:everyone"],
    ["role:admins", "role:administrators"],
    ["@mods", "role:moderators"],
    ["group:members,user:8", "role:members"],
  ])("%s names the system group", async (who, group) => {
    expect(await hinted(who)).toMatch(new RegExp(`^Did you mean:?.* ${group}\\b`));
  });

  test("names the person of an address", async () => {
    expect(await hinted("cora@sandbox.example")).toBe("A person is written user:cora@sandbox.example");
  });

  test("names nothing for other names", async () => {
    for (const who of ["nobody-knows", "constructor", "__proto__"])
      expect(await hinted(who)).not.toContain("Did you mean");
  });
});

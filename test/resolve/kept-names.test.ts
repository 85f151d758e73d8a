/** The names that commands keep for completion, and the built program that offers them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, serving, zulipctl } from "../binary/program.ts";
import { directory } from "../node/directory.ts";

async function account() {
  const { env, site, owner } = await serving();
  const cache = directory();
  const all = { ...environment(), ...env, ZULIPCTL_CACHE_DIR: cache };
  const offered = async (...words: string[]) => {
    const { out } = await zulipctl(["__complete", "--", ...words], { env: all });
    return out.split("\n").slice(0, -1);
  };
  const place = join(cache, "names", `${encodeURIComponent(site)}+${encodeURIComponent(owner.email)}`);
  return { env: all, cache, place, offered };
}

test("a refresh keeps them all, for this account and nobody else", async () => {
  const { env, place, offered } = await account();
  expect(await offered("channel", "show", "")).toEqual([]);
  const { code, out, err } = await zulipctl(["completion", "refresh"], { env });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^Completion knows \d+ channels, \d+ groups, \d+ folders, \d+ users, \d+ linkifiers? of 127/);
  for (const name of readdirSync(place)) expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
  expect(await offered("channel", "show", "des")).toEqual([expect.stringMatching(/^design\t/)]);
  expect(await offered("group", "show", "desig")).toEqual([expect.stringMatching(/^designers\t/)]);
  expect(await offered("users", "show", "cora")).toEqual(["cora@sandbox.example\tCora Member"]);
  expect(await offered("users", "show", "name:Co")).toEqual(["name:Cora Member\tcora@sandbox.example"]);
  expect(await offered("channel", "list", "--folder", "Pr")).toEqual([expect.stringMatching(/^Projects/)]);
  expect(await offered("group", "members", "x", "--add", "me,cora")).toEqual(["me,cora@sandbox.example\tCora Member"]);
  expect(await offered("--site", "x", "--zuliprc", "/none", "channel", "show", "des")).toEqual([]);
});

test("a command that looks a name up keeps what it read", async () => {
  const { env, place, offered } = await account();
  expect((await zulipctl(["channel", "show", "design"], { env })).code).toBe(0);
  expect(readdirSync(place)).toEqual(["channel", "folder", "group"]);
  expect(await offered("channel", "show", "des")).toHaveLength(1);
});

test("a cache that cannot be written fails a refresh, and nothing else", async () => {
  const { env } = await account();
  const none = { ...env, ZULIPCTL_CACHE_DIR: "/dev/null/cache" };
  const shown = await zulipctl(["channel", "show", "design"], { env: none });
  expect([shown.code, shown.err]).toEqual([0, ""]);
  const { code, err } = await zulipctl(["completion", "refresh"], { env: none });
  expect([code, err]).toEqual([2, expect.stringContaining("cannot be kept in /dev/null/cache")]);
});

test("a name that would deceive who sees it is not kept", async () => {
  const { env, place } = await account();
  await zulipctl(["folder", "update", "Projects", "--new-name", "\u202eevil\u001b[31m"], { env });
  await zulipctl(["completion", "refresh"], { env });
  expect(readFileSync(join(place, "folder"), "utf8")).not.toMatch(/evil/);
});

/** Names that commands save for completion, and completion in the built program. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { namesDirectory } from "../../src/resolve/names-directory.ts";
import { environment, serving, zulipctl } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

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

test("a refresh saves all names of the account", async () => {
  const { env, place, offered } = await account();
  expect(await offered("channel", "show", "")).toEqual([]);
  await zulipctl(["domain", "add", "sandbox.example", "--allow-subdomains"], { env });
  await zulipctl(["playground", "add", "Rust", "Play", "https://play.example.com/?code={code}"], { env });
  const { code, out, err } = await zulipctl(["completion", "refresh"], { env });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^Completion knows \d+ profile fields, \d+ people, \d+ groups, \d+ folders, \d+ channels, .* of 127/,
  );
  expect(statSync(place).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(place)) expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
  expect(await offered("channel", "show", "des")).toEqual([expect.stringMatching(/^design\t/)]);
  expect(await offered("group", "show", "desig")).toEqual([expect.stringMatching(/^designers\t/)]);
  expect(await offered("users", "show", "cora")).toEqual(["cora@sandbox.example\tCora Member"]);
  expect(await offered("users", "show", "name:Co")).toEqual(["name:Cora Member\tcora@sandbox.example"]);
  expect(await offered("channel", "list", "--folder", "Pr")).toEqual([expect.stringMatching(/^Projects/)]);
  expect(await offered("group", "members", "x", "--add", "me,cora")).toEqual(["me,cora@sandbox.example\tCora Member"]);
  expect(await offered("linkifier", "update", "1")).toEqual([expect.stringMatching(/^1\t\S/)]);
  expect(await offered("domain", "rm", "san")).toEqual(["sandbox.example\twith subdomains"]);
  expect(await offered("playground", "rm", "")).toEqual(["1\tPlay, Rust"]);
  expect(await offered("--site", "x", "--zuliprc", "/none", "channel", "show", "des")).toEqual([]);
  expect(await offered("--site", "https://else.example", "channel", "show", "des")).toEqual([]);
  expect(await offered("--site", env.ZULIP_SITE!, "channel", "show", "des")).toHaveLength(1);
  expect(await offered("batch", "rows.csv", "--", "channel", "update", "des")).toHaveLength(1);
  expect(await offered("--zuliprc", "/none", "batch", "rows.csv", "--", "channel", "update", "des")).toEqual([]);
  expect(await offered("sandbox", "exec", "--", "zulipctl", "channel", "update", "des")).toEqual([]);
});

test("completes ids of drafts, exports, uploads and invitations, and saves no links", async () => {
  const { env, place, offered } = await account();
  for (const line of [
    ["drafts", "add", "--content", "What about blue?\nOr green?"],
    ["export", "create", "--type", "public"],
    ["invite", "add", "kate@example.com"],
    ["invite", "link"],
  ])
    expect((await zulipctl(line, { env })).code).toBe(0);
  expect((await zulipctl(["completion", "refresh"], { env })).code).toBe(0);
  expect(await offered("drafts", "edit", "")).toEqual([
    expect.stringMatching(/^\d+\tWhat about blue\? ?.*Or green\?$/),
  ]);
  expect(await offered("export", "download", "")).toEqual([expect.stringMatching(/^\d+\t\d{4}-\d\d-\d\d /)]);
  expect(await offered("attachment", "rm", "")).toEqual(
    expect.arrayContaining([expect.stringMatching(/^\d+\t\S+\.\w+$/)]),
  );
  expect(await offered("invite", "rm", "")).toEqual([
    expect.stringMatching(/^email:\d+\tkate@example.com$/),
    expect.stringMatching(/^link:\d+\tlink of \d{4}-/),
  ]);
  expect(await offered("users", "update", "me", "--profile-field", "Off")).toEqual([expect.stringMatching(/^Office=/)]);
  for (const name of readdirSync(place)) {
    expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(place, name), "utf8")).not.toMatch(/https?:|api_key/);
  }
});

test("removes names after 90 days without use, and with the profile", async () => {
  const { env, cache, place } = await account();
  const old = join(cache, "names", "https%3A%2F%2Fold.example+a%40b");
  const recent = join(cache, "names", "https%3A%2F%2Fnew.example+a%40b");
  for (const [path, days] of [
    [old, 91],
    [recent, 89],
  ] as const) {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "channel"), "general\n");
    const time = Date.now() / 1000 - days * 24 * 3600;
    utimesSync(path, time, time);
  }
  expect((await zulipctl(["channel", "show", "design"], { env })).code).toBe(0);
  expect([old, recent, place].map((path) => existsSync(path))).toEqual([false, true, true]);
  const config = directory();
  const profile = (email: string) => ({ site: "https://new.example", email, store: "command", key_command: ["pass"] });
  writeFileSync(
    join(config, "config.json"),
    JSON.stringify({ current: "one", profiles: { one: profile("a@b"), two: profile("a@b"), three: profile("c@d") } }),
    { mode: 0o600 },
  );
  const withProfiles = { ...env, ZULIPCTL_CONFIG_DIR: config };
  expect((await zulipctl(["profile", "rm", "one"], { env: withProfiles })).code).toBe(0);
  expect(existsSync(recent)).toBe(true);
  expect((await zulipctl(["profile", "rm", "two"], { env: withProfiles })).code).toBe(0);
  expect([recent, place].map((path) => existsSync(path))).toEqual([false, true]);
});

test("--site completes names of the first profile there", async () => {
  const cache = directory();
  const config = directory();
  const seer = { site: "https://two.example", email: "a@b" };
  mkdirSync(namesDirectory(cache, seer), { recursive: true });
  writeFileSync(join(namesDirectory(cache, seer), "channel"), "general\n");
  const profiles = {
    one: { site: "https://one.example", email: "a@b", store: "command", key_command: ["pass"] },
    two: { ...seer, store: "command", key_command: ["pass"] },
  };
  writeFileSync(join(config, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache, ZULIPCTL_CONFIG_DIR: config };
  const offered = async (...words: string[]) =>
    (await zulipctl(["__complete", "--", ...words, "channel", "show", "gen"], { env })).out;
  expect(await offered("--site", "two.example")).toBe("general\n");
  expect(await offered("--site=https://one.example")).toBe("");
  expect(await offered("-p", "two", "--site", "https://one.example")).toBe("");
});

test("a command with a look-up saves names", async () => {
  const { env, place, offered } = await account();
  expect((await zulipctl(["channel", "show", "design"], { env })).code).toBe(0);
  expect(readdirSync(place)).toEqual(["channel", "folder", "group"]);
  expect(await offered("channel", "show", "des")).toHaveLength(1);
});

test("an unwritable cache only fails a refresh", async () => {
  const { env } = await account();
  const none = { ...env, ZULIPCTL_CACHE_DIR: "/dev/null/cache" };
  const shown = await zulipctl(["channel", "show", "design"], { env: none });
  expect([shown.code, shown.err]).toEqual([0, ""]);
  const { code, err } = await zulipctl(["completion", "refresh"], { env: none });
  expect([code, err]).toEqual([2, expect.stringContaining("cannot save names in /dev/null/cache")]);
});

test("saves no name with hazards", async () => {
  const { env, place } = await account();
  const renamed = await zulipctl(["api", "PATCH", "channel_folders/1", "-f", "name=\u202eevil"], { env });
  const refreshed = await zulipctl(["completion", "refresh"], { env });
  expect([renamed.code, refreshed.code]).toEqual([0, 0]);
  expect(readFileSync(join(place, "folder"), "utf8")).not.toMatch(/evil/);
});

test("completion refresh saves what a guest may read", async () => {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox, 600) });
  expect(await main(["completion", "refresh"], world)).toBe(0);
  expect(world.stdout.text).toMatch(/^Completion knows \d+ profile fields, \d+ people, 0 groups, /);
});

test("removes only its own files, and follows no link", async () => {
  const { env, cache } = await account();
  const names = join(cache, "names");
  const others = directory();
  const old = (path: string, inside: string) => {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, inside), "");
    utimesSync(path, new Date(0), new Date(0));
  };
  old(join(names, "photos"), "channel");
  old(join(names, "https%3A%2F%2Fold.example+a%40b"), "thesis.txt");
  old(join(others, "https%3A%2F%2Fold.example+a%40b"), "channel");
  symlinkSync(join(others, "https%3A%2F%2Fold.example+a%40b"), join(names, "https%3A%2F%2Flink.example+a%40b"));
  expect((await zulipctl(["channel", "show", "design"], { env })).code).toBe(0);
  expect(readdirSync(join(names, "photos"))).toEqual(["channel"]);
  expect(readdirSync(join(names, "https%3A%2F%2Fold.example+a%40b"))).toEqual(["thesis.txt"]);
  expect(readdirSync(join(others, "https%3A%2F%2Fold.example+a%40b"))).toEqual(["channel"]);
  rmSync(names, { recursive: true });
  symlinkSync(others, names);
  expect((await zulipctl(["channel", "show", "design"], { env })).code).toBe(0);
  expect(readdirSync(join(others, "https%3A%2F%2Fold.example+a%40b"))).toEqual(["channel"]);
});

test.each([
  ["others can write to", (path: string) => chmodSync(path, 0o666)],
  ["is a pipe that nobody writes to", (path: string) => void execFileSync("sh", ["-c", 'rm "$0"; mkfifo "$0"', path])],
])("completion ignores a file that %s", async (_, change) => {
  const { env, place, offered } = await account();
  expect((await zulipctl(["channel", "show", "design"], { env })).code).toBe(0);
  expect(await offered("channel", "show", "des")).toHaveLength(1);
  change(join(place, "channel"));
  expect(await offered("channel", "show", "des")).toEqual([]);
});

test("completion waits for no pipe instead of a configuration or zuliprc", async () => {
  const home = directory();
  for (const name of ["config.json", "zuliprc"]) execFileSync("mkfifo", [join(home, name)]);
  const ways: Record<string, string>[] = [{ ZULIPCTL_CONFIG_DIR: home }, { ZULIP_CONFIG: join(home, "zuliprc") }];
  for (const env of ways) {
    const words = ["__complete", "--", "channel", "show", "des"];
    expect(await zulipctl(words, { env: { ...environment(), ...env } })).toMatchObject({ code: 0, out: "" });
  }
});

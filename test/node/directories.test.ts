import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { directoriesOf } from "../../src/node/directories.ts";

test("the environment determines the directories", () => {
  const env = { ZULIPCTL_CONFIG_DIR: "/c", ZULIPCTL_CACHE_DIR: "cache", ZULIPCTL_STATE_DIR: "/s" };
  expect(directoriesOf(env)).toEqual({
    home: homedir(),
    settings: "/c/config.json",
    cache: resolve("cache"),
    state: "/s",
  });
});

test("keeps the runs of a sandbox apart from those of organizations", () => {
  const env = { ZULIPCTL_STATE_DIR: "/s", ZULIPCTL_SANDBOX: "http://127.0.0.1:9991" };
  expect(directoriesOf({ ...env, ZULIP_SITE: "http://127.0.0.1:9991" }).state).toBe(join("/s", "sandbox"));
  expect(directoriesOf({ ...env, ZULIP_SITE: "https://chat.example" }).state).toBe("/s");
});

test("by default the directories have the name of the program", () => {
  for (const path of Object.values(directoriesOf({})).filter((path) => path !== homedir()))
    expect(path).toMatch(/\/zulipctl/i);
});

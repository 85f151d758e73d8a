import { homedir } from "node:os";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { places } from "../../src/node/places.ts";

test("the environment says where things are kept", () => {
  const env = { ZULIPCTL_CONFIG_DIR: "/c", ZULIPCTL_CACHE_DIR: "cache", ZULIPCTL_STATE_DIR: "/s" };
  expect(places(env)).toEqual({ home: homedir(), settings: "/c/config.json", cache: resolve("cache"), state: "/s" });
});

test("otherwise everything is below directories that bear the program's name", () => {
  for (const path of Object.values(places({})).filter((path) => path !== homedir()))
    expect(path).toMatch(/\/zulipctl/i);
});

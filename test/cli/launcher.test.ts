/** The launcher answers the shells itself, with what the program would say. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as built from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { zulipctl } from "../run.ts";

test.each([
  [[""]],
  [["channel", "update", "x", "--"]],
  [["group", "members", "x", "--add", ""]],
  [["batch", "rows.csv", "--", "channel", ""]],
  [["nonsense", ""]],
])("%j", async (words) => {
  const { out } = await zulipctl(["__complete", "--", ...words]);
  expect(await built.zulipctl(["__complete", "--", ...words])).toEqual({ code: 0, signal: null, out, err: "" });
});

test("profiles are read from the configuration", async () => {
  const home = directory();
  const config = join(home, "config");
  mkdirSync(config, { mode: 0o700 });
  const work = { site: "https://chat.example", email: "x@y.example", store: "command", key_command: ["pass"] };
  writeFileSync(join(config, "config.json"), JSON.stringify({ profiles: { work } }), { mode: 0o600 });
  const env = { ...built.environment(home), ZULIPCTL_CONFIG_DIR: config };
  expect(await built.zulipctl(["__complete", "--", "--profile", ""], { env })).toMatchObject({
    out: "work\tx@y.example on https://chat.example\n",
    err: "",
  });
});

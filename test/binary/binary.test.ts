/** The built program as cron and scripts run it: with pipes, an exit code and nearly no environment. */

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { environment, serving, startZulipctl, zulipctl } from "./program.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

test.each(["--version", "-V"])("%s prints only the version number", async (flag) => {
  expect(await zulipctl([flag])).toEqual({ code: 0, signal: null, out: `${version}\n`, err: "" });
});

test("prints the result on stdout and the notice on stderr", async () => {
  const { env, site } = await serving();
  const ended = await zulipctl(["apns", "register", "--appid", "org.zulip.Zulip", "--token", "740f4707"], {
    env: { ...environment(), ...env },
  });
  expect(ended).toEqual({
    code: 0,
    signal: null,
    out: 'Registered the device for "org.zulip.Zulip".\n',
    err: `zulipctl: ${new URL(site).host} (feature level 500) deprecates apns register; a later release will remove it\n`,
  });
});

const list = ["users", "list", "-o", "ids"];

test("works with credentials from the environment and no writable home", async () => {
  const { env } = await serving();
  const { HOME: _, ...homeless } = environment();
  expect(await zulipctl(list, { env: { ...homeless, ...env } })).toMatchObject({ code: 0, err: "" });
  const blocked = join(directory(), "file");
  writeFileSync(blocked, "");
  expect(await zulipctl(list, { env: { ...environment(blocked), ...env } })).toMatchObject({ code: 0, err: "" });
  const nowhere = { ...environment("/proc/nothing/here"), ...env };
  expect(await zulipctl(["folder", "create", "x"], { env: nowhere })).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^zulipctl: warning: what was changed could not be written into the log: .*\n$/),
  });
});

test("exits with 3 without valid credentials, and says what to do", async () => {
  const nobody = await zulipctl(list);
  expect(nobody).toMatchObject({ code: 3, out: "" });
  expect(nobody.err).toMatch(/^zulipctl: [^\n]+\n[^\n]*zulipctl fetch-key[^\n]*\n$/);
  const { env } = await serving();
  const wrong = await zulipctl(list, { env: { ...environment(), ...env, ZULIP_API_KEY: "x".repeat(32) } });
  expect(wrong).toMatchObject({ code: 3, out: "" });
  expect(wrong.err).toMatch(/^zulipctl: Invalid API key\n/);
});

test("exits quietly with 0 when the reader of a list closes the pipe", async () => {
  const { env } = await serving({ users: 5000 });
  const { child, ended } = startZulipctl(["users", "list", "-o", "ndjson"], { env: { ...environment(), ...env } });
  child.stdout.once("data", () => child.stdout.destroy());
  expect(await ended).toMatchObject({ code: 0, err: "" });
});

test("keeps a profile in private files for the next process", async () => {
  const home = directory();
  const env = environment(home);
  const { site, owner } = await serving();
  const fetched = await zulipctl(
    ["fetch-key", "--site", site, "--username", owner.email, "--password-stdin", "--store", "file"],
    { env, input: `${owner.password}\n` },
  );
  expect(fetched).toMatchObject({ code: 0, err: "" });
  const kept = readdirSync(home, { recursive: true, encoding: "utf8" }).map((path) => join(home, path));
  const modes = kept.map((path) => statSync(path)).map((stat) => [stat.isDirectory(), (stat.mode & 0o777).toString(8)]);
  for (const [isDirectory, mode] of modes) expect(mode).toBe(isDirectory ? "700" : "600");
  const holding = kept.filter((path) => statSync(path).isFile() && readFileSync(path, "utf8").includes(owner.api_key));
  expect(holding).toEqual([join(home, ".config/zulipctl/keys", encodeURIComponent(new URL(site).host))]);
  expect(await zulipctl(["users", "list", "--match", "Iris", "-o", "ids"], { env })).toMatchObject({
    code: 0,
    out: `${owner.user_id}\n`,
    err: "",
  });
});

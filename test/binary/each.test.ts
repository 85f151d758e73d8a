/** One command for several organizations, with the built program and servers on loopback. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { environment, serving, zulipctl } from "./program.ts";

test("each reads and changes several organizations, and names the one that is down", async () => {
  const servers = [await serving({ rateLimits: false }), await serving({ rateLimits: false })];
  const home = directory();
  const folder = join(home, ".config/zulipctl");
  mkdirSync(join(folder, "keys"), { recursive: true, mode: 0o700 });
  const profile = (site: string, name: string) => {
    writeFileSync(join(folder, "keys", name), servers[0]!.owner.api_key, { mode: 0o600 });
    return { site, email: servers[0]!.owner.email, store: "file", key_file: `keys/${name}` };
  };
  const profiles: Record<string, object> = { down: profile("http://127.0.0.1:1", "down") };
  for (const [n, { site, owner }] of servers.entries()) {
    profiles[`org${n}`] = { ...profile(site, `org${n}`), email: owner.email };
    writeFileSync(join(folder, "keys", `org${n}`), owner.api_key, { mode: 0o600 });
  }
  writeFileSync(join(folder, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const env = environment(home);

  const read = await zulipctl(["each", "--profiles", "org0,org1", "--", "folder", "list", "-o", "csv"], { env });
  expect(read).toMatchObject({ code: 0, err: "zulipctl: 2 of 2 organizations done\n" });
  expect(read.out.split("\r\n").map((line) => line.split(",")[0])).toEqual(["profile", "org0", "org1", ""]);

  const made = await zulipctl(["each", "--yes", "--", "folder", "create", "Work"], { env });
  expect(made).toMatchObject({ code: 4, out: "org0: Created folder 3.\norg1: Created folder 3.\n" });
  expect(made.err).toMatch(/^zulipctl: 2 of 3 organizations done; down: exit 4 \(.+\)\n/);

  const batch = ["batch", "rows.csv", "--", "folder", "create", "{name}"];
  writeFileSync(join(home, "rows.csv"), "name\nOne\nTwo\n");
  const rows = await zulipctl(["each", "--profiles", "org0,org1", "-y", "-q", "--", ...batch], { env, cwd: home });
  expect(rows).toMatchObject({ code: 0, err: "" });
  for (const { sandbox } of servers)
    expect([...sandbox.state.folders.values()].map(({ name }) => name)).toEqual([
      "Projects",
      "Past",
      "Work",
      "One",
      "Two",
    ]);
});

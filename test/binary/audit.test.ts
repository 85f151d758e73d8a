/** Changes made in a sandbox, fetched with `audit fetch` and read by every verb. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { createSandbox, listen } from "../../src/sandbox/index.ts";
import { blocks, page } from "../pages.ts";
import { person } from "../run.ts";
import { type Ended, environment, program, run, zulipctl } from "./program.ts";

const home = mkdtempSync(join(tmpdir(), "zulipctl-audit-"));
let env: Record<string, string>;

const ok = async (...argv: string[]): Promise<Ended> => {
  const ended = await zulipctl(argv, { env });
  expect(ended).toMatchObject({ code: 0 });
  return ended;
};
const records = ({ out }: Ended) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  const made = await listen(
    0,
    (site) => createSandbox({ site, clock: Date, random: Math.random, rateLimits: false }),
    (error) => {
      throw error;
    },
  );
  const owner = person(made.sandbox, 100);
  env = {
    ...environment(home),
    ZULIP_SITE: made.site,
    ZULIP_EMAIL: owner.email,
    ZULIP_API_KEY: owner.api_key,
  };
  return async () => {
    await made.close();
    rmSync(home, { recursive: true });
  };
}, 60_000);

test("audit log shows each change once, with the names of that time", { timeout: 120_000 }, async () => {
  expect(await zulipctl(["audit", "log"], { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining("Fetch one with: zulipctl audit fetch."),
  });
  await ok("channel", "create", "workshop", "--description", "x");
  await ok("channel", "update", "workshop", "--new-name", "sketches");
  await ok("channel", "update", "general", "--can-send-message-group", "role:moderators");
  await ok("users", "update", "cora@sandbox.example", "--role", "moderator", "--yes");
  await ok("settings", "update", "message_content_edit_limit_seconds=3600", "--yes");
  await ok("group", "members", "designers", "--add", "otis@sandbox.example");
  await ok("linkifier", "add", "T(?P<id>[0-9]+)", "https://tracker.example.com/{id}");
  await ok("channel", "archive", "sketches", "--yes");
  await ok("audit", "fetch");

  const log = records(await ok("audit", "log", "-o", "ndjson", "--by", "iris@sandbox.example", "--reverse"));
  const tell = log.map(({ action, target, property, from, to }) => [action, target?.name, property, from, to]);
  expect(tell).toEqual([
    [
      "channel.created",
      "workshop",
      null,
      null,
      {
        is_private: false,
        is_web_public: false,
        history_public_to_subscribers: true,
        message_retention_days: "realm_default",
      },
    ],
    ["channel.renamed", "workshop", "name", "workshop", "sketches"],
    ["channel.permission_changed", "general", "can_send_message_group", "role:everyone", "role:moderators"],
    ["user.role_changed", "Cora Member", "role", "member", "moderator"],
    ["setting.changed", "message_content_edit_limit_seconds", "message_content_edit_limit_seconds", 600, 3600],
    ["group.member_added", "designers", null, null, null],
    ["linkifier.added", "T(?P<id>[0-9]+)", null, null, expect.anything()],
    ["channel.archived", "sketches", null, null, null],
    ["export.created", null, null, null, null],
  ]);
  expect(log[1].target.name_now).toBe("sketches");
  const archived = records(await ok("audit", "log", "-o", "ndjson", "--target", "workshop", "--destructive"));
  expect(archived.map(({ action }) => action)).toEqual(["channel.archived"]);
  const newest = log.at(-1).id;
  expect((await ok("audit", "log", "-o", "ndjson", "--after", String(newest))).out).toBe("");
  expect((await ok("audit", "log", "-o", "ids", "--after", String(newest - 1))).out).toBe(`${newest}\n`);

  expect((await ok("audit", "people", "--role", "owner")).out).toContain("Iris Owner\tiris@sandbox.example\towner");
  expect((await ok("audit", "people", "--inactive-for", "180d", "-o", "ids")).out).toBe("");
  const channels = records(await ok("audit", "channels", "-o", "ndjson"));
  expect(channels.find(({ name }) => name === "staff")).toMatchObject({ last_message: null, messages: null });
  expect(channels.find(({ name }) => name === "general").last_message).not.toBeNull();
  expect((await ok("audit", "channels", "--inactive-for", "1h")).err).toContain("skipped");
  await ok("audit", "uploads", "--larger-than", "1MB");
});

test("audit fetch keeps the newest two exports as private files", { timeout: 120_000 }, async () => {
  await ok("audit", "fetch");
  const third = await ok("audit", "fetch", "-o", "json");
  const { file } = JSON.parse(third.out);
  const folder = join(file, "..");
  expect(readdirSync(folder)).toHaveLength(2);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(gunzipSync(readFileSync(file)).subarray(257, 262).toString()).toBe("ustar");
  const read = await zulipctl(["audit", "log", "--from", file, "--limit", "1", "-o", "ids"], {
    env: environment(home),
  });
  expect(read).toMatchObject({ code: 0, err: expect.stringMatching(/requested \d+ s ago/) });
});

test("the cron job of the documentation writes each entry once", { timeout: 120_000 }, async () => {
  const script = blocks(page("docs/audit.md"), "sh").find((block) => block.startsWith("#!/bin/sh"))!;
  mkdirSync(join(home, "bin"), { recursive: true });
  symlinkSync(program, join(home, "bin/zulipctl"));
  writeFileSync(join(home, "bin/date"), "#!/bin/sh\necho $WEEKDAY\n", { mode: 0o755 });
  writeFileSync(join(home, "job"), script.replace("/var/lib/zulip-audit/audit.ndjson", join(home, "audit.ndjson")));
  const job = (WEEKDAY: string) =>
    run(["sh", "job"], { cwd: home, env: { ...env, WEEKDAY, PATH: `${home}/bin:${process.env.PATH}` } });
  const ids = () => records({ out: readFileSync(join(home, "audit.ndjson"), "utf8") } as Ended).map(({ id }) => id);

  expect(await job("1")).toMatchObject({ code: 0, out: "", err: "" });
  const first = ids();
  await ok("channel", "create", "after-the-job", "--description", "x");
  expect(await job("2")).toMatchObject({ code: 0, out: "", err: "" });
  expect(ids()).toEqual(first);
  expect(await job("4")).toMatchObject({ code: 0, out: "", err: "" });
  expect(ids().slice(0, first.length)).toEqual(first);
  expect(ids()).toEqual([...new Set(ids())].sort((a, b) => a - b));
  expect(readFileSync(join(home, "audit.ndjson"), "utf8")).toContain("after-the-job");
});

test("audit fetch quotes the server's refusal of a sixth export in a week", { timeout: 120_000 }, async () => {
  const { code, err } = await zulipctl(["audit", "fetch"], { env });
  expect(code).toBe(1);
  expect(err).toContain("Exceeded rate limit.");
  expect(err).toMatch(/the newest saved export was fetched .* ago/);
});

test("audit log exits with 2 for a damaged export", async () => {
  const path = join(home, "damaged.tar.gz");
  const whole = readFileSync(join(import.meta.dirname, "../data/exports/open-1.tar.gz"));
  writeFileSync(path, whole.subarray(0, 5000));
  for (const verb of ["log", "people", "channels", "uploads"])
    expect(await zulipctl(["audit", verb, "--from", path], { env: environment(home) })).toMatchObject({
      code: 2,
      out: "",
    });
});

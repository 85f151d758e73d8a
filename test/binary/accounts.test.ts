/** Profiles and keys, with the built program on real files. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { environment, serving, zulipctl } from "./program.ts";

const configuration = (home: string) => join(home, ".config/zulipctl");
const load = (home: string) => JSON.parse(readFileSync(join(configuration(home), "config.json"), "utf8"));

/** Writes the configuration with a mode, and returns its path. */
function configured(home: string, document: unknown, mode = 0o600): string {
  mkdirSync(configuration(home), { recursive: true, mode: 0o700 });
  const path = join(configuration(home), "config.json");
  writeFileSync(path, JSON.stringify(document));
  chmodSync(path, mode);
  return path;
}

const login = (site: string, email: string, profile: string) => [
  ...["auth", "login", "--with-key", "--site", site, "--username", email],
  ...["--profile", profile, "--store", "file"],
];

test("keeps both keys when two logins write to one profile at once", { timeout: 120_000 }, async () => {
  const { site, owner } = await serving({ rateLimits: false });
  const home = directory();
  const env = environment(home);
  for (let round = 0; round < 4; round++) {
    const both = [1, 2].map(() => zulipctl(login(site, owner.email, "work"), { env, input: owner.api_key }));
    for (const { code, err } of await Promise.all(both)) expect([code, err]).toEqual([0, ""]);
    const { key_file } = load(home).profiles.work;
    expect(readdirSync(join(configuration(home), "keys"))).toEqual([key_file.replace("keys/", "")]);
    expect(readFileSync(join(configuration(home), key_file), "utf8")).toBe(`${owner.api_key}\n`);
  }
  expect((await zulipctl(["auth", "status"], { env })).code).toBe(0);
});

const command = (marker: string) => ({
  current: "work",
  profiles: {
    work: {
      ...{ site: "https://127.0.0.1:1", email: "a@b.example", store: "command" },
      key_command: [
        process.execPath,
        "-e",
        `require("fs").writeFileSync(${JSON.stringify(marker)}, ""); console.log("k")`,
      ],
    },
  },
});

describe.skipIf(process.platform === "win32")("a configuration that names a command", () => {
  test("refuses a configuration that others can write to, and does not run its key command", async () => {
    const home = directory();
    const path = configured(home, command(join(home, "ran")), 0o620);
    for (const argv of [
      ["users", "list"],
      ["profile", "use", "work"],
    ]) {
      const { code, out, err } = await zulipctl(argv, { env: environment(home) });
      expect([code, out, err]).toEqual([
        2,
        "",
        `zulipctl: refused to use ${path}: others can change it\nLook at what it says, then make it private with: chmod 600 ${path}\n`,
      ]);
    }
    expect([existsSync(join(home, "ran")), statSync(path).mode & 0o777]).toEqual([false, 0o620]);
  });

  test("warns about a configuration that others can read", async () => {
    const listed = async (mode: number) => {
      const home = directory();
      const path = configured(home, command(join(home, "ran")), mode);
      const ended = await zulipctl(["users", "list", "--timeout", "1"], { env: environment(home) });
      return { ...ended, path, ran: existsSync(join(home, "ran")) };
    };
    const [open, own] = await Promise.all([listed(0o644), listed(0o600)]);
    expect(open.err.split("\n")[0]).toBe(
      `zulipctl: warning: others can read ${open.path}; make it private with: chmod 600 ${open.path}`,
    );
    expect([open.code, open.ran, open.err.match(/warning/g)]).toEqual([4, true, ["warning"]]);
    expect([own.code, own.ran, own.err.match(/warning/g)]).toEqual([4, true, null]);
  });
});

describe.skipIf(process.platform === "win32")("a configuration or key file of others is refused", () => {
  const ways: [string, (path: string) => void, RegExp][] = [
    ["that others can write to", (path) => chmodSync(path, 0o666), /: others can change it$/],
    ["that a group can write to", (path) => chmodSync(path, 0o620), /: others can change it$/],
  ];
  if (process.getuid?.() === 0)
    ways.push(["of another user", (path) => chownSync(path, 54_321, 0), /: it belongs to user id 54321$/]);
  const site = "https://127.0.0.1:1";

  test.each(ways)("%s", async (_, change, words) => {
    const home = directory();
    const config = configured(home, {
      current: "a",
      profiles: { a: { site, email: "a@b.example", store: "file", key_file: join(home, "profile-key") } },
    });
    const files = { "profile-key": "k\n", key: "k\n", zuliprc: `[api]\nsite=${site}\nemail=a@b.example\nkey=k\n` };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text, { mode: 0o600 });
    const cases: [string, string[], Record<string, string>][] = [
      [join(home, "key"), [], { ZULIP_SITE: site, ZULIP_EMAIL: "a@b.example", ZULIP_API_KEY_FILE: join(home, "key") }],
      [join(home, "zuliprc"), ["--zuliprc", join(home, "zuliprc")], {}],
      [join(home, "zuliprc"), [], { ZULIP_CONFIG: join(home, "zuliprc") }],
      [join(home, "profile-key"), [], {}],
      [config, [], {}],
    ];
    for (const [path, flags, env] of cases) {
      const line = ["users", "list", "--timeout", "1", ...flags];
      change(path);
      const { code, err } = await zulipctl(line, { env: { ...environment(home), ...env } });
      expect([code, err.split("\n")[0]]).toEqual([2, expect.stringMatching(words)]);
      expect(err).toContain(`refused to use ${path}`);
      chownSync(path, process.getuid!(), process.getgid!());
      chmodSync(path, 0o600);
    }
  });
});

test("accepts a key command that leaves a program behind, and reports one that never stops printing", async () => {
  const { site, owner } = await serving();
  const home = directory();
  const env = environment(home);
  const profile = (key_command: string[]) =>
    configured(home, { current: "a", profiles: { a: { site, email: owner.email, store: "command", key_command } } });
  profile(["sh", "-c", `sleep 100 & echo ${owner.api_key}`]);
  expect((await zulipctl(["auth", "status", "--jq", ".accepted"], { env })).out).toBe("true\n");
  profile(["yes"]);
  expect(await zulipctl(["users", "list"], { env })).toMatchObject({
    code: 3,
    err: "zulipctl: the key command yes did not stop printing, and was ended after a megabyte\nRun it by hand to see why: yes\n",
  });
});

/** Secrets in files and in other processes, as other users of the machine can see them. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { directory } from "../node/directory.ts";
import { hostile, key, success } from "./hostile-server.ts";
import { commandLine, environment, run, serving, startZulipctl, zulipctl } from "./program.ts";

const password = "correct horse battery staple";
const all = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => join(root, path));
const modes = (root: string) =>
  Object.fromEntries(all(root).map((path) => [path.slice(root.length + 1), (statSync(path).mode & 0o777).toString(8)]));

test("creates files 0600 in directories 0700, and keeps existing modes", async () => {
  const home = directory();
  const { site, owner, env } = await serving();
  // Replaced files are new, with new modes.
  const open = [".config/zulipctl/keys", ".cache/zulipctl", ".local/state/zulipctl/batch"];
  for (const path of open) mkdirSync(join(home, path), { recursive: true });
  writeFileSync(join(home, ".config/zulipctl/config.json"), "{}");
  writeFileSync(join(home, ".config/zulipctl/keys/work"), "old");
  writeFileSync(join(home, ".cache/zulipctl/levels.json"), "{}");
  for (const path of all(home)) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  const rows = join(home, "rows.csv");
  writeFileSync(rows, `name\n${Array.from({ length: 3 }, (_, n) => `folder ${n}`).join("\n")}\n${"x".repeat(61)}\n`);

  const login = `${commandLine} fetch-key --site ${site} --username ${owner.email} --password-stdin --profile work --store file`;
  const batch = `${commandLine} batch ${rows} --failed ${home}/failed.csv -- folder create {name}`;
  const ended = await run(["sh", "-c", `umask 0; ${login} && ${batch}`], {
    env: environment(home),
    input: `${owner.password}\n`,
  });
  expect(ended.code).toBe(5);

  const { "rows.csv": _, ".config": _c, ".cache": _h, ".local": _l, ".local/state": _s, ...ours } = modes(home);
  const expected = (path: string) => {
    if (!statSync(join(home, path)).isDirectory()) return "600";
    return open.some((there) => `${there}/`.startsWith(`${path}/`)) ? "755" : "700";
  };
  expect(ours).toEqual(Object.fromEntries(Object.keys(ours).map((path) => [path, expected(path)])));
  const names = Object.keys(ours).join("\n");
  for (const name of ["config.json", "keys/work", "levels.json", "failed.csv", "batch/"]) expect(names).toContain(name);
  const holding = all(home).filter(
    (path) => statSync(path).isFile() && readFileSync(path, "utf8").includes(env.ZULIP_API_KEY),
  );
  expect(holding).toEqual([join(home, ".config/zulipctl/keys/work")]);
});

describe.skipIf(process.platform !== "linux")("programs that are started", () => {
  /** The parts of a process that other users, or the same user, can read. */
  const seen = (pid: number | "self") =>
    ["cmdline", "environ"].map((name) => readFileSync(`/proc/${pid}/${name}`, "latin1")).join("\0");

  test("a key command gets no secret from the environment, and its output is not printed", async () => {
    const home = directory();
    const server = await hostile((socket) => socket.write(success({ linkifiers: [] })));
    const script = join(home, "key.mjs");
    const report = join(home, "report");
    writeFileSync(
      script,
      `import fs from "node:fs";
const seen = [process.pid, process.ppid].map((pid) => fs.readFileSync("/proc/" + pid + "/cmdline", "latin1"));
fs.writeFileSync(${JSON.stringify(report)}, seen.join("\\0") + fs.readFileSync("/proc/self/environ", "latin1"));
console.error("words that ${key} must not reach stderr with");
console.log("${key}");`,
    );
    mkdirSync(join(home, ".config/zulipctl"), { recursive: true });
    const profile = {
      site: server.site,
      email: "ada@chat.example",
      store: "command",
      key_command: [process.execPath, script],
    };
    writeFileSync(
      join(home, ".config/zulipctl/config.json"),
      JSON.stringify({ current: "work", profiles: { work: profile } }),
    );
    const { code, out, err } = await zulipctl(["linkifier", "list", "--verbose", "--profile", "work"], {
      env: { ...environment(home), ...server.env, ZULIP_API_KEY: "ANOTHERKEY0123456789" },
    });
    expect({ code, out: out.includes(key), err: err.includes(key) }).toEqual({ code: 0, out: false, err: false });
    const shown = readFileSync(report, "latin1");
    expect(shown).toContain(script);
    expect(shown).not.toMatch(/SECRETKEY|ANOTHERKEY/);
  });

  test("gives up on a keychain that never answers, and says what to do", async () => {
    const home = directory();
    const bus = join(home, "bus");
    const server = await hostile((socket) => socket.write(success()));
    const found: string[] = [];
    const silent = createServer((socket) => {
      socket.resume().on("error", () => undefined);
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
      for (const pid of [child.pid!, ...children.map(Number)]) found.push(seen(pid));
    }).listen(bus);
    onTestFinished(() => void silent.close());
    const argv = ["fetch-key", "--site", server.site, "--username", "ada@chat.example", "--password-stdin"];
    const { child, ended } = startZulipctl(argv, {
      env: { ...environment(home), DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` },
      input: `${password}\n`,
    });
    const { code, err } = await ended;
    expect({ code, asked: server.asked }).toEqual({ code: 3, asked: [] });
    expect(err).toBe(
      "zulipctl: the keychain did not answer within 5 seconds\nTo keep the key in a file of your own instead, add --store file.\n",
    );
    expect(found.length).toBeGreaterThan(1);
    expect(found.join("\n")).not.toContain(password);
  });
});

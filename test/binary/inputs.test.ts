/** Inputs that are not regular files: pipes without a writer, process substitutions, and endless files. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { securePeer, tlsFile } from "../node/peer.ts";
import { commandLine, environment, run, serving, start, zulipctl } from "./program.ts";

const env = {
  ZULIP_SITE: "http://127.0.0.1:9",
  ZULIP_EMAIL: "a@x.example",
  ZULIP_API_KEY: "k",
};
const { ZULIP_API_KEY: _, ...keyless } = env;

/** Command lines with a placeholder for the file, and environment variables that name a file. */
const flags: [string, (file: string) => string[], ((file: string) => Record<string, string>)?][] = [
  ["--description", (file) => ["channel", "update", "1", "--description", `@${file}`]],
  ["--from", (file) => ["drafts", "add", "--feature-level", "442", "--from", file]],
  ["--add", (file) => ["group", "members", "1", "--add", `@${file}`]],
  ["batch <file>", (file) => ["batch", file, "--format", "lines"]],
  ["--ca-file", (file) => ["users", "list", "--ca-file", file]],
  ["--zuliprc", (file) => ["users", "list", "--zuliprc", file], () => ({})],
  ["ZULIP_CONFIG", () => ["users", "list"], (file) => ({ ZULIP_CONFIG: file })],
  ["ZULIP_API_KEY_FILE", () => ["users", "list"], (file) => ({ ...keyless, ZULIP_API_KEY_FILE: file })],
];

test("audit --from refuses a named pipe, a device and a folder without an export at once", async () => {
  const home = directory();
  spawnSync("mkfifo", [join(home, "pipe")]);
  mkdirSync(join(home, "empty"));
  const refuses = async (file: string, says: string) => {
    const ended = await zulipctl(["audit", "log", "--from", file], { env: { ...environment(home), ...env } });
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toContain(file);
    expect(ended.err).toContain(says);
  };
  await refuses(join(home, "pipe"), "a named pipe");
  await refuses("/dev/zero", "a device");
  await refuses(join(home, "empty"), "not an export: it has no realm.json");
});

describe.each(flags)("%s", (_, words, variables = () => env) => {
  test.each([
    ["a named pipe", "a named pipe, not a regular file"],
    ["a device", "a device, not a regular file"],
    ["a directory", "directory"],
  ])("refuses %s at once", async (what, says) => {
    const home = directory();
    const file = what === "a device" ? "/dev/zero" : join(home, "input");
    if (what === "a named pipe") spawnSync("mkfifo", [file]);
    if (what === "a directory") mkdirSync(file);
    const ended = await zulipctl(words(file), { env: { ...environment(home), ...variables(file) } });
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toContain(file);
    expect(ended.err).toContain(says);
  });
});

test("an organization file refuses a named pipe and a directory as list files at once", async () => {
  const home = directory();
  spawnSync("mkfifo", [join(home, "pipe")]);
  mkdirSync(join(home, "folder"));
  const file = join(home, "org.json");
  for (const [name, says] of Object.entries({ pipe: "a named pipe, not a regular file", folder: "is a directory" })) {
    writeFileSync(file, JSON.stringify({ groups: [{ name: "designers", members: [`@${name}`] }] }));
    const ended = await zulipctl(["org", "plan", file], { env: { ...environment(home), ...env } });
    expect(ended).toMatchObject({ code: 2, out: "", err: expect.stringContaining(says) });
  }
});

test("a signal ends the wait for a pipe of the shell", async () => {
  // A pipe holds 64 KiB, so that the last of it is written only when somebody reads.
  const writer = "head -c 100000 /dev/zero | tr '\\0' x; echo somebody reads >&2; exec sleep 60 2>/dev/null";
  const line = `exec ${commandLine} channel update 1 --description @<(${writer})`;
  const { child, ended, says } = start(["bash", "-c", line], { env: { ...environment(), ...env } });
  await says("somebody reads");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 143, err: expect.stringContaining("interrupted while reading /dev/fd/") });
});

describe("a process substitution of a shell", () => {
  test("is read as text, list, zuliprc and rows", async () => {
    const { env, sandbox } = await serving();
    const home = directory();
    const rc = `[api]\nsite=${env.ZULIP_SITE}\nemail=${env.ZULIP_EMAIL}\nkey=${env.ZULIP_API_KEY}\n`;
    writeFileSync(join(home, "rc"), rc, { mode: 0o600 });
    const line = `zulipctl channel update 1 --description @<(sleep 1; echo slow) &&
      zulipctl group members designers --add @<(printf '13\\n') &&
      zulipctl users list --zuliprc <(cat rc) -o ids >/dev/null &&
      zulipctl batch <(printf 'folder create X\\n') --format lines -q &&
      zulipctl channel update 1 --description @<(:)`;
    const ended = await run(["bash", "-c", `zulipctl() { ${commandLine} "$@"; }; ${line}`], {
      env: { ...environment(home), ...env },
      cwd: home,
    });
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(sandbox.state.channels.get(1)!.description).toBe("");
    expect([...sandbox.state.folders.values()].map(({ name }) => name)).toContain("X");
    expect(sandbox.state.groups.get(17)!.members.has(13)).toBe(true);
  });
});

describe("certificates", () => {
  const password = ["fetch-key", "--username", "a@x.example", "--password-stdin", "--store", "file"];

  test("are checked before anything is sent", async () => {
    const peer = await securePeer(() => {});
    const site = ["--site", `https://localhost:${peer.port}`];
    const more = { ...environment(), NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    for (const trusted of [[], ["--ca-file", tlsFile("ca.pem")]])
      expect(await zulipctl([...password, ...site, ...trusted], { env: more, input: "secret\n" })).toEqual({
        code: 2,
        signal: null,
        out: "",
        err: "zulipctl: NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off, which zulipctl refuses\nTrust a private certificate authority with --ca-file.\n",
      });
    expect(peer.connections).toBe(0);
  });
});

test.each([
  ["is broken", (path: string) => writeFileSync(path, "{ broken")],
  ["is a pipe that nobody writes to", (path: string) => void spawnSync("mkfifo", [path])],
])("--jq ignores a package.json in the working directory that %s", async (_, put) => {
  const cwd = directory();
  put(join(cwd, "package.json"));
  const { env } = await serving();
  expect(
    await zulipctl(["folder", "list", "--jq", "length"], { cwd, env: { ...environment(), ...env } }),
  ).toMatchObject({ code: 0, out: "1\n" });
});

test("reports a path with a loop of links or of too many characters", async () => {
  const cwd = directory();
  symlinkSync("loop", join(cwd, "loop"));
  const { env } = await serving();
  const long = `${"x".repeat(300)}.yaml`;
  for (const words of [
    ["org", "plan", "loop"],
    ["org", "snapshot", "--to", "loop/x"],
    ["batch", "loop", "--", "folder", "create", "{x}"],
    ["batch", "rows.csv", "--journal", long, "--", "folder", "create", "{x}"],
    ["folder", "create", "y", "--description", "@loop"],
    ["users", "list", "--ca-file", long],
  ]) {
    writeFileSync(join(cwd, "rows.csv"), "x\na\n");
    const { code, err } = await zulipctl(words, { cwd, env: { ...environment(), ...env } });
    expect({ words, code, err }).toEqual({ words, code: 2, err: expect.not.stringContaining("defect") });
  }
});

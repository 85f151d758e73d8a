/** What only the executable does: it needs no Node, no files beside it, and no options of Node. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { environment, program, run, serving, zulipctl } from "../binary/program.ts";
import { bus, describeKeychain } from "../keychain/bus.ts";
import { directory } from "../node/directory.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

/** The executable as somebody downloads it: alone in a directory. */
function downloaded(): string {
  const file = join(directory(), "zulipctl");
  copyFileSync(program, file);
  return file;
}

test("runs alone in a directory, without Node on the path", async () => {
  const file = downloaded();
  const { env } = await serving();
  const all = { ...environment(), ...env, PATH: "/nonexistent" };
  expect(await run([file, "--version"], { env: all })).toMatchObject({ code: 0, out: `${version}\n`, err: "" });
  const names = await run([file, "users", "list", "--bots", "--jq", ".[].full_name"], { env: all });
  expect(names).toMatchObject({ code: 0, out: "Beep Bot\n", err: "" });
  expect(await run([file, "tour"], { env: all })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/\n11 commands done\.\n$/),
  });
  expect(readdirSync(join(file, ".."))).toEqual(["zulipctl"]);
});

// Node knows execArgvExtension since 24.6. With an older Node, its options reach the program.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
test.skipIf(major < 24 || (major === 24 && minor < 6))("NODE_OPTIONS does not reach the program", async () => {
  const script = join(directory(), "script.cjs");
  writeFileSync(script, "process.exit(99);");
  const env = { ...environment(), NODE_OPTIONS: `--require ${script} --inspect` };
  expect(await zulipctl(["--version"], { env })).toMatchObject({ code: 0, out: `${version}\n`, err: "" });
});

test("is no Node for those who can choose its arguments", async () => {
  const flags = ["-e", "--eval", "--require=/dev/null", "--inspect"];
  for (const flag of flags) {
    const { code, err } = await zulipctl([flag, "console.log(99)"]);
    expect({ flag, code, out: err.split("\n")[0] }).toMatchObject({
      flag,
      code: 2,
      out: expect.stringMatching(/^zulipctl: /),
    });
  }
});

const keychainLibrary = () => {
  const [found] = readdirSync("node_modules/@napi-rs").filter((name) => name.startsWith(`keyring-${process.platform}`));
  const [file] = readdirSync(join("node_modules/@napi-rs", found!)).filter((name) => name.endsWith(".node"));
  return join("node_modules/@napi-rs", found!, file!);
};

const password = "--password-stdin";

describeKeychain("the keychain of the executable", () => {
  /** Stores a key with one process, and uses it with another. */
  async function stored(file: string, more: Record<string, string> = {}) {
    const home = directory();
    const { site, owner } = await serving();
    const env = { ...environment(home), ...(await bus(home, "unlocked")).env, ...more };
    const words = ["fetch-key", "--site", site, "--username", owner.email, password, "--store", "keychain"];
    const fetched = await run([file, ...words], { env, input: `${owner.password}\n` });
    const used = await run([file, "users", "list", "--bots", "-o", "ids"], { env });
    return { fetched, used };
  }
  const works = { fetched: { code: 0, err: "" }, used: { code: 0, out: "14\n", err: "" } };

  test("works, and leaves no file", async () => {
    const TMPDIR = directory();
    expect(await stored(downloaded(), { TMPDIR })).toMatchObject(works);
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  test("works with its library beside it, and without a place for temporary files", async () => {
    const file = downloaded();
    const beside = join(file, "../zulipctl-keyring.node");
    copyFileSync(keychainLibrary(), beside);
    chmodSync(beside, 0o644);
    expect(await stored(file, { TMPDIR: "/nonexistent" })).toMatchObject(works);
  });

  test("does not load a library that others can change", async () => {
    const file = downloaded();
    const beside = join(file, "../zulipctl-keyring.node");
    writeFileSync(beside, "not a library");
    chmodSync(beside, 0o666);
    expect(await stored(file)).toMatchObject(works);
    chmodSync(beside, 0o644);
    expect((await stored(file)).fetched).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /^zulipctl: the keychain cannot be opened: zulipctl cannot load its library for it \(/,
      ),
    });
  });
});

/** Mounts a directory from which no program may run. */
function noexec(): string | undefined {
  const mounted = directory();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "noexec", "none", mounted]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync("umount", [mounted]));
  return mounted;
}

test("only the keychain needs a directory for temporary files from which programs may run", async ({ skip }) => {
  const TMPDIR = noexec() ?? skip("NOT TESTED: needs root, to mount such a directory");
  const { site, owner } = await serving();
  const env = { ...environment(), TMPDIR };
  const words = ["fetch-key", "--site", site, "--username", owner.email, password];
  const input = `${owner.password}\n`;
  const refused = await zulipctl([...words, "--store", "keychain"], { env, input });
  expect({ code: refused.code, out: refused.out }).toEqual({ code: 3, out: "" });
  expect(refused.err).toMatch(
    /^zulipctl: the keychain cannot be opened: zulipctl cannot load its library for it \(.*failed to map segment.*\)\. TMPDIR can name a directory from which programs may run\n.*--store file/,
  );
  expect(await zulipctl([...words, "--store", "file"], { env, input })).toMatchObject({ code: 0, err: "" });
  expect(await zulipctl(["users", "list", "--bots", "--jq", ".[].user_id"], { env })).toMatchObject({
    code: 0,
    out: "14\n",
  });
  expect(readdirSync(TMPDIR)).toEqual([]);
});

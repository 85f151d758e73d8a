/** The Debian package: installed, run and removed. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { environment, program, run, serving } from "../binary/program.ts";
import { directory } from "../node/directory.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const isMissing = spawnSync("dpkg-deb", ["--version"]).error !== undefined;
const isRoot = process.getuid?.() === 0;
const env = () => ({ ...environment(), PATH: `${process.env.PATH}:/usr/sbin:/sbin` });

/** Runs a program that must work, and returns its output. */
async function output(words: [string, ...string[]]): Promise<string> {
  const { code, out, err } = await run(words, { env: env(), cwd: process.cwd() });
  expect({ words, code, err: code ? err : "" }).toEqual({ words, code: 0, err: "" });
  return out;
}

describe.skipIf(isMissing)(`the package${isMissing ? " (NOT TESTED: there is no dpkg-deb)" : ""}`, async () => {
  const made = isMissing
    ? ""
    : (
        spawnSync(process.execPath, ["scripts/deb.mjs", "--built", "--uncompressed"], { encoding: "utf8" }).stdout ?? ""
      ).trim();

  test("states what Debian needs to know", async () => {
    expect(made).toBe(`single/zulipctl_${version}_${process.arch === "x64" ? "amd64" : process.arch}.deb`);
    const field = async (name: string) => (await output(["dpkg-deb", "--field", made, name])).trim();
    expect([await field("Package"), await field("Version")]).toEqual(["zulipctl", version]);
    // Each library of the system is in one of the packages.
    const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
    const libraries = [...stdout.matchAll(/^\t([\w+-]+)\.so\S* =>/gm)].map(([, library]) => library!);
    const packages: Record<string, string> = { "libstdc++": "libstdc++6", libgcc_s: "libgcc-s1" };
    const needed = new Set(libraries.map((library) => packages[library] ?? "libc6"));
    const depends = await field("Depends");
    expect(depends.split(", ").map((each) => each.split(" ")[0])).toEqual([...needed].sort());
  });

  test("belongs to root, and has the man pages, the completions, the licenses and the changelog", async () => {
    const lines = (await output(["dpkg-deb", "--contents", made])).trim().split("\n");
    const entries = lines.map(
      (line) => /^(\S+) (\S+) +\d+ \S+ \S+ \.(\S+)/.exec(line)!.slice(1) as [string, string, string],
    );
    expect(entries.filter(([, owner]) => owner !== "root/root")).toEqual([]);
    const files = entries.filter(([mode]) => !mode.startsWith("d"));
    const others = files.filter(([, , path]) => !path.startsWith("/usr/share/man/man1/"));
    expect(others.map(([mode, , path]) => `${mode} ${path}`).sort()).toEqual([
      "-rw-r--r-- /usr/lib/zulipctl/zulipctl-keyring.node",
      "-rw-r--r-- /usr/share/bash-completion/completions/zulipctl",
      "-rw-r--r-- /usr/share/doc/zulipctl/changelog.gz",
      "-rw-r--r-- /usr/share/doc/zulipctl/copyright",
      "-rw-r--r-- /usr/share/fish/vendor_completions.d/zulipctl.fish",
      "-rw-r--r-- /usr/share/zsh/vendor-completions/_zulipctl",
      "-rwxr-xr-x /usr/lib/zulipctl/zulipctl",
      "lrwxrwxrwx /usr/bin/zulipctl",
    ]);
    const pages = files.flatMap(([, , path]) => /man1\/(.*)\.gz$/.exec(path)?.[1] ?? []);
    expect(pages.sort()).toEqual(readdirSync("man").sort());
    const out = directory();
    await output(["dpkg-deb", "--extract", made, out]);
    const copyright = readFileSync(join(out, "usr/share/doc/zulipctl/copyright"), "utf8");
    for (const name of ["License: Apache-2.0", "commander", "@napi-rs/keyring", "Node.js is licensed", "Oniguruma"])
      expect(copyright).toContain(name);
    const changelog = await output(["gzip", "-cd", join(out, "usr/share/doc/zulipctl/changelog.gz")]);
    expect(changelog).toMatch(
      new RegExp(`^zulipctl \\(${version.replaceAll(".", "\\.")}\\) \\w+; urgency=medium\n\n  \\* `),
    );
    expect(changelog).toMatch(/\n\n -- [^<\n]+ <\S+@\S+> {2}\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000\n$/);
  });

  test.skipIf(!isRoot)(`is installed, runs and is removed${isRoot ? "" : " (NOT TESTED: needs root)"}`, async () => {
    const root = directory();
    for (const path of ["info", "updates", "triggers"])
      mkdirSync(join(root, "var/lib/dpkg", path), { recursive: true });
    writeFileSync(join(root, "var/lib/dpkg/status"), "");
    // This root has no libc6: the program finds that of the machine.
    await output(["dpkg", `--root=${root}`, "--force-depends", "--install", made]);
    const installed = join(root, "usr/bin/zulipctl");
    expect(await output([installed, "--version"])).toBe(`${version}\n`);
    const { env: account } = await serving();
    expect(
      await run([installed, "users", "list", "--bots", "-o", "ids"], { env: { ...env(), ...account } }),
    ).toMatchObject({
      code: 0,
      out: "14\n",
      err: "",
    });
    expect(await output(["dpkg", `--root=${root}`, "--verify", "zulipctl"])).toBe("");
    await output(["dpkg", `--root=${root}`, "--purge", "zulipctl"]);
    for (const path of ["usr/bin/zulipctl", "usr/lib/zulipctl", "usr/share/doc/zulipctl"])
      expect([path, existsSync(join(root, path))]).toEqual([path, false]);
  });
});

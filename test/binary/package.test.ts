/** The tarball, installed in an empty directory. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { environment, run } from "./program.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const npm = async (words: string[], home: string) => {
  const env = { ...environment(home), PATH: process.env.PATH ?? "" };
  const { code, out, err } = await run(["npm", ...words], { env, cwd: process.cwd() });
  expect({ code, err: code ? err : "" }).toEqual({ code: 0, err: "" });
  return out;
};

const man = spawnSync("man", ["--version"]).status === 0;
const note = man ? "" : " (NOT TESTED: whether man finds the pages; there is no man)";

test(`a global install of the tarball works in an empty prefix${note}`, async () => {
  const home = directory();
  const prefix = join(home, "prefix");
  mkdirSync(prefix);
  // Without scripts: they would build dist again while other tests run it.
  const packed = await npm(["pack", "--json", "--ignore-scripts", "--pack-destination", home], home);
  const [{ filename, unpackedSize, files }] = JSON.parse(packed);
  // The keychain package, 3.4 MiB, is installed beside it. Runs, jobs, the judgment of effects and its guards took 0.5 MiB.
  expect(unpackedSize).toBeLessThan((12.6 - 3.4) * 1024 * 1024);
  expect(files.filter(({ path }: { path: string }) => /\.map$|^src\/|^test\//.test(path))).toEqual([]);
  const paths = files.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(expect.arrayContaining(["LICENSE", "THIRD-PARTY-NOTICES", "REFERENCE.md", "docs/batch.md"]));
  // Its only dependency comes from a registry. Without it, everything but the keychain works.
  await npm(["install", "--global", "--prefix", prefix, "--offline", "--omit=optional", join(home, filename)], home);
  expect(readdirSync(join(prefix, "bin"))).toEqual(["zulipctl"]);
  expect(readdirSync(join(prefix, "share/man/man1")).sort()).toEqual(readdirSync("man").sort());

  const env = { ...environment(home), PATH: `${join(prefix, "bin")}:${dirname(process.execPath)}:/usr/bin:/bin` };
  const zulipctl = (...words: string[]) => run(["zulipctl", ...words], { env, cwd: "/" });
  expect(await zulipctl("--version")).toMatchObject({ code: 0, out: `${version}\n` });
  if (man) {
    // The shell finds the program by PATH.
    const pages = await run(["man", "-w", "zulipctl", "zulipctl-batch"], { env, cwd: "/" });
    const found = ["zulipctl.1", "zulipctl-batch.1"].map((page) => join(realpathSync(prefix), "share/man/man1", page));
    expect(pages).toMatchObject({ code: 0, err: "" });
    expect(
      pages.out
        .trim()
        .split("\n")
        .map((page) => realpathSync(page)),
    ).toEqual(found.map((page) => realpathSync(page)));
    const read = await run(["man", "-P", "cat", "zulipctl"], { env, cwd: "/" });
    expect(read).toMatchObject({ code: 0, out: expect.stringMatching(/^NAME\n +zulipctl/m) });
  }
  const tour = await zulipctl("tour");
  expect(tour).toMatchObject({ code: 0, out: expect.stringMatching(/\n11 commands done\.\n$/) });
  const names = await zulipctl("sandbox", "exec", "--", "zulipctl", "users", "list", "--bots", "--jq", ".[].full_name");
  expect(names).toMatchObject({ code: 0, out: "Beep Bot\n", err: "" });
  const drawn = await zulipctl(
    "sandbox",
    "exec",
    "--",
    "zulipctl",
    "folder",
    "list",
    "-o",
    "yaml",
    "--fields",
    "id,name",
  );
  expect(drawn).toMatchObject({ code: 0, out: "- id: 1\n  name: Projects\n", err: "" });
  const alone = await zulipctl("users", "list");
  expect(alone).toMatchObject({ code: 3, out: "", err: expect.stringMatching(/^zulipctl: no credentials found\n/) });
}, 60_000);

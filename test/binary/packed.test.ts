/** The package has only necessary files, the same bytes wherever it is built, and works where it is installed. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { environment, run } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** All tests use the tarballs. */
const tarballs = mkdtempSync(join(tmpdir(), "zulipctl-test-"));
afterAll(() => rmSync(tarballs, { recursive: true }));

async function pack(where: string, ...more: string[]) {
  const home = mkdtempSync(join(tarballs, "home-"));
  const { code, out, err } = await run(["npm", "pack", "--json", "--pack-destination", home, ...more], {
    env: environment(home),
    cwd: where,
  });
  expect({ code, err: code ? err : "" }).toEqual({ code: 0, err: "" });
  const [{ filename, unpackedSize, files }] = JSON.parse(out.slice(out.indexOf("["))) as [
    { filename: string; unpackedSize: number; files: { path: string; mode: number }[] },
  ];
  const path = join(home, filename);
  return { path, unpackedSize, files, digest: createHash("sha512").update(readFileSync(path)).digest("hex") };
}

let packed: ReturnType<typeof pack> | undefined;

/** Packs what is built here, once. Without scripts: they would build dist again while other tests run it. */
function packHere() {
  packed ??= pack(root, "--ignore-scripts");
  return packed;
}

/** Copies the source, with everything that a build needs. */
function elsewhere(): string {
  const place = join(directory(), "a place with another name");
  mkdirSync(place);
  const { bundled } = JSON.parse(readFileSync(join(root, "dist/parts.json"), "utf8")) as { bundled: string[] };
  const esbuild = readdirSync(join(root, "node_modules/@esbuild")).map((name) => `node_modules/@esbuild/${name}`);
  const listed = (manifest.files as string[]).filter((name) => !/^!|^dist$|^THIRD/.test(name));
  const needed = ["package.json", "tsconfig.json", "README.md", "LICENSE", "src", "scripts", ...listed];
  const packages = [...bundled.filter((path) => !/node_modules.*node_modules/.test(path)), "node_modules/esbuild"];
  for (const path of [...needed, ...packages, ...esbuild])
    if (existsSync(join(root, path))) cpSync(join(root, path), join(place, path), { recursive: true });
  return place;
}

test("two builds in two directories give the same package", async () => {
  const place = elsewhere();
  const [one, other] = await Promise.all([packHere(), pack(place)]);
  expect(other.files).toEqual(one.files);
  expect(other.digest).toBe(one.digest);
}, 120_000);

test("the package has exactly the files that it refers to", async () => {
  const { files } = await packHere();
  const paths = files.map(({ path }) => path);
  const kinds = paths.map((path) =>
    path
      .replace(/^dist\/part-[0-9A-Z]{8}\.js$/, "dist/part-*.js")
      .replace(/^dist\/verbs-[a-z-]+\.js$/, "dist/verbs-*.js"),
  );
  const { files: places } = JSON.parse(readFileSync(join(root, "dist/parts.json"), "utf8"));
  // The loader contains the parts of places.js.
  const opened = new Set(Object.values<string>(places).filter((file) => file !== "places.js"));
  // Pictures are only for pages that are read on the web.
  const named = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .map((name) => `${folder}/${name}`);
  expect([...new Set(kinds)].sort()).toEqual(
    [
      ...["CHANGELOG.md", "LICENSE", "README.md", "REFERENCE.md", "SECURITY.md", "THIRD-PARTY-NOTICES", "package.json"],
      ...["bin/node-version.js", "bin/zulipctl.js"],
      ...["jq-worker.cjs", "keychain-child.cjs", "load.cjs", "complete.js", "sandbox.js", "start.js"].map(
        (name) => `dist/${name}`,
      ),
      ...["api.js", "commands.js", "http.js", "organization.js", "snapshot.js", "verbs-*.js"].map(
        (name) => `dist/${name}`,
      ),
      ...["work.js", "package.json", "llhttp.wasm", "llhttp_simd.wasm", "part-*.js"].map((name) => `dist/${name}`),
      ...["LICENSE", "jq.js", "jq.wasm", "package.json"].map((name) => `dist/jq-web/${name}`),
      ...[...named("completions"), ...named("docs"), ...named("docs/action"), ...named("man")],
    ].sort(),
  );
  // Every file is opened by some code.
  expect(
    paths
      .filter((path) => /^dist\/[\w-]+\.js$/.test(path) && path !== "dist/complete.js")
      .map((path) => path.slice(5))
      .sort(),
  ).toEqual([...opened].sort());
  expect(files.filter(({ mode }) => mode & 0o111).map(({ path }) => path)).toEqual(["bin/zulipctl.js"]);
  for (const path of [...manifest.man, ...Object.values(manifest.bin)]) expect(paths).toContain(path);
  expect([...manifest.man].sort()).toEqual(named("man").sort());
});

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
  const { path: tarball, unpackedSize, files } = await packHere();
  // The keychain package, 3.4 MiB, is installed beside it. Runs, jobs, the judgment of effects and its guards took 0.5 MiB.
  expect(unpackedSize).toBeLessThan((12.6 - 3.4) * 1024 * 1024);
  expect(files.filter(({ path }) => /\.map$|^src\/|^test\//.test(path))).toEqual([]);
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["LICENSE", "THIRD-PARTY-NOTICES", "REFERENCE.md", "docs/batch.md"]));
  // Its only dependency comes from a registry. Without it, everything but the keychain works.
  await npm(["install", "--global", "--prefix", prefix, "--offline", "--omit=optional", tarball], home);
  expect(readdirSync(join(prefix, "bin"))).toEqual(["zulipctl"]);
  expect(readdirSync(join(prefix, "share/man/man1")).sort()).toEqual(readdirSync("man").sort());

  const env = { ...environment(home), PATH: `${join(prefix, "bin")}:${dirname(process.execPath)}:/usr/bin:/bin` };
  const zulipctl = (...words: string[]) => run(["zulipctl", ...words], { env, cwd: "/" });
  expect(await zulipctl("--version")).toMatchObject({ code: 0, out: `${manifest.version}\n` });
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

/** The package has only necessary files, and the same bytes wherever it is built. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { environment, run } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

async function pack(where: string, ...more: string[]) {
  const home = directory();
  const { code, out, err } = await run(["npm", "pack", "--json", "--pack-destination", home, ...more], {
    env: environment(home),
    cwd: where,
  });
  expect({ code, err: code ? err : "" }).toEqual({ code: 0, err: "" });
  const [{ filename, files }] = JSON.parse(out.slice(out.indexOf("["))) as [
    { filename: string; files: { path: string; mode: number }[] },
  ];
  return {
    files,
    digest: createHash("sha512")
      .update(readFileSync(join(home, filename)))
      .digest("hex"),
  };
}

let packed: ReturnType<typeof pack> | undefined;

/** Packs what is built here, once. */
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

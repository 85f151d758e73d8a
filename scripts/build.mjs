// Bundles src into dist: `start.js`, of which every command needs a part, and files that are opened on demand.
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { build, transform } from "esbuild";

const require = createRequire(import.meta.url);
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const out = "dist";
const node = { platform: "node", target: "node20.19" };

// esbuild splits ES modules only, and Node starts CommonJS faster: split first, and turn the parts into CommonJS after.
const { outputFiles, metafile } = await build({
  entryPoints: { main: "src/node/start.ts" },
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  outdir: out,
  chunkNames: "part-[hash]",
  format: "esm",
  ...node,
  external: ["@napi-rs/keyring"],
  define: { ZULIPCTL_VERSION: JSON.stringify(version) },
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "warning",
});

/** Bytes of libraries from which on a part is not worth reading before it is wanted. */
const large = 20_000;

/**
 * The file that a part lies in. Opening a file costs as much as reading twenty small parts, so all that is ours lies
 * together; a large library, and the sandbox, are opened when they are wanted.
 */
function fileOf({ path }) {
  const inputs = Object.entries(metafile.outputs[`${out}/${basename(path)}`].inputs);
  if (inputs.some(([name]) => name.startsWith("src/sandbox/"))) return "sandbox.js";
  const libraries = inputs.filter(([name]) => name.includes("node_modules/") && !/commander|valibot/.test(name));
  const bytes = libraries.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return bytes < large ? "start.js" : basename(path);
}

/** A part as a function, which is called when the part is first wanted. */
async function part({ path, text }) {
  const { code } = await transform(text, {
    ...node,
    format: "cjs",
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "here.url" },
  });
  return `${JSON.stringify(`./${basename(path)}`)}(module, exports, require) {\n${code}}`;
}

/** Gives a part by its name, from this file or another; everything else is Node's to find. */
const load = (files) => `
const files = ${JSON.stringify(files)};
const loaded = new Map();
function load(name) {
  const before = loaded.get(name);
  if (before) return before.exports;
  const define = parts[name] ?? (files[name] && require(files[name])[name]);
  if (!define) return require(name);
  const module = { exports: {} };
  loaded.set(name, module);
  define(module, module.exports, load);
  return module.exports;
}
exports.start = () => load("./main.js").start();
`;

const files = {};
for (const file of outputFiles) {
  const name = fileOf(file);
  files[name] = [...(files[name] ?? []), file];
}
const elsewhere = Object.entries(files).flatMap(([name, parts]) =>
  name === "start.js" ? [] : parts.map(({ path }) => [`./${basename(path)}`, `./${name}`]),
);
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
// The dispatcher's own package.json: the project's parts are CommonJS whatever stands above them.
await writeFile(join(out, "package.json"), '{"type":"commonjs"}\n');
for (const [name, inside] of Object.entries(files)) {
  const parts = (await Promise.all(inside.map(part))).join(",\n");
  const here = 'const here = { get url() { return require("node:url").pathToFileURL(__filename).href; } };\n';
  const text =
    name === "start.js"
      ? `"use strict";\n${here}const parts = {\n${parts}};\n${load(Object.fromEntries(elsewhere))}`
      : `"use strict";\n${here}module.exports = {\n${parts}};\n`;
  await writeFile(join(out, name), text);
}
await copyFile(join(dirname(require.resolve("jq-web/package.json")), "jq.wasm"), join(out, "jq.wasm"));
await copyFile("src/node/keychain-child.cjs", join(out, "keychain-child.cjs"));

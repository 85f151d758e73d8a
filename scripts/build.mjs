// Bundles src into dist: CommonJS files that load each other on demand.
// esbuild splits ES modules only, and Node starts CommonJS faster, so the parts are split first and turned into CommonJS after.
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build, transform } from "esbuild";

const require = createRequire(import.meta.url);
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const out = "dist";

const { outputFiles } = await build({
  entryPoints: { start: "src/node/start.ts" },
  bundle: true,
  splitting: true,
  write: false,
  outdir: out,
  chunkNames: "part-[hash]",
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: ["@napi-rs/keyring"],
  define: { ZULIPCTL_VERSION: JSON.stringify(version) },
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "warning",
});

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
// The dispatcher's own package.json: the project's parts are CommonJS whatever stands above them.
await writeFile(join(out, "package.json"), '{"type":"commonjs"}\n');
for (const { path, text } of outputFiles) {
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node20.19",
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "importMetaUrl" },
    banner: text.includes("import.meta.url")
      ? 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;'
      : undefined,
  });
  await writeFile(path, code);
}
// jq runs in a thread, whose program is a file of its own; it looks for its WebAssembly beside itself.
const jq = dirname(require.resolve("jq-web/package.json"));
await mkdir(join(out, "jq-web"));
for (const file of ["jq.js", "jq.wasm", "package.json", "LICENSE"])
  await copyFile(join(jq, file), join(out, "jq-web", file));
await copyFile("src/node/keychain-child.cjs", join(out, "keychain-child.cjs"));

// Bundles bench, and runs it on the built program.
import "./node-version.cjs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundling, withDirectory } from "./bundled.mjs";
import { slimUndici } from "./slim-undici.mjs";

const only = process.argv.splice(2);
await import("./build.mjs");
const root = join(import.meta.dirname, "..");
const parsers = new Map();

/** Builds without the judgment of what changes do, to measure what it costs. */
const unjudged = {
  name: "unjudged",
  setup({ onLoad }) {
    onLoad({ filter: /src[/\\]effects[/\\]judge\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text.replace(/export const hasImpacts =[^;]*;/, "export const hasImpacts = () => false;");
      if (contents === text) throw new Error(`${path} has no hasImpacts`);
      return { contents, loader: "ts" };
    });
  },
};

const undici = slimUndici(
  parsers,
  (name) => `require("node:fs").readFileSync(__dirname + ${JSON.stringify(`/${name}`)})`,
);
const program = {
  entryPoints: [join(root, "bench/program.ts")],
  ...bundling,
  external: ["@napi-rs/keyring"],
  define: {
    ZULIPCTL_VERSION: '"0.0.0"',
    ZULIPCTL_TREE: '"[]"',
    ZULIPCTL_VOCABULARY: '"{}"',
    "import.meta.url": "programUrl",
  },
  banner: { js: 'const programUrl = require("node:url").pathToFileURL(__filename).href;' },
  plugins: [undici],
};

await withDirectory(async (directory) => {
  await build({
    entryPoints: ["main", "peer", "bare", "many", "necessary", "yaml"].map((name) => join(root, "bench", `${name}.ts`)),
    ...bundling,
    outdir: directory,
    plugins: [undici],
  });
  await build({ ...program, outfile: join(directory, "judged.js") });
  await build({ ...program, outfile: join(directory, "unjudged.js"), plugins: [...program.plugins, unjudged] });
  for (const [name, bytes] of parsers) await writeFile(join(directory, name), bytes);
  for (const name of ["minimal.mjs", "folder.mjs", "client.py"])
    await copyFile(join(root, "bench", name), join(directory, name));
  const { default: main } = await import(pathToFileURL(join(directory, "main.js")).href);
  await main.bench(root, directory, only);
});

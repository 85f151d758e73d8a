// Bundles src into dist: `start.js` for every command, and files that are opened on demand. `src/node/loader/load.cjs`
// opens them, and `src/node/loader/compiled.cjs` keeps them compiled. Split ES modules, which
// esbuild makes by itself, would take half as long again. `slim-undici.mjs` saves 29 ms and 7 MiB of a list.
// `--modules <directory>` makes a bundle for tests, which can load every module of src by its path.
import "./node-version.cjs";
import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build, transform } from "esbuild";
import { inlined } from "./bundled.mjs";
import { bundleLoader } from "./loader.mjs";
import { notices, packagesOf } from "./notices.mjs";
import { slimUndici } from "./slim-undici.mjs";
import { withExports } from "./with-exports.mjs";

const require = createRequire(import.meta.url);
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const { modules } = parseArgs({ options: { modules: { type: "string" } } }).values;
const out = modules ?? "dist";
const node = { platform: "node", target: "node20.19" };

const parsers = new Map();

const sources = modules === undefined ? [] : await readdir("src", { recursive: true });
/** `src/output/print.ts` is `src.output.print`. */
const singly = sources
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
  .map((path) => [`src.${path.slice(0, -3).replaceAll(/[/\\]/g, ".")}`, join("src", path)]);

const inJson = (value) => JSON.stringify(JSON.stringify(value));

/** Returns the command tree and the words for completion as data, so that completion makes no commands. */
async function completionData() {
  const whole = `import { vocabulary } from "./src/cli/completion/vocabulary.ts";
import { wholeTree } from "./src/cli/completion/tree.ts";
import { registry } from "./src/commands/nouns.ts";
import { Shell } from "./src/run/shell.ts";
const nouns = registry(new Shell({}, async () => 0));
export { vocabulary };
export const tree = await wholeTree(nouns);`;
  const file = resolve(out, "completion.mjs");
  await build({
    stdin: { contents: whole, resolveDir: "." },
    bundle: true,
    loader: inlined,
    packages: "external",
    format: "esm",
    outfile: file,
    ...node,
  });
  const { tree, vocabulary } = await import(pathToFileURL(file).href);
  await rm(file);
  // Strings, since esbuild would write other values into every part.
  return { ZULIPCTL_TREE: inJson(tree), ZULIPCTL_VOCABULARY: inJson(vocabulary) };
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const data = await completionData();

// esbuild splits only ES modules, and Node starts CommonJS faster. So the split parts become CommonJS afterwards.
const { outputFiles, metafile } = await build({
  entryPoints: { main: "src/node/start.ts", places: "src/node/directories.ts", ...Object.fromEntries(singly) },
  bundle: true,
  loader: inlined,
  splitting: true,
  write: false,
  metafile: true,
  outdir: out,
  chunkNames: "part-[hash]",
  format: "esm",
  ...node,
  external: ["@napi-rs/keyring"],
  define: { ZULIPCTL_VERSION: JSON.stringify(version), ...data },
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "warning",
  plugins: [slimUndici(parsers, (name) => `here.build.read(${JSON.stringify(name)})`)],
});

for (const [path, { imports }] of Object.entries(metafile.inputs))
  for (const { kind, path: imported } of imports)
    if (kind === "dynamic-import" && metafile.inputs[imported]?.format === "cjs")
      throw new Error(`${path} imports ${imported} lazily: of CommonJS the bundle would give it no names`);

/** Each part by its file name: its sources, and the parts that it loads at once. */
const made = new Map(
  Object.entries(metafile.outputs).map(([path, { entryPoint, inputs, imports }]) => [
    basename(path),
    {
      entryPoint,
      inputs: Object.entries(inputs),
      needs: imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path)),
    },
  ]),
);

/** Returns a part and all parts that are loaded with it. */
function closure(name, found = new Set()) {
  if (found.has(name) || !made.has(name)) return found;
  found.add(name);
  for (const needed of made.get(name).needs) closure(needed, found);
  return found;
}

const partOf = (source) => [...made].find(([, { entryPoint }]) => entryPoint === source)[0];
const partWith = (source) => [...made].find(([, { inputs }]) => inputs.some(([input]) => input === source))[0];

/** Reads command lines, with help and completion. */
const starting = closure("main.js");
/** Prints errors. In memory from the start, since the program may be replaced or removed while it runs. */
const reporting = new Set(
  ["src/output/error.ts", "src/output/color.ts"].flatMap((source) => [...closure(partOf(source))]),
);
/** Finds the compiled files. It is part of the loader. */
const places = "places.js";
const placing = closure(places);
/** Needed by nearly every command. The change log is in memory with it, like the code for errors. */
const working = new Set(
  [
    ...["src/run/perform.ts", "src/credentials/accounts.ts", "src/output/print.ts", "src/node/http.ts"],
    ...["src/log/change-log.ts", "src/node/rolling.ts", "src/node/process-name.ts", "src/resolve/saved-names.ts"],
  ].flatMap((source) => [...closure(partOf(source))]),
);

/** Makes the flags and arguments of verbs. */
const verbMakers = new Set(
  [
    "src/cli/verb.ts",
    "src/cli/value-parameters.ts",
    "src/cli/thing-parameters.ts",
    "src/cli/verbs-with-code.ts",
  ].flatMap((source) => [...closure(partWith(source))]),
);
/** Makes connections. */
const connecting = closure(partOf("src/node/http.ts"));
/** Reads an organization file and compares it. */
const planning = new Set(
  ["src/commands/org/plan.ts", "src/organization/read-document.ts"].flatMap((source) => [...closure(partOf(source))]),
);

const isNoun = /^src\/commands\/[\w-]+\.ts$/;
const verbs = [...made].filter(([, { entryPoint = "" }]) => /^src\/commands\/[\w-]+\//.test(entryPoint));
const needs = verbs.map(([verb]) => closure(verb));
/** Returns whether more than one of so many verbs loads a part at once. */
const isCommon = (name, among) => needs.filter((names) => names.has(name)).length * among > verbs.length;
const nounNeeds = [...made].filter(([, { entryPoint = "" }]) => isNoun.test(entryPoint)).map(([noun]) => closure(noun));
/** Returns whether so many nouns load a part at once: help needs nothing of other commands. */
const isInHelpOf = (name, nouns) => nounNeeds.filter((names) => names.has(name)).length >= nouns;

/** A part with so many bytes of libraries gets a file of its own. */
const large = 20_000;

/**
 * Returns the file of a part. Opening a file takes 0.2 ms, as long as reading 200 KB of compiled code without calls, or 10 KB
 * of other code. So parts that are used together share a file, and rarely used parts have their own.
 */
function fileOf({ path }) {
  const name = basename(path);
  const { entryPoint = "", inputs } = made.get(name);
  if (placing.has(name)) return places;
  if (starting.has(name) || reporting.has(name)) return "start.js";
  // With its verbs, so that commands load no other nouns.
  if (isNoun.test(entryPoint)) return `verbs-${basename(entryPoint, ".ts")}.js`;
  const paths = inputs.map(([input]) => input);
  const within = (folder) => paths.every((input) => input.startsWith(folder));
  if (paths.some((input) => input.startsWith("src/sandbox/"))) return "sandbox.js";
  const libraries = inputs.filter(([input]) => input.includes("node_modules/") && !input.includes("/valibot/"));
  const bytes = libraries.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  if (bytes >= large) return connecting.has(name) ? "http.js" : name;
  const isWork = working.has(name) || isCommon(name, 4);
  if (verbMakers.has(name) || isInHelpOf(name, isWork || planning.has(name) ? 1 : 3)) return "commands.js";
  if (isWork) return "work.js";
  if (paths.length && within("src/api/")) return "api.js";
  if (planning.has(name)) return isCommon(name, 10) ? "snapshot.js" : "organization.js";
  const noun = /^src\/commands\/([\w-]+)\//.exec(paths.at(-1) ?? "")?.[1];
  return noun && within(`src/commands/${noun}/`) ? `verbs-${noun}.js` : name;
}

/** Returns a part as a function, which is called when the part is first used. */
async function part({ path, text: module }) {
  const { code } = await transform(module, {
    ...node,
    format: "cjs",
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "here.url", "import.meta.build": "here.build" },
  });
  const { inputs } = made.get(basename(path));
  const sizeOf = (all) => all.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  const libraries = inputs.filter(([input]) => input.includes("node_modules/"));
  // Stack traces show the project's own code, so that keeps its lines, unless it is the smaller part: the sandbox.
  const isMostlyLibrary = sizeOf(libraries) * 2 > sizeOf(inputs);
  const text = isMostlyLibrary
    ? (await transform(withExports(code), { minifyWhitespace: true })).code
    : withExports(code);
  return `${JSON.stringify(`./${basename(path)}`)}(module, exports, require, here) {\n${text}}`;
}

const files = {};
for (const file of outputFiles) {
  const name = fileOf(file);
  files[name] = [...(files[name] ?? []), file];
}
// The parts are CommonJS, whatever the package.json above says.
await writeFile(join(out, "package.json"), '{"type":"commonjs"}\n');
const content = createHash("sha256");
let loading;
for (const [name, inside] of Object.entries(files)) {
  // For `require`, and for a script that evaluates to it. A wrapper would copy the text.
  const whole = `{\n${(await Promise.all(inside.map(part))).join(",\n")}}`;
  if (name === places) {
    loading = whole;
    continue;
  }
  const text = `"use strict";\n(typeof module === "object" ? module : {}).exports = ${whole};\n`;
  // esbuild does not escape regular expressions and comments. One such character makes V8 store the file with two bytes a
  // character, and reading it takes four times as long.
  if (/\\[^\0-\x7F]/.test(text)) throw new Error(`${name} escapes a character that is not ASCII`);
  const ascii = text.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  content.update(ascii);
  await writeFile(join(out, name), ascii);
}

const completing = await build({
  entryPoints: { complete: "src/node/complete.ts" },
  bundle: true,
  loader: inlined,
  outdir: out,
  format: "cjs",
  define: data,
  metafile: true,
  ...node,
});
const fileOfPart = Object.fromEntries(
  Object.entries(files).flatMap(([file, inside]) => inside.map(({ path }) => [`./${basename(path)}`, file])),
);
await bundleLoader(join(out, "load.cjs"), {
  files: fileOfPart,
  version: `${version}-${content.digest("hex").slice(0, 16)}`,
  places: loading,
});
// A worker thread loads it by its path, so it is not bundled.
const jq = dirname(require.resolve("jq-web/package.json"));
await mkdir(join(out, "jq-web"));
for (const file of ["package.json", "LICENSE", "jq.js", "jq.wasm"]) {
  await copyFile(join(jq, file), join(out, "jq-web", file));
  await chmod(join(out, "jq-web", file), 0o644);
}
const bundled = packagesOf([
  ...[metafile, completing.metafile].flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  ),
  join(jq, "jq.js"),
]);
// For the bill of materials, and for tests of loaded parts. Not in the package.
await writeFile(
  join(out, "parts.json"),
  JSON.stringify({
    files: fileOfPart,
    parts: Object.fromEntries([...made].map(([name, { inputs }]) => [`./${name}`, inputs.map(([path]) => path)])),
    bundled: [...new Set(bundled.map((directory) => relative(".", directory)))].sort(),
  }),
);
if (modules === undefined) await writeFile("THIRD-PARTY-NOTICES", await notices(bundled));
// A test imports a module of src by these.
for (const [name] of singly) {
  const { exports } = metafile.outputs[relative(".", join(out, `${name}.js`))];
  const lines = exports.map((each) => `export const ${each} = whole.${each};\n`).join("");
  await writeFile(
    join(out, `${name}.mjs`),
    `import { createRequire } from "node:module";\nconst whole = createRequire(import.meta.url)("./load.cjs").load("./${name}.js");\n${lines}`,
  );
}
for (const [file, bytes] of parsers) await writeFile(join(out, file), bytes);
await copyFile("src/node/keychain-child.cjs", join(out, "keychain-child.cjs"));
await copyFile("src/output/jq-worker.cjs", join(out, "jq-worker.cjs"));

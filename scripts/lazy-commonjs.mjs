// Gives CommonJS packages that are imported with `import(…)` the same exports as in Node.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve as absolute, dirname, extname, join, relative } from "node:path";

const require = createRequire(import.meta.url);
const namespace = "lazy-commonjs";

/** Decides like Node: by the ending of a file, else by the package.json above it. */
function isCommonJs(path) {
  if (extname(path) !== ".js") return extname(path) === ".cjs";
  let directory = dirname(path);
  while (!existsSync(join(directory, "package.json"))) directory = dirname(directory);
  return JSON.parse(readFileSync(join(directory, "package.json"), "utf8")).type !== "module";
}

const isName = (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default" && name !== "module";

/**
 * An esbuild plugin. Without it the bundle of such a package exports only `default`, and
 * `const { name } = await import("package")` gives undefined.
 */
export const lazyCommonJs = {
  name: namespace,
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^[^.]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== "dynamic-import" || pluginData === namespace || path.startsWith("node:")) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: namespace });
      if (found.errors.length || found.external || !isCommonJs(found.path)) return undefined;
      // Names of parts come from paths. Relative paths are the same in every directory.
      return { path: relative(".", found.path).replaceAll("\\", "/"), namespace };
    });
    onLoad({ filter: /.*/, namespace }, (found) => {
      const path = absolute(found.path);
      const names = Object.keys(require(path)).filter(isName);
      return {
        resolveDir: dirname(path),
        contents: [
          `const whole = require(${JSON.stringify(path)});`,
          "export default whole;",
          ...names.map((name, n) => `const name${n} = whole[${JSON.stringify(name)}];`),
          names.length ? `export { ${names.map((name, n) => `name${n} as ${name}`).join(", ")} };` : "",
        ].join("\n"),
      };
    });
  },
};

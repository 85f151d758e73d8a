/** Lets tests run on what the build makes of the source: a bundle can differ from the source it was made of. */
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vite";

const root = join(import.meta.dirname, "..");
/** Made by `test/build.ts`, with the parts of the program and every module of src. */
export const modules = join(root, "node_modules/.cache/zulipctl-modules");
const mark = "\0built:";

/** Whatever a test imports from src comes from the bundle. */
export const fromTheBuild = (): Plugin => ({
  name: "from-the-build",
  enforce: "pre",
  resolveId(source, importer) {
    if (!importer || !source.startsWith(".")) return undefined;
    const path = relative(root, resolve(dirname(importer), source));
    return path.startsWith("src/") ? mark + path : undefined;
  },
  load(id) {
    if (!id.startsWith(mark)) return undefined;
    const part = `./${id.slice(mark.length, -".ts".length).replaceAll("/", ".")}.js`;
    const loader = join(modules, "load.cjs");
    const names = Object.keys(createRequire(loader)(loader).load(part));
    return [
      'import { createRequire } from "node:module";',
      `const whole = createRequire(${JSON.stringify(loader)})(${JSON.stringify(loader)}).load(${JSON.stringify(part)});`,
      ...names.map((name) => `export const ${name} = whole.${name};`),
    ].join("\n");
  },
});

/** Lets tests run on what the build makes of the source: a bundle can differ from the source it was made of. */
import { join, relative } from "node:path";
import type { Plugin } from "vite";

const root = join(import.meta.dirname, "..");
/** Made by `test/build.ts`, with the parts of the program and every module of src. */
export const modules = join(root, "node_modules/.cache/zulipctl-modules");

/** Whatever a test imports from src comes from the bundle. */
export const fromTheBuild = (): Plugin => ({
  name: "from-the-build",
  enforce: "pre",
  load(id) {
    const path = relative(root, id).replaceAll("\\", "/");
    if (!path.startsWith("src/") || !path.endsWith(".ts")) return undefined;
    return `export * from ${JSON.stringify(join(modules, `${path.slice(0, -3).replaceAll("/", ".")}.mjs`))};`;
  },
});

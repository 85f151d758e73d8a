// esbuild plugins with replacements for modules that load slowly.

/** Callers of chalk state the number of colors. Detecting it would load modules for terminals, in 4 ms. */
export const levelGiven = {
  name: "level-given",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#supports-color$/ }, ({ path }) => ({ path, namespace: "level-given" }));
    onLoad({ filter: /.*/, namespace: "level-given" }, () => ({
      contents: "export default { stdout: false, stderr: false };",
    }));
  },
};

/** esbuild would copy all exports of `import os from "node:os"`, which takes half a millisecond. */
export const wholeModules = {
  name: "whole-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:(os|path|process)$/ }, ({ path, importer }) =>
      /[\\/]env-paths[\\/]/.test(importer) ? { path, namespace: "whole-modules" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "whole-modules" }, ({ path }) => ({
      contents: `export default ${path === "node:process" ? "process" : `require("${path}")`};`,
    }));
  },
};

// esbuild plugins: what stands in for modules that take longer to load than what is wanted of them.

/** Whoever uses chalk says how many colours there are; finding that out loads what terminals need, for 4 ms. */
export const levelGiven = {
  name: "level-given",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#supports-color$/ }, ({ path }) => ({ path, namespace: "level-given" }));
    onLoad({ filter: /.*/, namespace: "level-given" }, () => ({
      contents: "export default { stdout: false, stderr: false };",
    }));
  },
};

/** `import os from "node:os"` would be a copy of all that the module exports, name by name, which takes half a millisecond. */
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

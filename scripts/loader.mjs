// Bundles the loader of the program's files into one file. Node takes half a millisecond to open a module, and keeps
// nothing compiled.
import { build } from "esbuild";

const namespace = "made";

/** `files` and `version`: for `src/node/loader/load.cjs`. `places`: JavaScript with the parts that find directories. */
export const bundleLoader = (outfile, { files, version, places }) => {
  const made = {
    "./files.json": `module.exports = JSON.parse(${JSON.stringify(JSON.stringify({ files, build: version }))});`,
    "./places.js": `module.exports = ${places};`,
  };
  return build({
    entryPoints: ["src/node/loader/load.cjs"],
    bundle: true,
    outfile,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    logLevel: "warning",
    plugins: [
      {
        name: namespace,
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\.\/(files\.json|places\.js)$/ }, ({ path }) => ({ path, namespace }));
          onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: made[path] }));
        },
      },
    ],
  });
};

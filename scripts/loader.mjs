// Bundles what opens the program's files into one file, with all that it needs: opening a file as a module of Node's
// takes half a millisecond, of which nothing is kept compiled.
import { build } from "esbuild";

const namespace = "made";

/** `files` and `version` are what `src/node/loader/load.cjs` goes by; `places` is JavaScript that gives the parts to find places with. */
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

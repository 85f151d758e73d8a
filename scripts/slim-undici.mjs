// Bundles only a part of undici, for the program and for the bench.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The used part of undici's exports. All of them take 30 ms longer to load. Proxies need one method of dispatchers. */
const index = `
require("./lib/dispatcher/dispatcher").prototype.connect = require("./lib/api/api-connect");
exports.Client = require("./lib/dispatcher/client");
exports.Pool = require("./lib/dispatcher/pool");
exports.buildConnector = require("./lib/core/connect");
Object.defineProperty(exports, "ProxyAgent", { enumerable: true, get: () => require("./lib/dispatcher/proxy-agent") });
`;

/** Modules for HTTP/2 and for bodies of fetch. Loading them takes longer than a request. */
const unused = /undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/;

/**
 * Replacements for modules of Node that undici loads and hardly uses. They save 3 ms. A true assertion needs no module. Of
 * `http` undici uses a limit, which a flag of Node changes, and a class.
 */
const instead = {
  "node:assert": `module.exports = (value, message) => {
    if (!value) require("node:assert")(value, message);
  };`,
  "node:http": `const flags = process.execArgv.join(" ") + " " + process.env.NODE_OPTIONS;
    module.exports = /--max.http.header.size/.test(flags)
      ? require("node:http")
      : { maxHeaderSize: 16384, IncomingMessage: class {} };`,
};

/** undici uses two of the lists of numbers in llhttp. Making all of them takes most of a millisecond. */
function numbers(path) {
  const client = readFileSync(join(dirname(path), "../dispatcher/client-h1.js"), "utf8");
  const used = new Set([...client.matchAll(/\bconstants\.(\w+)/g)].map(([, name]) => name));
  const all = require(path);
  return `module.exports = ${JSON.stringify(Object.fromEntries([...used].map((name) => [name, all[name]])))};`;
}

/**
 * An esbuild plugin. undici's parsers of WebAssembly become files, so that nothing is decoded from base64. `parsers`
 * receives them by name. `read(name)` returns JavaScript that reads one.
 */
export const slimUndici = (parsers, read) => ({
  name: "slim-undici",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:(assert|http)$/ }, ({ path, importer }) =>
      /[\\/]undici[\\/]lib[\\/]/.test(importer) ? { path, namespace: "slim-undici" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "slim-undici" }, ({ path }) => ({ contents: instead[path] }));
    onLoad({ filter: /undici\/index\.js$/ }, () => ({ contents: index }));
    onLoad({ filter: unused }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error(${JSON.stringify(`${basename(path)} is left out of zulipctl`)}); };`,
    }));
    onLoad({ filter: /undici\/lib\/llhttp\/constants\.js$/ }, ({ path }) => ({ contents: numbers(path) }));
    onLoad({ filter: /undici\/lib\/llhttp\/llhttp\w*-wasm\.js$/ }, ({ path }) => {
      const name = `${basename(path, "-wasm.js")}.wasm`;
      parsers.set(name, require(path));
      return { contents: `module.exports = ${read(name)};` };
    });
  },
});

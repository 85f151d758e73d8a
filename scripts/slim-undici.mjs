// What of undici is bundled, for the program and for the bench, which compares the program with the same undici.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** What is used of undici's interface: the whole of it takes 30 ms more to load. A proxy wants one method of dispatchers. */
const index = `
require("./lib/dispatcher/dispatcher").prototype.connect = require("./lib/api/api-connect");
exports.Client = require("./lib/dispatcher/client");
exports.Pool = require("./lib/dispatcher/pool");
exports.buildConnector = require("./lib/core/connect");
Object.defineProperty(exports, "ProxyAgent", { enumerable: true, get: () => require("./lib/dispatcher/proxy-agent") });
`;

/** HTTP/2 is not asked for, and bodies are texts: reading what makes them would take longer than a request. */
const unused = /undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/;

/**
 * What stands in for modules of Node's own that undici loads and hardly uses; loading them takes 3 ms. Who calls `assert`
 * with what holds needs nothing of it. Of `http` undici wants a limit, which Node's flag changes, and a class of which
 * nothing is given to it.
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

/** Of the numbers that llhttp knows, undici wants two lists; making all takes most of a millisecond. */
function numbers(path) {
  const client = readFileSync(join(dirname(path), "../dispatcher/client-h1.js"), "utf8");
  const wanted = new Set([...client.matchAll(/\bconstants\.(\w+)/g)].map(([, name]) => name));
  const all = require(path);
  return `module.exports = ${JSON.stringify(Object.fromEntries([...wanted].map((name) => [name, all[name]])))};`;
}

/**
 * An esbuild plugin. undici's parsers of WebAssembly become files of their own, where they need no decoding from
 * base64: `parsers` receives them by name, and `url(name)` is JavaScript that gives the URL of one.
 */
export const slimUndici = (parsers, url) => ({
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
      return { contents: `module.exports = require("node:fs").readFileSync(${url(name)});` };
    });
  },
});

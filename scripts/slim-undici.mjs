// Bundles only a part of undici, for the program and for the bench.
import { createRequire } from "node:module";
import { basename } from "node:path";

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
 * An esbuild plugin. undici's parsers of WebAssembly become files, so that nothing is decoded from base64. `parsers`
 * receives them by name. `read(name)` returns JavaScript that reads one.
 */
export const slimUndici = (parsers, read) => ({
  name: "slim-undici",
  setup({ onLoad }) {
    onLoad({ filter: /undici\/index\.js$/ }, () => ({ contents: index }));
    onLoad({ filter: unused }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error(${JSON.stringify(`${basename(path)} is left out of zulipctl`)}); };`,
    }));
    onLoad({ filter: /undici\/lib\/llhttp\/llhttp\w*-wasm\.js$/ }, ({ path }) => {
      const name = `${basename(path, "-wasm.js")}.wasm`;
      parsers.set(name, require(path));
      return { contents: `module.exports = ${read(name)};` };
    });
  },
});

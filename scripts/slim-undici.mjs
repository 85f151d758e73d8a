// What of undici is bundled, for the program and for the bench, which compares the program with the same undici.
import { createRequire } from "node:module";
import { basename } from "node:path";

const require = createRequire(import.meta.url);

/** HTTP/2 is not asked for, and bodies are texts: reading what makes them would take longer than a request. */
const unused = /undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/;

/**
 * An esbuild plugin. undici's parsers of WebAssembly become files of their own, where they need no decoding from
 * base64: `parsers` receives them by name, and `url(name)` is JavaScript that gives the URL of one.
 */
export const slimUndici = (parsers, url) => ({
  name: "slim-undici",
  setup({ onLoad }) {
    onLoad({ filter: unused }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error(${JSON.stringify(`${basename(path)} is left out of zulipctl`)}); };`,
    }));
    onLoad({ filter: /undici\/lib\/llhttp\/llhttp\w*-wasm\.js$/ }, ({ path }) => {
      const name = `${basename(path, "-wasm.js")}.wasm`;
      parsers.set(name, require(path));
      return { contents: `module.exports = require("node:fs").readFileSync(${url(name)});` };
    });
  },
});

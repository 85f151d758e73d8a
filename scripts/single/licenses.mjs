// The notices of everything in the executable: Node, the bundled packages and the keychain's library.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keychainLibrary } from "./executable.mjs";
import { cannot } from "./one-line.mjs";

/** Where distributions of Node and packages of Debian put the license. */
function nodeLicense() {
  const directory = dirname(process.execPath);
  const places = [join(directory, "../LICENSE"), join(directory, "LICENSE"), "/usr/share/doc/nodejs/copyright"];
  const found = places.find((place) => existsSync(place));
  return readFileSync(found ?? cannot(`the license of this Node is missing: ${places[0]}`), "utf8");
}

const heading = (text) => `${"=".repeat(80)}\n${text}\n${"=".repeat(80)}\n\n`;

export function thirdPartyNotices() {
  const { name, version } = JSON.parse(readFileSync("node_modules/@napi-rs/keyring/package.json", "utf8"));
  const keyring = readFileSync("node_modules/@napi-rs/keyring/LICENSE", "utf8");
  const inside = readFileSync(join(dirname(keychainLibrary()), "LICENSE.third-party.md"), "utf8");
  return [
    readFileSync("THIRD-PARTY-NOTICES", "utf8"),
    `${heading(`${name} ${version} (MIT)`)}${keyring}\n${inside}`,
    `${heading(`Node ${process.versions.node}`)}${nodeLicense()}`,
  ].join("\n");
}

"use strict";
/**
 * Makes one keychain call in a process of its own: only killing the process ends a call that hangs. It reads JSON from
 * stdin and writes JSON to stdout, so no secret is among the arguments.
 */

const calls = {
  getPassword: (entry) => entry.getPassword(),
  setPassword: (entry, password) => entry.setPassword(password),
  deletePassword: (entry) => entry.deletePassword(),
};

function answer({ call, service, account, password }) {
  let keyring;
  try {
    keyring = require("@napi-rs/keyring");
  } catch (error) {
    return { missing: error.message };
  }
  try {
    // Without the store, the kernel's keyring would replace a missing Secret Service. Cron jobs cannot read it, and a
    // restart empties it.
    const entry = new keyring.Entry(service, account, { linux: { store: "secret-service" } });
    return { value: calls[call](entry, password) ?? null };
  } catch (error) {
    return { failure: error.message };
  }
}

let text = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (piece) => {
  text += piece;
});
process.stdin.on("end", () => process.stdout.write(JSON.stringify(answer(JSON.parse(text)))));

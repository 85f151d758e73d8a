"use strict";
/**
 * One keychain call in a process of its own: a call that hangs can be ended in no other way than by killing it.
 * Takes one JSON document on stdin and answers with one on stdout, so that no secret stands among the arguments.
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
    // Without a store named, the kernel's keyring would stand in where no Secret Service runs: a cron job cannot read
    // that, and a restart empties it.
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

/** Command lines that cannot be made out: one line that names the flag or argument, and one that helps. */
import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

test.each([
  ["channel update", "channel update needs <channel>", "See: zulipctl channel update --help"],
  ["linkifier add x", "linkifier add needs <url-template>", "See: zulipctl linkifier add --help"],
  ["linkifier add x y z", "linkifier add takes 2 arguments; “z” is one too many", "See: zulipctl linkifier add --help"],
  ["folder create x y", "folder create takes one argument; “y” is one too many", "See: zulipctl folder create --help"],
  ["users list ada", "users list takes no argument; “ada” is one too many", "See: zulipctl users list --help"],
  ["apns register --token x", "apns register needs --appid <id>", "See: zulipctl apns register --help"],
  ["users list --ids", "--ids <user,...> lacks its value", "See: zulipctl users list --help"],
  ["users list --rol guest", "unknown flag --rol", "Did you mean --role?"],
  ["channel update x --desc y", "unknown flag --desc", "Did you mean --description?"],
  ["channel update x --arch", "unknown flag --arch", "See: zulipctl channel update --help"],
  ["users list --frobnicate", "unknown flag --frobnicate", "See: zulipctl users list --help"],
  ["--frobnicate", "unknown flag --frobnicate", "See: zulipctl --help"],
  [
    "users list -o jsn",
    "--output is one of table, json, ndjson, csv, tsv, yaml, ids, none, not “jsn”",
    "Did you mean json?",
  ],
  ["completion tcsh", "<shell> is one of bash, zsh, fish, not “tcsh”", "Did you mean bash or fish?"],
  ["export create --type full", "--type is one of public, standard, not “full”", "See: zulipctl export create --help"],
  [
    "users list --timeout soon",
    "--timeout must be a number of seconds above zero, not “soon”",
    "See: zulipctl users list --help",
  ],
  [
    "users list --feature-level x",
    "--feature-level must be a whole number, not “x”",
    "See: zulipctl users list --help",
  ],
  ["usres list", "unknown command “usres”", "Did you mean users?"],
  ["help", "unknown command “help”", "Did you mean zulipctl --help?"],
  ["login", "unknown command “login”", "Did you mean auth login?"],
  ["rm 7", "unknown command “rm”", "Did you mean profile rm or attachment rm?"],
  ["list users", "unknown command “list”", "See: zulipctl --help"],
  ["users lst", "unknown command “users lst”", "Did you mean list?"],
  ["users purge", "unknown command “users purge”", "There are: list"],
])("%s", async (line, message, hint) => {
  const { code, out, err, sent } = await zulipctl(line.split(" "));
  expect({ code, out, err, sent }).toEqual({ code: 2, out: "", err: `zulipctl: ${message}\n${hint}\n`, sent: [] });
});

/** Command lines that cannot be made out: one line that names the flag or argument, and one that helps. */
import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

test.each([
  ["channel update", "channel update needs <channel>", "See: zulipctl channel update --help"],
  ["linkifier add x", "linkifier add needs <url-template>", "See: zulipctl linkifier add --help"],
  ["linkifier add x y z", 'linkifier add takes 2 arguments; "z" is one too many', "See: zulipctl linkifier add --help"],
  ["folder create x y", 'folder create takes one argument; "y" is one too many', "See: zulipctl folder create --help"],
  ["users list ada", 'users list takes no argument; "ada" is one too many', "See: zulipctl users list --help"],
  ["apns register --token x", "apns register needs --appid <id>", "See: zulipctl apns register --help"],
  ["users list --ids", "--ids <user,...> lacks its value", "See: zulipctl users list --help"],
  ["users list --rol guest", "unknown flag --rol", "Did you mean --role?"],
  ["channel update x --desc y", "unknown flag --desc", "Did you mean --description?"],
  ["channel update x --arch", "unknown flag --arch", "See: zulipctl channel update --help"],
  ["users list --frobnicate", "unknown flag --frobnicate", "See: zulipctl users list --help"],
  ["--frobnicate", "unknown flag --frobnicate", "See: zulipctl --help"],
  [
    "users list -o jsn",
    '--output is one of table, json, ndjson, csv, tsv, yaml, ids, none, not "jsn"',
    "Did you mean json?",
  ],
  ["completion tcsh", 'unknown command "completion tcsh"', "Did you mean bash or fish?"],
  ["export create --type full", '--type is one of public, standard, not "full"', "See: zulipctl export create --help"],
  [
    "users list --timeout soon",
    '--timeout must be a number of seconds above zero, not "soon"',
    "See: zulipctl users list --help",
  ],
  [
    "users list --feature-level x",
    '--feature-level must be a whole number, not "x"',
    "See: zulipctl users list --help",
  ],
  ["usres list", 'unknown command "usres"', "Did you mean users?"],
  ["version", 'unknown command "version"', "Did you mean zulipctl --version?"],
  ["server update x --role admin", 'unknown command "server update"', "There are: info."],
  [
    "users update cora@x --role admin",
    '--role is one of owner, administrator, moderator, member, guest, not "admin"',
    "See: zulipctl users update --help",
  ],
  ["chanel create x --private", 'unknown command "chanel"', "Did you mean channel?"],
  ["chanel --help", 'unknown command "chanel"', "Did you mean channel?"],
  ["users lst -o jsn --timeout soon", 'unknown command "users lst"', "Did you mean list?"],
  ["users --quiet --frob lst", "unknown flag --frob", "See: zulipctl users --help"],
  ["help chanel update", 'unknown command "chanel"', "Did you mean channel?"],
  ["channel list -f", "unknown flag -f", "See: zulipctl channel list --help"],
  ["channel list --json=yes", "--json takes no value", "See: zulipctl channel list --help"],
  ["channel list --- x", "unknown flag ---", "See: zulipctl channel list --help"],
  [
    "--archived channel list",
    "unknown flag --archived before the command",
    "It goes behind it: channel list --archived",
  ],
  ["login", 'unknown command "login"', "Did you mean auth login?"],
  ["reorder 7", 'unknown command "reorder"', "Did you mean folder reorder or linkifier reorder?"],
  ["list users", 'unknown command "list"', "See: zulipctl --help"],
  ["users lst", 'unknown command "users lst"', "Did you mean list?"],
  ["server purge", 'unknown command "server purge"', "There are: info."],
])("%s", async (line, message, hint) => {
  const { code, out, err, sent } = await zulipctl(line.split(" "));
  expect({ code, out, err, sent }).toEqual({ code: 2, out: "", err: `zulipctl: ${message}\n${hint}\n`, sent: [] });
});

test("a text in place of a flag is not repeated", async () => {
  const { code, err } = await zulipctl(["folder", "create", "-- a secret"]);
  expect({ code, err }).toEqual({
    code: 2,
    err: "zulipctl: a word begins with -- and is no flag\nWhat is no flag goes behind --.\n",
  });
});

const secret = "hunter2";

test.each([
  [`users list --password=${secret}`, "unknown flag --password", "See: zulipctl users list --help"],
  [`users list --password ${secret}`, "unknown flag --password", "See: zulipctl users list --help"],
  [`users --password ${secret} list`, "unknown flag --password", "See: zulipctl users list --help"],
  [`--password ${secret} users list`, "unknown flag --password", "See: zulipctl users list --help"],
  [`--password ${secret}`, "unknown flag --password", "See: zulipctl --help"],
  [`--api-key=${secret}`, "unknown flag --api-key", "See: zulipctl --help"],
  [`users list -k${secret}`, "unknown flag -k", "See: zulipctl users list --help"],
  [`users list -qk${secret}`, "unknown flag -k", "See: zulipctl users list --help"],
  [`fetch-key --passwrd-stdin=${secret}`, "unknown flag --passwrd-stdin", "Did you mean --password-stdin?"],
  [`fetch-key --password-stdin=${secret}`, "--password-stdin takes no value", "See: zulipctl fetch-key --help"],
  [`fetch-key --password ${secret}`, "unknown flag --password", "Did you mean --password-stdin?"],
  [
    `users list -p${secret}`,
    "--profile: there is no profile of that name",
    "Make one with: zulipctl fetch-key --site <url>",
  ],
  [
    `users list -p ${secret}`,
    "--profile: there is no profile of that name",
    "Make one with: zulipctl fetch-key --site <url>",
  ],
  [`fetch-key ${secret}`, "fetch-key takes no argument; there is one too many", "See: zulipctl fetch-key --help"],
])("%s keeps to itself what may be a password", async (line, message, hint) => {
  const words = line.split(" ");
  const told = await zulipctl([...words, "--verbose"]);
  expect(told).toMatchObject({ code: 2, out: "", err: `zulipctl: ${message}\n${hint}\n` });
  const { err } = await zulipctl([...words, "-o", "json"]);
  const outcome = message.startsWith("--profile") ? undefined : "not_sent";
  expect(JSON.parse(err)).toEqual({ error: { exit_code: 2, kind: "usage", message, outcome, hint } });
});

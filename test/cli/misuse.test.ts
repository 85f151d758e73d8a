/** Command lines that cannot be made out: one line that names the flag or argument, and one that helps. */
import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

test.each([
  ["channel update", "channel update needs <channel>", 'Run "zulipctl channel update --help" for usage.'],
  ["linkifier add x", "linkifier add needs <url-template>", 'Run "zulipctl linkifier add --help" for usage.'],
  [
    "linkifier add x y z",
    'linkifier add takes 2 arguments; unexpected argument "z"',
    'Run "zulipctl linkifier add --help" for usage.',
  ],
  [
    "folder create x y",
    'folder create takes one argument; unexpected argument "y"',
    'Run "zulipctl folder create --help" for usage.',
  ],
  [
    "users list ada",
    'users list takes no argument; unexpected argument "ada"',
    'Run "zulipctl users list --help" for usage.',
  ],
  ["apns register --token x", "apns register needs --appid <id>", 'Run "zulipctl apns register --help" for usage.'],
  ["users list --ids", "missing value for --ids <user,...>", 'Run "zulipctl users list --help" for usage.'],
  ["users list --rol guest", "unknown flag: --rol", "Did you mean --role?"],
  ["channel update x --desc y", "unknown flag: --desc", "Did you mean --description?"],
  ["channel update x --arch", "unknown flag: --arch", 'Run "zulipctl channel update --help" for usage.'],
  ["users list --frobnicate", "unknown flag: --frobnicate", 'Run "zulipctl users list --help" for usage.'],
  ["--frobnicate", "unknown flag: --frobnicate", 'Run "zulipctl --help" for usage.'],
  [
    "users list -o jsn",
    'invalid --output "jsn": must be one of table, json, ndjson, csv, tsv, yaml, ids, none',
    "Did you mean json?",
  ],
  ["completion tcsh", 'unknown command "completion tcsh"', "Did you mean bash or fish?"],
  [
    "export create --type full",
    'invalid --type "full": must be one of public, standard',
    'Run "zulipctl export create --help" for usage.',
  ],
  [
    "users list --timeout soon",
    'invalid --timeout "soon": must be a number of seconds above zero',
    'Run "zulipctl users list --help" for usage.',
  ],
  [
    "users list --feature-level x",
    'invalid --feature-level "x": must be a whole number',
    'Run "zulipctl users list --help" for usage.',
  ],
  ["usres list", 'unknown command "usres"', "Did you mean users?"],
  ["version", 'unknown command "version"', "Did you mean zulipctl --version?"],
  ["server update x --role admin", 'unknown command "server update"', "Available: info."],
  [
    "users update cora@x --role admin",
    'invalid --role "admin": must be one of owner, administrator, moderator, member, guest',
    'Run "zulipctl users update --help" for usage.',
  ],
  ["chanel create x --private", 'unknown command "chanel"', "Did you mean channel?"],
  ["chanel --help", 'unknown command "chanel"', "Did you mean channel?"],
  ["users lst -o jsn --timeout soon", 'unknown command "users lst"', "Did you mean list?"],
  ["users --quiet --frob lst", "unknown flag: --frob", 'Run "zulipctl users --help" for usage.'],
  ["help chanel update", 'unknown command "chanel"', "Did you mean channel?"],
  ["channel list -f", "unknown flag: -f", 'Run "zulipctl channel list --help" for usage.'],
  ["channel list --json=yes", "--json takes no value", 'Run "zulipctl channel list --help" for usage.'],
  ["channel list --- x", "unknown flag: ---", 'Run "zulipctl channel list --help" for usage.'],
  ["--archived channel list", "--archived must come after the command", "Write: channel list --archived"],
  ["login", 'unknown command "login"', "Did you mean auth login?"],
  ["reorder 7", 'unknown command "reorder"', "Did you mean folder reorder or linkifier reorder?"],
  ["list users", 'unknown command "list"', 'Run "zulipctl --help" for usage.'],
  ["users lst", 'unknown command "users lst"', "Did you mean list?"],
  ["server purge", 'unknown command "server purge"', "Available: info."],
])("%s", async (line, message, hint) => {
  const { code, out, err, sent } = await zulipctl(line.split(" "));
  expect({ code, out, err, sent }).toEqual({ code: 2, out: "", err: `zulipctl: ${message}\n${hint}\n`, sent: [] });
});

test("a text in place of a flag is not repeated", async () => {
  const { code, err } = await zulipctl(["folder", "create", "-- a secret"]);
  expect({ code, err }).toEqual({
    code: 2,
    err: "zulipctl: a word begins with -- but is not a flag\nPut arguments that are not flags after --.\n",
  });
});

const secret = "hunter2";

test.each([
  [`users list --password=${secret}`, "unknown flag: --password", 'Run "zulipctl users list --help" for usage.'],
  [`users list --password ${secret}`, "unknown flag: --password", 'Run "zulipctl users list --help" for usage.'],
  [`users --password ${secret} list`, "unknown flag: --password", 'Run "zulipctl users list --help" for usage.'],
  [`--password ${secret} users list`, "unknown flag: --password", 'Run "zulipctl users list --help" for usage.'],
  [`--password ${secret}`, "unknown flag: --password", 'Run "zulipctl --help" for usage.'],
  [`--api-key=${secret}`, "unknown flag: --api-key", 'Run "zulipctl --help" for usage.'],
  [`users list -k${secret}`, "unknown flag: -k", 'Run "zulipctl users list --help" for usage.'],
  [`users list -qk${secret}`, "unknown flag: -k", 'Run "zulipctl users list --help" for usage.'],
  [`fetch-key --passwrd-stdin=${secret}`, "unknown flag: --passwrd-stdin", "Did you mean --password-stdin?"],
  [
    `fetch-key --password-stdin=${secret}`,
    "--password-stdin takes no value",
    'Run "zulipctl fetch-key --help" for usage.',
  ],
  [`fetch-key --password ${secret}`, "unknown flag: --password", "Did you mean --password-stdin?"],
  [`users list -p${secret}`, "--profile: profile not found", "Create one with: zulipctl fetch-key --site <url>"],
  [`users list -p ${secret}`, "--profile: profile not found", "Create one with: zulipctl fetch-key --site <url>"],
  [
    `fetch-key ${secret}`,
    "fetch-key takes no argument; unexpected argument",
    'Run "zulipctl fetch-key --help" for usage.',
  ],
])("%s keeps to itself what may be a password", async (line, message, hint) => {
  const words = line.split(" ");
  const told = await zulipctl([...words, "--verbose"]);
  expect(told).toMatchObject({ code: 2, out: "", err: `zulipctl: ${message}\n${hint}\n` });
  const { err } = await zulipctl([...words, "-o", "json"]);
  const outcome = message.startsWith("--profile") ? undefined : "not_sent";
  expect(JSON.parse(err)).toEqual({ error: { exit_code: 2, kind: "usage", message, outcome, hint } });
});

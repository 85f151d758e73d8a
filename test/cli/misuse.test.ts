/** Invalid command lines: one line names the flag or argument, another one helps. */
import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

const usage = (command: string) => `Run "${`zulipctl ${command}`.trim()} --help" for usage.`;

test.each([
  ["channel update", "channel update needs <channel>", usage("channel update")],
  ["linkifier add x y z", 'linkifier add takes 2 arguments; unexpected argument "z"', usage("linkifier add")],
  ["users list ada", 'users list takes no argument; unexpected argument "ada"', usage("users list")],
  ["apns register --token x", "apns register needs --appid <id>", usage("apns register")],
  ["users list --ids", "missing value for --ids <user,...>", usage("users list")],
  ["users list --rol guest", "unknown flag: --rol", "Did you mean: --role?"],
  ["users list --bogus", "unknown flag: --bogus", usage("users list")],
  ["channel lsit", 'unknown command "channel lsit"', "Did you mean: list?"],
  ["channel update x --desc y", "unknown flag: --desc", "Did you mean: --description?"],
  [
    "users list -o jsn",
    'invalid --output "jsn": must be one of table, json, ndjson, csv, tsv, yaml, markdown, ids, none',
    "Did you mean: json?",
  ],
  ["completion tcsh", 'unknown command "completion tcsh"', "Available: bash, zsh, fish, refresh."],
  ["export create --type full", 'invalid --type "full": must be one of public, standard', usage("export create")],
  ["users list --feature-level x", 'invalid --feature-level "x": must be a whole number', usage("users list")],
  ["usres list", 'unknown command "usres"', "Did you mean: users?"],
  ["version", 'unknown command "version"', "Did you mean: zulipctl --version?"],
  ["chanel --help", 'unknown command "chanel"', "Did you mean: channel?"],
  ["users --quiet --frob lst", "unknown flag: --frob", usage("users")],
  ["help chanel update", 'unknown command "chanel"', "Did you mean: channel?"],
  ["channel list --json=yes", "--json takes no value", usage("channel list")],
  ["channel list --- x", "unknown flag: ---", usage("channel list")],
  ["--archived channel list", "--archived must come after the command", "Write: channel list --archived"],
  ["reorder 7", 'unknown command "reorder"', "Did you mean: folder reorder, linkifier reorder?"],
  ["list users", 'unknown command "list"', usage("")],
  ["server purge", 'unknown command "server purge"', "Available: info."],
])("%s", async (line, message, hint) => {
  const { code, out, err, sent } = await zulipctl(line.split(" "));
  expect({ code, out, err, sent }).toEqual({ code: 2, out: "", err: `zulipctl: ${message}\n${hint}\n`, sent: [] });
});

test("does not repeat a text in place of a flag", async () => {
  const { code, err } = await zulipctl(["folder", "create", "-- a secret"]);
  expect({ code, err }).toEqual({
    code: 2,
    err: "zulipctl: a word begins with -- but is not a flag\nPut arguments that are not flags after --.\n",
  });
});

const secret = "hunter2";

test.each([
  [`users list --password=${secret}`, "unknown flag: --password", usage("users list")],
  [`--password ${secret} users list`, "unknown flag: --password", usage("users list")],
  [`--password ${secret}`, "unknown flag: --password", usage("")],
  [`--api-key=${secret}`, "unknown flag: --api-key", usage("")],
  [`users list -k${secret}`, "unknown flag: -k", usage("users list")],
  [`fetch-key --password-stdin=${secret}`, "--password-stdin takes no value", usage("fetch-key")],
  [`fetch-key --password ${secret}`, "unknown flag: --password", "Did you mean: --password-stdin?"],
  [`users list -p${secret}`, "--profile: profile not found", "Create one with: zulipctl fetch-key --site <url>"],
  [`users list -p ${secret}`, "--profile: profile not found", "Create one with: zulipctl fetch-key --site <url>"],
  [`fetch-key ${secret}`, "fetch-key takes no argument; unexpected argument", usage("fetch-key")],
])("%s does not repeat what may be a password", async (line, message, hint) => {
  const words = line.split(" ");
  const told = await zulipctl([...words, "--verbose"]);
  expect(told).toMatchObject({ code: 2, out: "", err: `zulipctl: ${message}\n${hint}\n` });
  const { err } = await zulipctl([...words, "-o", "json"]);
  const outcome = message.startsWith("--profile") ? undefined : "not_sent";
  expect(JSON.parse(err)).toEqual({ error: { exit_code: 2, kind: "usage", message, outcome, hint } });
});

/** What commands about credentials leave in the keychain. `test/transcripts/auth.txt` and `fetch-key.txt` have the rest. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { KeychainFailure } from "../../src/world/world.ts";
import { fresh, inProfile, person, site } from "../run.ts";
import { type Setup, type TestWorld, testWorld } from "../world.ts";

const sandbox = fresh();
const { email, password, api_key } = person(sandbox, 100);
const fetchKey = ["fetch-key", "--site", site, "--username", email];

async function run(argv: string[], setup: Setup = {}, prepare = (_world: TestWorld) => {}) {
  const world = testWorld({ http: fresh().handle, env: {}, ...setup });
  prepare(world);
  const code = await main(argv, world);
  return { code, out: world.stdout.text, err: world.stderr.text, keys: [...world.keys], world };
}

const lockKeychain = ({ keychain }: TestWorld) => {
  const locked = async () => {
    throw new KeychainFailure("the keychain is locked", "locked");
  };
  Object.assign(keychain, { set: locked, forget: locked });
};

test("auth status sends nothing without a key, and ends with 4 without a server", async () => {
  const { config, keys, env } = inProfile(sandbox, "work");
  const { code, out, err, world } = await run(["auth", "status", "--json"], { config, env });
  expect([code, JSON.parse(out).accepted, world.sent]).toEqual([3, null, []]);
  expect(JSON.parse(err).error.message).toBe("the key of profile work is not in the keychain");
  expect((await run(["auth", "status"], { config, keys, env, http: undefined })).code).toBe(4);
});

test.each([
  ["auth login", ["auth", "login", "--with-key", "--site", site, "--username", email], `${api_key}\n`],
  ["fetch-key", [...fetchKey, "--password-stdin"], `${password}\n`],
])("%s saves the key only in the keychain", async (_, argv, input) => {
  const { keys, world } = await run(argv, { input });
  expect(keys).toEqual([["chat.example (chat.example)", api_key]]);
  expect(JSON.stringify([world.config(), [...world.files.content]])).not.toContain(api_key);
});

test("fetch-key --store file saves the key only in a file", async () => {
  const { keys, world } = await run([...fetchKey, "--password-stdin", "--store", "file"], { input: `${password}\n` });
  expect([keys, [...world.files.content]]).toEqual([[], [["/config/keys/chat.example", `${api_key}\n`]]]);
});

test("fetch-key replaces the key of a known profile in the keychain", async () => {
  const setup = { ...inProfile(sandbox, "work"), keys: new Map([["work", "old"]]), input: `${password}\n` };
  const { keys } = await run(["fetch-key", "--profile", "work", "--password-stdin"], setup);
  expect(keys.map(([, key]) => key)).toEqual([api_key]);
});

test.each([
  ["a rejected key", ["auth", "login", "--with-key", "--site", site, "--username", email], "0".repeat(32)],
  ["a wrong password", [...fetchKey, "--password-stdin"], "wrong"],
  ["--print", [...fetchKey, "--password-stdin", "--print"], password],
  ["a dry run", [...fetchKey, "--password-stdin", "--dry-run"], password],
])("saves nothing for %s", async (_, argv, secret) => {
  const { keys, world } = await run(argv, { input: `${secret}\n` });
  expect([keys, [...world.files.content]]).toEqual([[], []]);
});

test.each([[["auth", "logout"]], [["profile", "rm", "work"]]])("%j removes the key", async (argv) => {
  expect(await run(argv, inProfile(sandbox, "work"))).toMatchObject({ code: 0, keys: [] });
});

test("auth logout --revoke refuses a bot", async () => {
  const bots = fresh()
    .info()
    .users.filter((user) => user.is_bot && user.is_active);
  const { email, api_key } = bots[0]!;
  const config = { current: "bot", profiles: { bot: { site, email, store: "keychain", account: "bot" } } };
  const { code, err, world, keys } = await run(["auth", "logout", "--revoke", "--yes"], {
    config,
    keys: new Map([["bot", api_key]]),
  });
  expect([code, err, world.sent.length, keys.length]).toEqual([
    2,
    `zulipctl: --revoke: ${email} is a bot\nReplace its key with: zulipctl bots rotate-key ${email} --print\n`,
    1,
    1,
  ]);
});

test("profile rm keeps the profile if the keychain is locked", async () => {
  const profile = inProfile(sandbox, "work");
  const { code, world } = await run(["profile", "rm", "work"], profile, lockKeychain);
  expect([code, world.config()]).toEqual([3, profile.config]);
});

test("fetch-key ends with 3 before the prompt if the keychain is locked", async () => {
  const { code, err, world } = await run(fetchKey, { terminal: true, password, env: { NO_COLOR: "1" } }, lockKeychain);
  expect([code, err, world.sent, world.asked]).toEqual([
    3,
    "zulipctl: the keychain is locked\nTo keep the key in a file of your own instead, add --store file.\n",
    [],
    [],
  ]);
});

test("fetch-key checks the server before it prompts for the password", async () => {
  const http = async () => {
    throw new Error("connection refused");
  };
  expect((await run(fetchKey, { http, terminal: true, password })).world.asked).toEqual([]);
});

test.each([
  ["no site", ["fetch-key", "--username", email, "--password-stdin"], password],
  ["an empty stdin", [...fetchKey, "--password-stdin"], ""],
  ["an invalid profile name", [...fetchKey, "--password-stdin", "--profile", "a b"], password],
])("fetch-key does not try the keychain with %s", async (_, argv, input) => {
  expect((await run(argv, { input: `${input}\n` }, lockKeychain)).code).toBe(2);
});

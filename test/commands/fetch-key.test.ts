import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { KeychainFailure } from "../../src/world.ts";
import { fresh, person, site } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

const sandbox = fresh();
const { email, password, api_key, user_id } = person(sandbox, 100);

/** Runs a command, and returns its world. */
async function run(argv: string[], setup: Setup = {}, prepare = (_world: ReturnType<typeof testWorld>) => {}) {
  const world = testWorld({ http: fresh().handle, ...setup });
  prepare(world);
  const code = await main(argv, world);
  return { code, out: world.stdout.text, err: world.stderr.text, world };
}

const words = ["fetch-key", "--site", site, "--username", email, "--password-stdin"];
const input = `${password}\n`;

test("saves the key in the keychain, and makes the profile current", async () => {
  const { world } = await run(words, { input });
  expect([...world.keys]).toEqual([["chat.example (chat.example)", api_key]]);
  expect(world.config()).toMatchObject({
    current: "chat.example",
    profiles: { "chat.example": { site, email, store: "keychain", account: "chat.example (chat.example)" } },
  });
});

test("--store file saves the key only in a file, and JSON does not contain it", async () => {
  const { out, world } = await run([...words, "--profile", "work", "--store", "file", "-o", "json"], { input });
  expect(JSON.parse(out)).toEqual({ profile: "work", site, email, user_id, store: "file" });
  expect([[...world.keys], [...world.files.content]]).toEqual([[], [["/config/keys/work", `${api_key}\n`]]]);
});

test("--print writes the key only to stdout", async () => {
  const { code, out, world } = await run([...words, "--print"], { input });
  expect([code, out]).toEqual([0, `${api_key}\n`]);
  expect([[...world.keys], [...world.files.content], world.config()]).toEqual([[], [], undefined]);
});

test("prompts for user name and password at a terminal", async () => {
  const { code, world } = await run(["fetch-key", "--site", site], { terminal: true, text: [email], password });
  expect(code).toBe(0);
  expect(world.asked).toEqual([`User name on ${site}`, `Password of ${email} on ${site}`]);
  expect([...world.keys.values()]).toEqual([api_key]);
});

test("checks the server before it prompts for the password", async () => {
  const refused = await run(["fetch-key", "--site", site, "--username", email], {
    http: async () => {
      throw new Error("connection refused");
    },
    terminal: true,
    password,
  });
  expect(refused.world.asked).toEqual([]);
  const { world } = await run(["fetch-key", "--site", site, "--username", email], { terminal: true, password });
  expect(world.sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    "GET /api/v1/server_settings",
    "POST /api/v1/fetch_api_key",
  ]);
});

test("sends no password after Ctrl-C", async () => {
  const { code, world } = await run(["fetch-key", "--site", site, "--username", email], { terminal: true });
  expect([code, world.sent.map(({ method }) => method), [...world.keys]]).toEqual([130, ["GET"], []]);
});

test("uses site and user name of a known profile, and replaces its key", async () => {
  const account = "work (chat.example)";
  const config = { profiles: { work: { site, email, store: "keychain", account } } };
  const keys = new Map([[account, "old"]]);
  const { code, world } = await run(["fetch-key", "--profile", "work", "--password-stdin"], { input, config, keys });
  expect(code).toBe(0);
  expect([...world.keys.values()]).toEqual([api_key]);
});

test("uses only the site of the environment", async () => {
  const env = { ZULIP_SITE: site, ZULIP_EMAIL: "other@chat.example", ZULIP_API_KEY: "x", ZULIPCTL_PROFILE: "none" };
  const { code, world } = await run(["fetch-key", "--username", email, "--password-stdin"], { input, env });
  expect([code, world.sent[0]?.body]).toEqual([
    0,
    `username=${encodeURIComponent(email)}&password=${encodeURIComponent(password)}`,
  ]);
});

test("--dry-run shows the request with a masked password, and does not prompt", async () => {
  const { code, out, world } = await run([...words, "-n", "-o", "json"], { input });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual([
    {
      operation: "fetch-key",
      method: "POST",
      url: `${site}/api/v1/fetch_api_key`,
      parameters: { username: email, password: "[secret]" },
      body: `username=${encodeURIComponent(email)}&password=[secret]`,
    },
  ]);
  expect([world.sent, world.keys.size, world.config()]).toEqual([[], 0, undefined]);
});

test.each<[string, string[], Setup, string]>([
  ["no site", ["fetch-key", "--username", email, "--password-stdin"], { input }, "missing required flag: --site"],
  ["no user name", ["fetch-key", "--site", site, "--password-stdin"], { input }, "missing required flag: --username"],
  [
    "no terminal",
    ["fetch-key", "--site", site, "--username", email],
    {},
    "password required: stdin is not a terminal. Pass it on stdin with --password-stdin.",
  ],
  [
    "--no-input",
    ["fetch-key", "--site", site, "--username", email, "--no-input", "--color", "never"],
    { terminal: true, password },
    "password required: stdin is not a terminal. Pass it on stdin with --password-stdin.",
  ],
  ["an empty stdin", words, { input: "\n" }, "--password-stdin: stdin is empty"],
  [
    "plain http",
    ["fetch-key", "--site", "http://chat.example", "--username", email],
    {},
    "--site is http://, which would show the key to everyone on the way to chat.example",
  ],
  ["an invalid profile name", [...words, "--profile", "a b"], { input }, "--profile: invalid profile name"],
  [
    "--print with --store",
    [...words, "--print", "--store", "file"],
    { input },
    "--print cannot be combined with --store: --print stores nothing",
  ],
])("%s is a usage error, and nothing is tried or sent", async (_, argv, setup, message) => {
  const { code, err, world } = await run(argv, setup, ({ keychain }) => {
    keychain.set = async () => {
      throw new Error("the keychain was tried");
    };
  });
  expect([code, err.split("\n")[0], world.sent]).toEqual([2, `zulipctl: ${message}`, []]);
});

test("a locked keychain ends with 3 before the prompt, with a hint", async () => {
  const { code, err, world } = await run(
    ["fetch-key", "--site", site, "--username", email, "--color", "never"],
    { terminal: true, password },
    ({ keychain }) => {
      keychain.set = async () => {
        throw new KeychainFailure("the keychain is locked", "locked");
      };
    },
  );
  expect([code, err, world.sent, world.asked]).toEqual([
    3,
    "zulipctl: the keychain is locked\nTo keep the key in a file of your own instead, add --store file.\n",
    [],
    [],
  ]);
});

test("a wrong password ends with 3 and the server's message, and nothing is saved", async () => {
  const { code, err, world } = await run(words, { input: "wrong\n" });
  expect([code, err.split("\n")[0]]).toEqual([3, "zulipctl: Your username or password is incorrect"]);
  expect([world.sent.length, world.keys.size, world.config()]).toEqual([1, 0, { profiles: {} }]);
});

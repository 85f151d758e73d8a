import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { KeychainFailure } from "../../src/world.ts";
import { credentials, fresh, person, site } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

const sandbox = fresh();
const { email, api_key, user_id, full_name } = person(sandbox, 100);
const account = "work (chat.example)";
const config = { current: "work", profiles: { work: { site, email, store: "keychain", account } } };
const kept = (key = api_key) => ({ config, keys: new Map([[account, key]]) });
const zuliprc = (key = api_key) => `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;

async function run(argv: string[], setup: Setup = {}) {
  const world = testWorld({ http: fresh().handle, ...setup });
  const code = await main(argv, world);
  return { code, out: world.stdout.text, err: world.stderr.text, world };
}

test("auth status shows the account and the place of its key", async () => {
  const { code, out } = await run(["auth", "status"], kept());
  expect([code, out]).toEqual([
    0,
    `FIELD\tVALUE\nSite\t${site}\nAccount\t${email}\nName\t${full_name}\nRole\towner\nCredentials\tprofile work\nKey\tthe keychain\nAccepted\tyes\n`,
  ]);
});

test("auth status prints JSON", async () => {
  const { out } = await run(["auth", "status", "-o", "json"], { env: credentials(sandbox) });
  expect(JSON.parse(out)).toEqual({
    site,
    email,
    profile: null,
    source: "the environment",
    store: "environment",
    where: "ZULIP_API_KEY",
    user_id,
    full_name,
    role: 100,
    accepted: true,
  });
});

test("auth status ends with 3 if the server rejects the key", async () => {
  const { code, out, err } = await run(["auth", "status", "--json"], kept("0".repeat(32)));
  expect([code, JSON.parse(out).accepted, JSON.parse(err).error.message]).toEqual([3, false, "Invalid API key"]);
});

test("auth status ends with 3 without a key, and sends nothing", async () => {
  const { code, out, err, world } = await run(["auth", "status", "--json"], { config });
  expect([code, JSON.parse(out).accepted, world.sent]).toEqual([3, null, []]);
  expect(JSON.parse(err).error.message).toBe("the key of profile work is not in the keychain");
});

test("auth status ends with 3 without credentials, and with 4 without a server", async () => {
  expect((await run(["auth", "status"])).code).toBe(3);
  expect((await run(["auth", "status"], { ...kept(), http: undefined })).code).toBe(4);
});

test("auth login creates a profile from a key on stdin after the server accepted it", async () => {
  const argv = ["auth", "login", "--with-key", "--site", site, "--username", email, "--profile", "work", "--json"];
  const { code, out, world } = await run(argv, { input: `${api_key}\n` });
  expect([code, JSON.parse(out)]).toEqual([0, { profile: "work", site, email, user_id, store: "keychain" }]);
  expect(world.sent.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${site}/api/v1/users/me`]);
  expect([...world.keys]).toEqual([[account, api_key]]);
  expect(world.config()).toMatchObject({ current: "work" });
});

test("auth login saves no rejected key", async () => {
  const argv = ["auth", "login", "--with-key", "--site", site, "--username", email];
  const { code, world } = await run(argv, { input: `${"0".repeat(32)}\n` });
  expect([code, [...world.keys], world.config()]).toEqual([3, [], { profiles: {} }]);
});

test.each([
  [["auth", "login", "--site", site, "--username", email], "missing required flag: --with-key"],
  [["auth", "login", "--with-key", "--username", email], "missing required flag: --site"],
  [["auth", "login", "--with-key", "--site", site], "missing required flag: --username"],
  [["auth", "login", "--with-key", "--site", site, "--username", email], "--with-key: stdin is empty"],
])("%j is a usage error", async (argv, message) => {
  const { code, err, world } = await run(argv);
  expect([code, world.sent]).toEqual([2, []]);
  expect(err.replaceAll(/[""]/g, "'")).toContain(message);
});

test.each<[string, string[], string]>([
  ["~/.zuliprc", [], "/home/test/.zuliprc"],
  ["the file named", ["/rc"], "/rc"],
  ["that of --zuliprc", ["--zuliprc", "/rc"], "/rc"],
])("auth import creates a profile from %s", async (_, words, path) => {
  const { code, out, world } = await run(["auth", "import", ...words, "--store", "file", "--json"], {
    files: new Map([[path, zuliprc()]]),
  });
  expect([code, JSON.parse(out)]).toEqual([0, { profile: "chat.example", site, email, user_id, store: "file" }]);
  expect(world.files.content.get("/config/keys/chat.example")).toBe(`${api_key}\n`);
});

test("auth import saves no rejected key", async () => {
  const files = new Map([["/rc", zuliprc("0".repeat(32))]]);
  const { code, err, world } = await run(["auth", "import", "/rc"], { files });
  expect([code, [...world.keys]]).toEqual([3, []]);
  expect(err).toBe(
    `zulipctl: Invalid API key\nNothing was saved. ${email} finds the key in the settings of the app, under Account & privacy.\n`,
  );
});

test.each<[string[], Setup, string]>([
  [["auth", "import", "/none"], {}, "auth import: file not found: /none"],
  [
    ["auth", "import", "/rc"],
    { files: new Map([["/rc", "[api]\n"]]) },
    "the zuliprc /rc has no section [api] with anything in it",
  ],
  [["auth", "import", "/rc", "--zuliprc", "/other"], {}, "/rc and --zuliprc /other are two different files"],
  [
    ["auth", "import", "/rc", "--site", "https://x.example"],
    { files: new Map([["/rc", zuliprc()]]) },
    "--site is https://x.example, but /rc is for https://chat.example",
  ],
])("%j is a usage error", async (argv, setup, message) => {
  const { code, err, world } = await run(argv, setup);
  expect([code, err.split("\n")[0], world.sent]).toEqual([2, `zulipctl: ${message}`, []]);
});

test("auth logout removes the current profile and its key", async () => {
  const { code, out, world } = await run(["auth", "logout"], kept());
  expect([code, out, [...world.keys]]).toEqual([0, "Removed profile work and its key.\n", []]);
  expect((await run(["auth", "status"], { config: world.config() })).code).toBe(3);
});

test("auth logout requires a current profile, or an existing one", async () => {
  expect(await run(["auth", "logout"])).toMatchObject({
    code: 3,
    err: "zulipctl: no current profile\nList them with: zulipctl profile list\n",
  });
  expect((await run(["auth", "logout", "--profile", "none"], kept())).code).toBe(2);
});

test("profile list shows all profiles, without keys", async () => {
  const more = { ...config.profiles, play: { site, email: "b@chat.example", store: "file", key_file: "keys/play" } };
  const setup = { config: { ...config, profiles: more } };
  expect((await run(["profile", "list"], setup)).out).toBe(
    `NAME\tSITE\tEMAIL\tSTORE\tCURRENT\nwork\t${site}\t${email}\tkeychain\tyes\nplay\t${site}\tb@chat.example\tfile\t\n`,
  );
  expect(JSON.parse((await run(["profile", "list", "--json"], setup)).out)).toEqual([
    { name: "work", site, email, store: "keychain", current: true },
    { name: "play", site, email: "b@chat.example", store: "file", current: false },
  ]);
  expect((await run(["profile", "list", "-o", "ids"], setup)).out).toBe("work\nplay\n");
});

test("profile use, rename and rm", async () => {
  const { world, out } = await run(["profile", "rename", "work", "job"], kept());
  expect([out, world.config()]).toMatchObject(["Renamed profile work to job.\n", { current: "job" }]);
  const later = { config: world.config(), keys: world.keys };
  expect((await run(["profile", "use", "job"], later)).out).toBe("Now using profile job.\n");
  expect((await run(["auth", "status"], later)).code).toBe(0);
  const gone = await run(["profile", "rm", "job", "--json"], later);
  expect([gone.out, [...gone.world.keys], gone.world.config()]).toEqual([
    '{"profile":"job"}\n',
    [],
    { current: undefined, profiles: {} },
  ]);
});

test.each([
  ["use", ["none"]],
  ["rename", ["none", "other"]],
  ["rm", ["none"]],
])("profile %s lists the profiles if one is not found", async (verb, names) => {
  const { code, err } = await run(["profile", verb, ...names], kept());
  expect([code, err]).toEqual([2, `zulipctl: profile ${verb}: profile "none" not found\nAvailable: work.\n`]);
});

test("profile rm keeps the profile if the keychain is locked", async () => {
  const world = testWorld(kept());
  world.keychain.forget = async () => {
    throw new KeychainFailure("the keychain is locked", "locked");
  };
  expect(await main(["profile", "rm", "work"], world)).toBe(3);
  expect(world.config()).toEqual(config);
});

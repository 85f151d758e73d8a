/** `users api-key`: the new key replaces the stored one or is printed, and a failure does not lose it. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { KeychainFailure, NoAnswer } from "../../src/world/world.ts";
import { credentials, fresh, person, site } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

const argv = ["users", "api-key", "--regenerate"];
const account = "work (chat.example)";

/** Runs as the owner with the profile `work`, by default with its key in the keychain. */
async function run(words: string[], setup: Setup = {}, prepare = (_: ReturnType<typeof testWorld>) => {}) {
  const sandbox = fresh();
  const { email, api_key: old } = person(sandbox, 100);
  const config = { current: "work", profiles: { work: { site, email, store: "keychain", account } } };
  const world = testWorld({ http: sandbox.handle, config, keys: new Map([[account, old]]), ...setup });
  prepare(world);
  const code = await main(words, world);
  const now = person(sandbox, 100).api_key;
  const sent = world.sent.filter(({ url }) => !url.endsWith("/server_settings"));
  return { code, out: world.stdout.text, err: world.stderr.text, world, old, now, email, sent };
}

const failing = (message: string) => async () => {
  throw new KeychainFailure(message, "locked");
};

/** The keychain accepts so many keys, then it is locked. */
const acceptKeys = (times: number) => (world: ReturnType<typeof testWorld>) => {
  const { set } = world.keychain;
  let remaining = times;
  world.keychain.set = async (...entry) => (remaining-- > 0 ? set(...entry) : failing("the keychain is locked")());
};

describe("the key of a profile", () => {
  test("is replaced in the keychain with one request, and is not printed", async () => {
    const { code, out, err, world, old, now, email, sent } = await run([...argv, "--yes"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`The API key of ${email} on ${site} is replaced; profile work has the new one in the keychain.\n`);
    expect(sent.map(({ method, url, body }) => `${method} ${url}\n${body ?? ""}`)).toEqual([
      "POST https://chat.example/api/v1/users/me/api_key/regenerate\n",
    ]);
    expect(now).not.toBe(old);
    expect([...world.keys]).toEqual([[account, now]]);
    expect([...world.files.content.values()].join()).not.toContain(now);
  });

  test("is replaced in its file", async () => {
    const { email, api_key } = person(fresh(), 100);
    const files = new Map([["/config/keys/work", `${api_key}\n`]]);
    const config = { current: "work", profiles: { work: { site, email, store: "file", key_file: "keys/work" } } };
    const { code, world, now } = await run([...argv, "--yes"], { config, files });
    expect(code).toBe(0);
    expect(world.files.content.get("/config/keys/work")).toBe(`${now}\n`);
  });

  test("is not printed, and a warning names other profiles of the account", async () => {
    expect(await run([...argv, "--yes", "--print"])).toMatchObject({
      code: 2,
      err: "zulipctl: --print: the key is replaced in the keychain and not printed\nRemove --print.\n",
      sent: [],
    });
    const { email } = person(fresh(), 100);
    const twin = { site, email, store: "file", key_file: "keys/twin" };
    const other = { site: "https://other.example", email, store: "file", key_file: "keys/other" };
    const config = { current: "work", profiles: { work: { site, email, store: "keychain", account }, twin, other } };
    expect((await run([...argv, "--yes"], { config })).err).toBe(
      "zulipctl: warning: profile twin has the same account and still has the old key. Renew it with: zulipctl fetch-key --profile twin\n",
    );
  });

  test("is saved in the profile that another process renamed meanwhile", async () => {
    const { code, out, world, now } = await run([...argv, "--yes"], {}, (world) => {
      const { set } = world.keychain;
      let first = true;
      world.keychain.set = async (...entry) => {
        await set(...entry);
        if (!first) return;
        first = false;
        const { profiles } = world.config() as { profiles: Record<string, unknown> };
        void world.settings.edit(async (_, replace) => replace({ current: "play", profiles: { play: profiles.work } }));
      };
    });
    expect([code, [...world.keys.values()]]).toEqual([0, [now]]);
    expect(out).toContain("profile play has the new one");
  });
});

describe("nothing is sent", () => {
  test("without confirmation", async () => {
    const { code, err, sent } = await run(argv);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toMatch(
      /^zulipctl: confirmation required: stdin is not a terminal. Replace the API key of .* on chat.example \(profile work\)\? The old key stops working at once. Pass --yes to confirm.\n/,
    );
    const declined = await run(argv, { terminal: true, confirm: [false] });
    expect([declined.code, declined.sent, declined.world.asked]).toEqual([
      130,
      [],
      [`Replace the API key of ${declined.email} on chat.example (profile work)? The old key stops working at once.`],
    ]);
  });

  test("if the keychain is locked, and the old key stays", async () => {
    const { code, err, sent, world, old } = await run([...argv, "--yes"], {}, acceptKeys(0));
    expect({ code, sent, keys: [...world.keys.values()] }).toEqual({ code: 3, sent: [], keys: [old] });
    expect(err).toBe(
      "zulipctl: the keychain is locked\nzulipctl fetch-key --profile <name> --store file keeps the key in a file of your own instead.\n",
    );
  });

  test("for a key from the environment without --print, or with output flags that leave out the key", async () => {
    const env = credentials(fresh());
    expect(await run([...argv, "--yes"], { env })).toMatchObject({
      code: 2,
      err: "zulipctl: the key comes from ZULIP_API_KEY: zulipctl does not write there\nPass --print to write it to stdout.\n",
      sent: [],
    });
    for (const form of [
      ["-o", "none"],
      ["-o", "ids"],
      ["--fields", "email"],
    ])
      expect(await run([...argv, "--yes", "--print", ...form], { env })).toMatchObject({ code: 2, sent: [] });
  });

  test("without --regenerate, and in a dry run, which does not prompt or open the keychain", async () => {
    expect(await run(["users", "api-key"])).toMatchObject({
      code: 2,
      err: 'zulipctl: users api-key needs --regenerate\nRun "zulipctl users api-key --help" for usage.\n',
      sent: [],
    });
    const dry = await run([...argv, "--dry-run"], {}, acceptKeys(0));
    expect(dry).toMatchObject({
      code: 0,
      out: "POST https://chat.example/api/v1/users/me/api_key/regenerate  users.me.regenerate-key\n  ! stops the old key at once\n",
      sent: [],
    });
  });
});

test("--print writes only the key to stdout", async () => {
  const print = (...form: string[]) => run([...argv, "--print", "--yes", ...form], { env: credentials(fresh()) });
  const { out, now, world } = await print();
  expect(out).toBe(`${now}\n`);
  expect([...world.files.content.values()].join()).not.toContain(now);
  const json = await print("--json");
  expect(json.out).toContain(json.now);
});

describe("after the server has replaced the key, a failure shows how to get the new one", () => {
  test("if the keychain fails in between", async () => {
    const { code, out, err, now, email } = await run([...argv, "--yes"], {}, acceptKeys(1));
    expect({ code, out }).toEqual({ code: 5, out: "" });
    expect(err).toBe(
      `zulipctl: the server replaced the key of ${email}, but the new key cannot be saved in the keychain: the keychain is locked\n` +
        `Get the new key with: zulipctl fetch-key --site ${site} --username ${email} --profile work\n`,
    );
    expect(err).not.toContain(now);
  });

  test("without an answer", async () => {
    const sandbox = fresh();
    const http: typeof sandbox.handle = async (request) =>
      request.method === "GET"
        ? sandbox.handle(request)
        : Promise.reject(new NoAnswer("the connection was reset", "reset", true));
    const { code, err, email } = await run([...argv, "--yes"], { http });
    expect(code).toBe(7);
    expect(err).toContain(
      `Check with: zulipctl auth status. If the old key no longer works, get a new one with: zulipctl fetch-key --site ${site} --username ${email} --profile work\n`,
    );
  });
});

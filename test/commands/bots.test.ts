/** Keys of bots go to a profile or to stdout, and are never written elsewhere. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { injectFaults, parseFault, type Sandbox } from "../../src/sandbox/index.ts";
import { batch } from "../batch/rows.ts";
import { credentials, fresh, inProfile } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

const keyOf = ({ state }: Sandbox, id: number): string => state.users.get(id)!.api_key;

/** Runs in the profile `work`. `places`: all texts that must not contain a key. */
async function run(sandbox: Sandbox, argv: string[], more: Setup = {}) {
  const world = testWorld({ http: sandbox.handle, ...inProfile(sandbox, "work"), ...more });
  const code = await main(argv, world);
  const config = world.config() as { current: string; profiles: Record<string, object> };
  const files = [...world.files.content, ...world.files.logs].map(([path, text]) => `${path}\n${text}`);
  const places = [world.stderr.text, JSON.stringify(config), ...files].join("\n");
  return { code, out: world.stdout.text, places, config, keys: world.keys, err: world.stderr.text };
}

test("saves the key of a new bot in a profile, and keeps the current profile", async () => {
  const sandbox = fresh();
  const create = ["bots", "create", "Build server", "--short-name", "build", "--store", "keychain", "--verbose"];
  const { code, out, places, config, keys } = await run(sandbox, create);
  const key = keyOf(sandbox, 16);
  expect({ code, current: config.current, profiles: Object.keys(config.profiles) }).toEqual({
    code: 0,
    current: "work",
    profiles: ["work", "build-bot"],
  });
  expect(keys.get("build-bot (chat.example)")).toBe(key);
  expect(out + places).not.toContain(key);
});

test("prints a key only on stdout, and stores nothing", async () => {
  const sandbox = fresh();
  const { out, places, config, keys } = await run(sandbox, ["bots", "rotate-key", "14", "--print", "--yes", "-v"]);
  const key = keyOf(sandbox, 14);
  expect(out).toBe(`${key}\n`);
  expect(places).not.toContain(key);
  expect([Object.keys(config.profiles), keys.size]).toEqual([["work"], 1]);
});

test("replaces the key in the bot's profile", async () => {
  const sandbox = fresh();
  const env = credentials(sandbox);
  const { email, api_key } = sandbox.info().users.find(({ user_id }) => user_id === 14)!;
  const bot = { site: "https://chat.example", email, store: "keychain", account: "ci" };
  const config = { current: "ci", profiles: { ci: bot } };
  const more = { config, env, keys: new Map([["ci", api_key]]) };
  const rotate = ["bots", "rotate-key", "14", "--store", "keychain", "-y"];
  const { code, config: saved, keys } = await run(sandbox, rotate, more);
  expect({ code, profiles: Object.keys(saved.profiles) }).toEqual({ code: 0, profiles: ["ci"] });
  expect([...keys.values()]).toEqual([keyOf(sandbox, 14)]);
});

describe("a profile with a key file keeps the file", () => {
  const inFile = (key_file: string, others: Record<string, object> = {}) => {
    const sandbox = fresh();
    const { email, api_key } = sandbox.info().users.find(({ user_id }) => user_id === 14)!;
    const bot = { site: "https://chat.example", email, store: "file", key_file };
    const config = { current: "ci", profiles: { ci: bot, ...others } };
    const files = new Map([[key_file.startsWith("/") ? key_file : `/config/${key_file}`, `${api_key}\n`]]);
    return { sandbox, setup: { files, config, env: credentials(sandbox) } };
  };
  const rotate = ["bots", "rotate-key", "14", "--store", "file", "-y"];

  test.each(["/srv/bot.key", "keys/mine"])("%s", async (key_file) => {
    const { sandbox, setup } = inFile(key_file);
    const world = testWorld({ http: sandbox.handle, ...setup });
    expect(await main(rotate, world)).toBe(0);
    const { profiles } = world.config() as { profiles: Record<string, object> };
    expect(profiles.ci).toMatchObject({ store: "file", key_file });
    const path = key_file.startsWith("/") ? key_file : `/config/${key_file}`;
    expect([...world.files.content].filter(([, text]) => text.includes(keyOf(sandbox, 14)))).toEqual([
      [path, `${keyOf(sandbox, 14)}\n`],
    ]);
  });

  test("not if another account has the file too", async () => {
    const other = {
      site: "https://chat.example",
      email: "cora@sandbox.example",
      store: "file",
      key_file: "/srv/bot.key",
    };
    const { sandbox, setup } = inFile("/srv/bot.key", { other });
    const world = testWorld({ http: sandbox.handle, ...setup });
    expect(await main(rotate, world)).toBe(0);
    const { profiles } = world.config() as { profiles: Record<string, object> };
    expect(profiles.ci).toMatchObject({ store: "file", key_file: "keys/ci" });
  });

  test("not if the file cannot be written, and says so", async () => {
    const { sandbox, setup } = inFile("/srv/bot.key");
    const world = testWorld({ http: sandbox.handle, ...setup });
    const { write } = world.files;
    world.files.write = async (path, text) => {
      if (path === "/srv/bot.key") throw new Error("permission denied");
      return write(path, text);
    };
    expect(await main(rotate, world)).toBe(0);
    const { profiles } = world.config() as { profiles: Record<string, object> };
    expect(profiles.ci).toMatchObject({ store: "file", key_file: "keys/ci" });
    expect(world.stderr.text).toBe("zulipctl: warning: cannot write the file /srv/bot.key: permission denied\n");
  });
});

test("names the command for another key if the key cannot be stored", async () => {
  const sandbox = fresh({ disturb: injectFaults([parseFault("500:op=users.get")], async () => undefined) });
  const create = ["bots", "create", "A", "--short-name", "a", "--store", "keychain"];
  const { code, err, places, keys } = await run(sandbox, create);
  expect(code).toBe(5);
  expect(err).toContain("Created bot 16. But its key cannot be saved:");
  expect(err).toContain("Get a new key with: zulipctl bots rotate-key 16 --print");
  expect(places).not.toContain(keyOf(sandbox, 16));
  expect(keys.size).toBe(1);
});

test("masks new keys in the records of a batch and in its journal", async () => {
  const sandbox = fresh();
  const files = new Map<string, string>();
  const rows = "api POST /bots -f full_name=A -f short_name=a\napi POST /bots/14/api_key/regenerate\n";
  const { out, outcomes } = await batch(["-", "--format", "lines", "--yes"], { sandbox, input: rows, files });
  expect(outcomes).toEqual(["1 done", "2 done"]);
  const written = out + [...files.values()].join("\n");
  expect(written).toContain('"api_key":"[secret]"');
  for (const id of [14, 16]) expect(written).not.toContain(keyOf(sandbox, id));
});

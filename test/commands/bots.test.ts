/** Keys of bots go to a profile or to stdout, and are never written elsewhere. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { injectFaults, parseFault, type Sandbox } from "../../src/sandbox/index.ts";
import { batch } from "../batch/rows.ts";
import { credentials, fresh, inProfile, zulipctl } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

const keyOf = ({ state }: Sandbox, id: number): string => state.users.get(id)!.api_key;

/** Runs in the profile `work`, and gives everything that could hold a key but the keychain and the requests. */
async function run(sandbox: Sandbox, argv: string[], more: Setup = {}) {
  const world = testWorld({ http: sandbox.handle, ...inProfile(sandbox, "work"), ...more });
  const code = await main(argv, world);
  const config = world.config() as { current: string; profiles: Record<string, object> };
  const files = [...world.files.content, ...world.files.logs].map(([path, text]) => `${path}\n${text}`);
  const places = [world.stderr.text, JSON.stringify(config), ...files].join("\n");
  return { code, out: world.stdout.text, places, config, keys: world.keys, err: world.stderr.text };
}

test("a new bot's key goes into a profile, and the current profile stays", async () => {
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

test("a printed key is only on stdout, and nothing is stored", async () => {
  const sandbox = fresh();
  const { out, places, config, keys } = await run(sandbox, ["bots", "rotate-key", "14", "--print", "--yes", "-v"]);
  const key = keyOf(sandbox, 14);
  expect(out).toBe(`${key}\n`);
  expect(places).not.toContain(key);
  expect([Object.keys(config.profiles), keys.size]).toEqual([["work"], 1]);
});

test("a new key takes the place of the one in the bot's profile", async () => {
  const sandbox = fresh();
  const env = credentials(sandbox);
  const { email, api_key } = sandbox.info().users.find(({ user_id }) => user_id === 14)!;
  const bot = { site: "https://chat.example", email, store: "keychain", account: "ci" };
  const config = { current: "ci", profiles: { ci: bot } };
  const more = { config, env, keys: new Map([["ci", api_key]]) };
  const {
    code,
    config: left,
    keys,
  } = await run(sandbox, ["bots", "rotate-key", "14", "--store", "keychain", "-y"], more);
  expect({ code, profiles: Object.keys(left.profiles) }).toEqual({ code: 0, profiles: ["ci"] });
  expect([...keys.values()]).toEqual([keyOf(sandbox, 14)]);
});

test("a key that cannot be stored fails with the command that makes another", async () => {
  const sandbox = fresh({ disturb: injectFaults([parseFault("500:op=users.get")], async () => undefined) });
  const { code, err, places, keys } = await run(sandbox, [
    "bots",
    "create",
    "A",
    "--short-name",
    "a",
    "--store",
    "keychain",
  ]);
  expect(code).toBe(5);
  expect(err).toContain("Created bot 16. But its key cannot be saved:");
  expect(err).toContain("Get a new key with: zulipctl bots rotate-key 16 --print");
  expect(places).not.toContain(keyOf(sandbox, 16));
  expect(keys.size).toBe(1);
});

test("a key is printed even if the server refuses the owner", async () => {
  const sandbox = fresh();
  const create = ["bots", "create", "A", "--short-name", "a", "--owner", "15", "--print"];
  const { code, out, err } = await zulipctl(create, { sandbox });
  expect({ code, out }).toEqual({ code: 5, out: `${keyOf(sandbox, 16)}\n` });
  expect(err).toBe(
    "zulipctl: bot 16 was created, but its owner was not changed: Failed to change owner, user is deactivated\n" +
      "Try again with: zulipctl bots update 16 --owner 15\n",
  );
});

test("a dry run shows both requests, and makes no bot", async () => {
  const sandbox = fresh();
  const create = ["bots", "create", "A", "--short-name", "a", "--owner", "11", "--store", "keychain", "-n"];
  const { code, out, sent } = await zulipctl(create, { sandbox });
  expect({ code, out, sent }).toEqual({
    code: 0,
    sent: [],
    out:
      "POST https://chat.example/api/v1/bots  bots.create\n" +
      '  full_name = "A"\n  short_name = "a"\n  bot_type = 1\n' +
      "PATCH https://chat.example/api/v1/bots/<id of the bot>  bots.update\n  bot_owner_id = 11\n",
  });
});

test("neither the records of a batch nor its journal hold a key that the server made", async () => {
  const sandbox = fresh();
  const files = new Map<string, string>();
  const rows = "api POST /bots -f full_name=A -f short_name=a\napi POST /bots/14/api_key/regenerate\n";
  const { out, outcomes } = await batch(["-", "--format", "lines", "--yes"], { sandbox, input: rows, files });
  expect(outcomes).toEqual(["1 done", "2 done"]);
  const written = out + [...files.values()].join("\n");
  expect(written).toContain('"api_key":"[secret]"');
  for (const id of [14, 16]) expect(written).not.toContain(keyOf(sandbox, id));
});

test("commands with keys are not allowed in a batch", async () => {
  const { code, err } = await batch(["-", "--format", "lines"], { input: "bots rotate-key 14 --print\n" });
  expect(code).toBe(2);
  expect(err).toContain("bots rotate-key is not allowed in a batch");
});

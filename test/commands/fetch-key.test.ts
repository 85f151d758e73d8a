import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { KeychainFailure } from "../../src/world.ts";
import { fresh, person, site } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

const { email, password, api_key } = person(fresh(), 100);

/** Runs a command, and returns its world. */
async function run(argv: string[], setup: Setup = {}, prepare = (_world: ReturnType<typeof testWorld>) => {}) {
  const world = testWorld({ http: fresh().handle, ...setup });
  prepare(world);
  const code = await main(argv, world);
  return { code, out: world.stdout.text, err: world.stderr.text, world };
}

const words = ["fetch-key", "--site", site, "--username", email, "--password-stdin"];
const input = `${password}\n`;

test.each<[string[], string, [string, string][], [string, string][]]>([
  [[], "Profile chat.example", [["chat.example (chat.example)", api_key]], []],
  [["--profile", "work", "--store", "file"], "Profile work", [], [["/config/keys/work", `${api_key}\n`]]],
  [["--print"], api_key, [], []],
])("writes the key to one place only with %j", async (flags, start, keys, files) => {
  const { out, world } = await run([...words, ...flags], { input });
  expect(out.startsWith(start)).toBe(true);
  expect([[...world.keys], [...world.files.content]]).toEqual([keys, files]);
});

test("replaces the key of a known profile in the keychain", async () => {
  const account = "work (chat.example)";
  const config = { profiles: { work: { site, email, store: "keychain", account } } };
  const keys = new Map([[account, "old"]]);
  const { code, world } = await run(["fetch-key", "--profile", "work", "--password-stdin"], { input, config, keys });
  expect(code).toBe(0);
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
});

test("ends with 3 before the prompt if the keychain is locked", async () => {
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

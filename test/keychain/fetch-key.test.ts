import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { keychain } from "../../src/node/keychain.ts";
import { directory } from "../node/directory.ts";
import { fresh, person, site } from "../run.ts";
import { testWorld } from "../world.ts";
import { bus, describeKeychain } from "./bus.ts";

const sandbox = fresh();
const { email, password, api_key } = person(sandbox, 100);
const words = ["fetch-key", "--site", site, "--username", email, "--password-stdin", "--profile", "work"];

/** Runs a command with the keychain of `env`. */
async function run(argv: string[], env: Record<string, string>, config?: unknown) {
  const world = testWorld({ http: sandbox.handle, input: `${password}\n`, config });
  world.keychain = keychain(env, new AbortController().signal);
  const code = await main(argv, world);
  return { code, world, out: world.stdout.text, err: world.stderr.text };
}

describeKeychain("a key in the keychain of the desktop", () => {
  test("is stored by one command, used by another and removed by a third", async () => {
    const { env } = await bus(directory(), "unlocked");
    const fetched = await run(words, env);
    expect([fetched.code, fetched.err]).toEqual([0, ""]);
    expect(JSON.stringify(fetched.world.config())).not.toContain(api_key);
    const config = fetched.world.config();
    const status = await run(["auth", "status", "--jq", ".accepted"], env, config);
    expect([status.code, status.out]).toEqual([0, "true\n"]);
    expect((await run(["profile", "rm", "work"], env, config)).code).toBe(0);
    const afterRemoval = await run(["auth", "status"], env, config);
    expect([afterRemoval.code, afterRemoval.err.split("\n")[0]]).toEqual([
      3,
      "zulipctl: the key of profile work is not in the keychain",
    ]);
  });

  test("that is locked is reported before a password is sent", async () => {
    const home = directory();
    const unlocked = await bus(home, "unlocked");
    expect((await run(words, unlocked.env)).code).toBe(0);
    await unlocked.end();
    const { code, world, err } = await run(words, (await bus(home, "locked")).env);
    expect([code, world.sent]).toEqual([3, []]);
    expect(err).toMatch(/^zulipctl: the keychain is locked .*\n.*--store file\.\n$/);
  });
});

/** The tour as text, and what it leaves behind. `test/transcripts/tour.txt` has each command and its result. */
import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import { type Setup, testWorld } from "../world.ts";

async function tour(flags: string[] = [], setup: Setup = {}) {
  const world = testWorld(setup);
  const code = await main(["tour", ...flags], world);
  return { code, out: world.stdout.text, err: world.stderr.text, world };
}

test("shows each command with its result, and counts them", async () => {
  const { code, out } = await tour();
  expect(code).toBe(0);
  const [head, ...sections] = out.split("\n\n");
  expect(head).toBe(
    "A server in memory, feature level 500 (Zulip 12.3), with 8 people and bots and 7 channels.\nNothing leaves this process, and nothing is kept.",
  );
  expect(sections.pop()).toBe("11 commands done.\n");
  expect(sections[7]).toBe(
    "8. Update the members of a user group\n" +
      "$ zulipctl group members designers --add iris@sandbox.example\n" +
      'Updated group "designers": 1 member added.',
  );
});

test("ends at the first command that fails, with its exit code", async () => {
  const { code, out, err } = await tour(["--fault", "500:op=folder.create"]);
  expect(code).toBe(7);
  expect(out.trimEnd().split("\n\n").at(-1)).toBe(
    "4. Create a channel folder\n$ zulipctl folder create Tour --description 'Made by zulipctl tour'",
  );
  expect(err.split("\n").slice(1)).toEqual([
    'zulipctl: sandbox.example answered 500 with "Internal server error"; the change may or may not have been applied',
    "Check with: zulipctl folder list",
    'zulipctl: the tour stopped at "Create a channel folder": exit code 7',
    "",
  ]);
});

test("shows the commands that it leaves out", async () => {
  const { out } = await tour(["--feature-level", "371"]);
  expect(out).toContain("4. Create a channel folder\n(skipped: it requires feature level 389)\n");
  expect(out.endsWith("\n10 commands done, 1 skipped.\n")).toBe(true);
});

test("shows requests with --dry-run", async () => {
  const { code, out } = await tour(["-n"]);
  expect(code).toBe(0);
  expect(out).toContain("POST https://sandbox.example/api/v1/channel_folders/create");
  expect(out.endsWith("\n11 commands shown.\n")).toBe(true);
});

test("reads and changes no settings, keys or servers of the user", async () => {
  const env = { ZULIP_SITE: "https://live.example", ZULIPCTL_PROFILE: "live" };
  const config = { current: "live", profiles: {} };
  const { code, world } = await tour([], { env, config: structuredClone(config) });
  expect({ code, sent: world.sent, asked: world.asked, config: world.config(), keys: [...world.keys] }).toEqual({
    code: 0,
    sent: [],
    asked: [],
    config,
    keys: [],
  });
});

test("ends with 130 after Ctrl-C", async () => {
  const world = testWorld();
  const { write } = world.stdout;
  world.stdout.write = async (...chunks) => {
    await write.apply(world.stdout, chunks);
    if (String(chunks[0]).includes("3. ")) world.interrupt(new Interrupted("SIGINT"));
  };
  expect(await main(["tour"], world)).toBe(130);
  expect(world.stdout.text).not.toContain("4. ");
});

import { describe, expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import { type Setup, testWorld } from "../world.ts";

async function tour(flags: string[] = [], setup: Setup = {}) {
  const world = testWorld(setup);
  const code = await main(["tour", ...flags], world);
  return { code, out: world.stdout.text, err: world.stderr.text, world };
}

const titles = [
  "Update a channel",
  "Match messages against a narrow",
  "Fetch an API key",
  "Create a channel folder",
  "Create drafts",
  "List users",
  "Add an APNs device token",
  "Update the members of a user group",
  "Add a linkifier",
  "Delete an attachment",
  "Create a data export",
];

test("shows each of the eleven operations as a command with its result", async () => {
  const { code, out, err } = await tour();
  expect({ code, err }).toEqual({
    code: 0,
    err: [
      '"no": it does not match, or this account cannot see it.',
      "zulipctl: sandbox.example (feature level 442) deprecates apns register; a later release will drop it",
      "RFC6570 → https://www.rfc-editor.org/rfc/rfc6570\n",
    ].join("\n"),
  });
  const [head, ...stations] = out.split("\n\n");
  expect(head).toBe(
    "A server in memory, feature level 442, with 8 people and bots and 7 channels.\nNothing leaves this process, and nothing is kept.",
  );
  expect(stations.pop()).toBe("11 operations done.\n");
  expect(stations.map((station) => station.split("\n")[0])).toEqual(titles.map((title, n) => `${n + 1}. ${title}`));
  expect(stations[0]!.split("\n").slice(1)).toEqual([
    "$ zulipctl channel update design --description 'Shown to *everybody*' --topics-policy disable_empty_topic",
    'Updated channel "design": description set to "Shown to *everybody*"; topics_policy set to disable_empty_topic.',
  ]);
  expect(stations[1]!.split("\n").slice(1, 4)).toEqual([
    "$ zulipctl messages match --ids 1,2,3,4,5,6 --narrow 'channel:design sketch'",
    "ID\tMATCH\tTOPIC\tCONTENT",
    "1\tyes\tlogo\tA first sketch: see https://example.com/logo",
  ]);
  expect(stations[7]!.split("\n").slice(1)).toEqual([
    "$ zulipctl group members designers --add iris@sandbox.example",
    'Updated group "designers": 1 member added.',
  ]);
});

const fault = ["--fault", "500:op=folder.create"];

test("ends at the first command that fails, with its exit code", async () => {
  const { code, out, err } = await tour(fault);
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

test("gives what ran before the failure as data, and the failure as JSON", async () => {
  const { code, out, err } = await tour([...fault, "--json"]);
  expect(code).toBe(7);
  expect(JSON.parse(out).map(({ exit_code }: { exit_code: number }) => exit_code)).toEqual([0, 0, 0, 7]);
  expect(JSON.parse(err)).toEqual({
    error: {
      exit_code: 7,
      kind: "unknown",
      message: 'the tour stopped at "Create a channel folder": exit code 7',
    },
  });
});

test("leaves out, and says so, what the feature level or the organization lacks", async () => {
  const world = '{"users":[{"key":"ida","full_name":"Ida Ito","email":"ida@example.org","role":100}]}';
  const flags = ["--feature-level", "371", "--world", "world.json"];
  const { code, out } = await tour([...flags, "--json"], { files: new Map([["world.json", world]]) });
  expect(code).toBe(0);
  expect(JSON.parse(out).map(({ title, ...rest }: Record<string, unknown>) => [title, rest.left_out])).toEqual([
    ["Update a channel", "the organization has nothing to try it on"],
    ["Match messages against a narrow", "the organization has nothing to try it on"],
    ["Fetch an API key", undefined],
    ["Create a channel folder", "it requires feature level 389"],
    ["Create drafts", "the organization has nothing to try it on"],
    ["List users", undefined],
    ["Add an APNs device token", undefined],
    ["Update the members of a user group", "the organization has nothing to try it on"],
    ["Add a linkifier", undefined],
    ["Delete an attachment", "the organization has nothing to try it on"],
    ["Create a data export", undefined],
  ]);
  const people = await tour(flags, { files: new Map([["world.json", world]]) });
  expect(people.out).toContain("4. Create a channel folder\n(left out: it requires feature level 389)\n");
  expect(people.out.endsWith("\n5 operations done, 6 left out.\n")).toBe(true);
});

test("with --dry-run shows the requests and changes nothing", async () => {
  const { code, out } = await tour(["-n"]);
  expect(code).toBe(0);
  expect(out).toContain("POST https://sandbox.example/api/v1/channel_folders/create");
  expect(out.endsWith("\n11 operations shown.\n")).toBe(true);
});

test("reads and writes nothing of the person who takes it", async () => {
  const env = { ZULIP_SITE: "https://live.example", ZULIPCTL_PROFILE: "live" };
  const config = { current: "live", profiles: {} };
  const { code, world } = await tour([], { env, config: structuredClone(config) });
  expect(code).toBe(0);
  expect(world.sent).toEqual([]);
  expect(world.asked).toEqual([]);
  expect(world.config()).toEqual(config);
  expect([...world.keys]).toEqual([]);
});

test("Ctrl-C ends it with 130", async () => {
  const world = testWorld();
  const { write } = world.stdout;
  world.stdout.write = async (...said) => {
    await write.apply(world.stdout, said);
    if (String(said[0]).includes("3. ")) world.interrupt(new Interrupted("SIGINT"));
  };
  expect(await main(["tour"], world)).toBe(130);
  expect(world.stdout.text).not.toContain("4. ");
});

describe("tour --day", () => {
  test("shows a day's work, and what came of it", async () => {
    const { code, out, err } = await tour(["--day"]);
    expect({ code, err }).toEqual({ code: 0, err: "All uploads of the organization together take 53.8 KiB.\n" });
    const [, ...stations] = out.split("\n\n");
    expect(stations.pop()).toBe(`${stations.length} commands done.\n`);
    expect(stations.length).toBeGreaterThan(7);
    expect(stations[2]).toBe(
      '3. Move a channel into it\n$ zulipctl channel update design --folder Teams\nUpdated channel "design": folder set to Teams.',
    );
  });

  test("leaves out what an older server or a bare organization lacks, and all else runs", async () => {
    const world = '{"users":[{"key":"ida","full_name":"Ida Ito","email":"ida@example.org","role":100}]}';
    for (const level of ["371", "442"]) {
      const { code, out } = await tour(["--day", "--feature-level", level, "--world", "world.json", "--json"], {
        files: new Map([["world.json", world]]),
      });
      const records = JSON.parse(out) as Record<string, unknown>[];
      expect({ code, failed: records.filter(({ exit_code }) => exit_code) }).toEqual({ code: 0, failed: [] });
      expect(records.filter(({ left_out }) => left_out === undefined).length).toBeGreaterThan(1);
    }
    for (const level of ["371", "400"]) expect((await tour(["--day", "--feature-level", level])).code).toBe(0);
  });
});

/** `org apply` where a transcript is not enough: truncated plan files, runs that end midway, and the lock. */
import { expect, test } from "vitest";
import { main } from "../../../src/main.ts";
import { credentials, fresh, zulipctl } from "../../run.ts";
import { testWorld } from "../../world.ts";
import { changesOf, filesOf, stopsAnswering } from "./applying.ts";

const whole = `
settings: { description: We make things }
profile_fields:
  - { name: Team, type: options, options: [Design, Build] }
folders:
  - { name: Work, description: What we do }
groups:
  - { name: crew, description: All of us, members: [otis@sandbox.example], can_manage_group: crew }
  - { name: inner, description: Some, members: [], subgroups: [crew] }
channels:
  - { name: deck, description: On top, folder: Work, is_private: true, subscribers: [otis@sandbox.example], can_send_message_group: inner }
`;

const words = ["org", "apply", "--yes", "organization.yaml"];

test("refuses a truncated plan file", async () => {
  const sandbox = fresh();
  const files = filesOf(whole);
  await zulipctl(["org", "plan", "organization.yaml", "--out", "plan.json"], { sandbox, files });
  const text = files.get("plan.json")!;
  for (const length of [0, 1, 20, 200, text.length - 3]) {
    files.set("plan.json", text.slice(0, length));
    const { code, sent, err } = await zulipctl(["org", "apply", "--yes", "plan.json"], { sandbox, files });
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain("plan.json");
  }
});

test.each([1, 2, 3, 4, 5, 6])("does the rest after %i changes, and creates nothing twice", async (count) => {
  const sandbox = fresh();
  const files = filesOf(whole);
  const first = await zulipctl(words, { sandbox, files, http: stopsAnswering(sandbox, count) });
  expect(first.code).not.toBe(0);
  const second = await zulipctl(words, { sandbox, files });
  expect(second.code).toBe(0);
  const { groups, channels, folders } = sandbox.state;
  const names = [...groups.values(), ...channels.values(), ...folders.values()].map(({ name }) => name);
  const created = ["crew", "inner", "deck", "Work"];
  expect(names.filter((name) => created.includes(name)).sort()).toEqual(created.sort());
  expect((await zulipctl(["org", "plan", "organization.yaml", "--exit-code"], { sandbox, files })).code).toBe(0);
});

test("allows one run at a time for an account on a machine", async () => {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), files: filesOf(whole) });
  const account = "https%3A%2F%2Fchat.example+iris%40sandbox.example";
  const lock = await world.files.lock(`/state/organization/${account}`, 0);
  expect(await main(words, world)).toBe(2);
  expect(world.stderr.text).toBe(
    "zulipctl: another zulipctl org apply, users offboard or undo of this account is running\nWait until that run ends, or stop it.\n",
  );
  expect(changesOf(world.sent)).toEqual([]);
  await lock!.release();
  expect(await main(words, world)).toBe(0);
  expect(await world.files.lock(`/state/organization/${account}`, 0)).toBeDefined();
});

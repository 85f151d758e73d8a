import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { jsonText } from "../../src/output/sanitize.ts";
import { members, nobody, type Small, small } from "../permissions/organizations.ts";
import { readRecording } from "../permissions/recordings.ts";
import { fresh, zulipctl } from "../run.ts";

const kept = (snapshot: Snapshot): [string, string] => ["kept.json", jsonText(snapshot)];

/** Runs a command on a snapshot file, without an account or a server. */
const on = (snapshot: Snapshot, ...argv: string[]) =>
  zulipctl(["permissions", ...argv, "--from", "kept.json"], { env: {}, files: new Map([kept(snapshot)]) });

const drawing: Small = {
  people: [{ id: 50 }, { id: 51, role: 100 }, { id: 52, role: 600 }],
  groups: [
    { id: 10, name: "makers", subgroups: [11] },
    { id: 11, name: "designers", members: [50], can_manage_group: members },
  ],
  channels: [
    { id: 1, name: "design", private: true, subscribers: [51], can_subscribe_group: 10 },
    {
      id: 2,
      name: "old",
      is_archived: true,
      can_send_message_group: { direct_members: [50], direct_subgroups: [10] },
    },
  ],
};

describe("on a snapshot file", () => {
  test("all commands agree, without a server", async () => {
    const { snapshot } = readRecording(2);
    const { out, code, sent } = await on(snapshot, "list", "-o", "json");
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
    const all: { scope: string; target_id: number | null; permission: string; people: number; bots: number }[] =
      JSON.parse(out);
    const people = snapshot.organization.realm_users;
    const counted = new Map<string, number>();
    const key = ({ scope, target_id, permission }: { scope: string; target_id: number | null; permission: string }) =>
      `${scope} ${target_id} ${permission}`;
    for (const { user_id } of people)
      for (const row of JSON.parse((await on(snapshot, "of", String(user_id), "-o", "json")).out))
        counted.set(key(row), (counted.get(key(row)) ?? 0) + 1);
    expect(new Map(all.map((row) => [key(row), counted.get(key(row)) ?? 0]))).toEqual(
      new Map(all.map((row) => [key(row), row.people + row.bots])),
    );
    for (const row of all.filter((_, n) => n % 97 === 0)) {
      const flags = row.target_id === null ? [] : [`--${row.scope}`, String(row.target_id)];
      const who = JSON.parse((await on(snapshot, "who", row.permission, ...flags, "-o", "json")).out);
      expect(who).toHaveLength(row.people + row.bots);
      for (const { user_id } of people) {
        const found = who.find((one: { user_id: number }) => one.user_id === user_id);
        const { code, out } = await on(snapshot, "check", String(user_id), row.permission, ...flags, "-o", "json");
        const told = JSON.parse(out);
        expect({ code, allowed: told.allowed, through: told.ways[0] }).toEqual({
          code: found ? 0 : 8,
          allowed: Boolean(found),
          through: found?.through,
        });
      }
    }
  });

  test("list --granted-to includes settings that name a parent group", async () => {
    const { out } = await on(small(drawing), "list", "--granted-to", "designers", "-o", "csv");
    expect(out).toBe(
      "scope,target,target_id,permission,granted_to,people,guests,bots,title\r\n" +
        "channel,design,1,subscribe,makers,2,0,0,Subscribe\r\n" +
        "channel,design,1,can_subscribe_group,makers,2,0,0,Subscribe\r\n" +
        'channel,old,2,post,"user Person 50, group makers",0,0,0,Post\r\n' +
        'channel,old,2,can_send_message_group,"user Person 50, group makers",0,0,0,Send message\r\n',
    );
  });

  test("check shows paths that end with the person", async () => {
    const { out, err } = await on(small(drawing), "check", "name:Person 50", "read", "--channel", "design");
    expect({ out, err }).toEqual({
      out:
        "yes\n  makers › designers › Person 50  (can_subscribe_group)\n" +
        "  (what was sent before they came is another permission, history)\n",
      err: "",
    });
  });

  test("of --only-extra shows what groups and subscriptions grant, and --live skips archived channels", async () => {
    const { out } = await on(small(drawing), "of", "p50@example.com", "--only-extra", "--fields", "target,permission");
    expect(out).toBe(
      `TARGET\tPERMISSION\n${["see", "read", "subscribe", "can_subscribe_group"].map((name) => `design\t${name}\n`).join("")}`,
    );
    const of = async (...flags: string[]) => (await on(small(drawing), "of", "50", "--jq", ".[].target", ...flags)).out;
    expect(await of()).toContain("old\n");
    expect(await of("--live")).not.toContain("old\n");
  });

  test("-o ids does not mix ids of channels and groups, and prints each once", async () => {
    expect(await on(small(drawing), "list", "-o", "ids")).toMatchObject({
      code: 2,
      err: "zulipctl: -o ids would mix ids of organization, channel, group\nAdd --scope.\n",
    });
    expect((await on(small(drawing), "list", "--scope", "channel", "-o", "ids")).out).toBe("1\n2\n");
  });

  test("refuses a name or id that is not in the snapshot", async () => {
    expect((await on(small(drawing), "who", "read", "--channel", "desing")).err).toBe(
      'zulipctl: --channel: channel "desing" not found, or not visible to this account\nDid you mean: design (1)?\n',
    );
    expect(await on(small(drawing), "who", "read", "--channel", "77")).toMatchObject({
      code: 2,
      err: "zulipctl: --channel: channel 77 not found, or not visible to this account\n",
    });
    expect((await on(small(drawing), "check", "99", "own-organization")).code).toBe(2);
  });

  test("check answers partly for direct messages, with the exceptions", async () => {
    const writing = (value: number) => ({ realm_direct_message_permission_group: value });
    const asked = (value: number, permission = "direct_message_permission", ...flags: string[]) =>
      on(small({ ...drawing, organization: writing(value) }), "check", "52", permission, ...flags);
    expect(await asked(members)).toMatchObject({
      code: 8,
      out:
        "partly\n  in conversations with role:members, with bots alone, with themselves\n" +
        "  not in role:members, nor in any group in it (direct_message_permission_group); bots may\n" +
        "  (a conversation is allowed if one of those in it is in the group; with bots alone it always is)\n",
      err:
        "zulipctl: Person 52 may write direct messages only " +
        "in conversations with role:members, with bots alone, with themselves\n",
    });
    expect(JSON.parse((await asked(members, "direct_message_permission", "-o", "json")).out)).toMatchObject({
      allowed: false,
      exceptions: "in conversations with role:members, with bots alone, with themselves",
    });
    expect((await asked(nobody)).out).toMatch(/^partly\n {2}with bots alone, with themselves\n/);
    expect((await asked(members, "direct_message_initiator")).out).toMatch(
      /^partly\n {2}in conversations that are there, with bots alone, with themselves\n/,
    );
    const gone = drawing.people!.map((one) => (one.id === 52 ? { ...one, active: false as const } : one));
    const left = await on(
      small({ people: gone, organization: writing(members) }),
      "check",
      "52",
      "direct-message-permission",
    );
    expect(left).toMatchObject({ code: 8, out: expect.stringMatching(/^no\n {2}deactivated\n/) });
  });

  test("reports permissions that cannot be decided as unknown", async () => {
    const level: Small = { ...drawing, level: 441 };
    const channels = drawing.channels!.map((one) => ({ ...one, can_administer_channel_group: members }));
    const asked = ["change-privacy", "--channel", "design"];
    const told = await on(small({ ...level, channels }), "check", "50", ...asked, "-o", "json");
    expect({ ...told, out: JSON.parse(told.out) }).toMatchObject({
      code: 1,
      out: { allowed: null, ways: [], lacks: [], unknown: expect.stringContaining("between 372 and 442") },
    });
    expect(await on(small({ ...level, channels }), "who", ...asked)).toMatchObject({
      code: 1,
      err: expect.stringContaining("of 2 accounts it is unknown whether they can change who can see #design"),
    });
    expect(await on(small({ ...level, channels }), "of", "50", "--jq", "length")).toMatchObject({
      code: 0,
      err: expect.stringContaining("change_privacy"),
    });
  });

  test("list warns of unknown settings and uncounted permissions", async () => {
    const channels = drawing.channels!.map((one) => ({
      ...one,
      can_administer_channel_group: members,
      can_do_something_new_group: members,
    }));
    const organization = {
      server_supported_permission_settings: { realm: {}, group: {}, stream: { can_do_something_new_group: {} } },
    };
    const { out, err } = await on(
      small({ ...drawing, channels, organization, level: 390 }),
      ...["list", "--channel", "design", "--jq", ".[-1] | [.permission, .people]"],
    );
    expect({ out, err }).toEqual({
      out: '["can_do_something_new_group",2]\n',
      err:
        "zulipctl: settings unknown to this version, shown by their members only: can_do_something_new_group\n" +
        "zulipctl: unknown, not counted: change_privacy\n",
    });
  });
});

test("warns an account that sees only a part", async () => {
  const sandbox = fresh();
  const run = (as: number) => zulipctl(["permissions", "check", "me", "read", "--channel", "general"], { sandbox, as });
  const part =
    "zulipctl: only administrators and owners see the whole organization: results cover what this account sees\n";
  expect((await run(200)).err).not.toContain(part);
  expect(await run(400)).toMatchObject({ code: 0, err: expect.stringContaining(part) });
});

test("--dry-run shows the reads, and sends nothing", async () => {
  const { out, sent, code } = await zulipctl(["permissions", "list", "--dry-run", "-o", "json"]);
  expect({ code, sent }).toEqual({ code: 0, sent: [] });
  expect(JSON.parse(out).map(({ method, url }: Record<string, string>) => `${method} ${url}`)).toEqual([
    "POST https://chat.example/api/v1/register",
    "DELETE https://chat.example/api/v1/events",
    expect.stringContaining("GET https://chat.example/api/v1/channel_folders"),
  ]);
});

describe("diff --against", () => {
  const now: Small = {
    ...drawing,
    channels: drawing.channels!.map((one) => ({ ...one, subscribers: [52] })),
  };
  const diff = (...argv: string[]) =>
    zulipctl(["permissions", "diff", "--against", "old.json", "--from", "new.json", ...argv], {
      env: {},
      files: new Map([
        ["old.json", jsonText(small(drawing))],
        ["new.json", jsonText(small(now))],
      ]),
    });

  test("prints sentences, records with ids, and names in CSV", async () => {
    const { out, code, err, sent } = await diff();
    expect({ code, err, sent }).toEqual({ code: 0, err: "", sent: [] });
    expect(out.split("\n").slice(0, 3)).toEqual([
      "1 person can now see #design, #old: Person 52",
      "1 person can now read #design, #old: Person 52",
      "1 person can no longer read #design: Person 51",
    ]);
    expect(JSON.parse((await diff("-o", "json")).out)[1]).toEqual({
      scope: "channel",
      target: "design",
      target_id: 1,
      permission: "read",
      gain: [52],
      lose: [51],
    });
    expect((await diff("-o", "csv")).out.split("\r\n")[2]).toBe("channel,design,1,read,Person 52,Person 51");
  });

  test("refuses snapshots of different organizations", async () => {
    const files = new Map([
      ["old.json", jsonText({ ...small(drawing), site: "https://elsewhere.example" })],
      ["new.json", jsonText(small(now))],
    ]);
    const argv = ["permissions", "diff", "--against", "old.json", "--from", "new.json"];
    expect(await zulipctl(argv, { env: {}, files })).toMatchObject({
      code: 2,
      err: "zulipctl: --against: old.json is from https://elsewhere.example, not from https://chat.example\n",
    });
  });
});

describe("org plan", () => {
  const plan = (text: string, ...argv: string[]) =>
    zulipctl(["org", "plan", "organization.yaml", ...argv], { files: new Map([["organization.yaml", text]]) });

  test("shows who gains and loses permissions", async () => {
    const { out } = await plan("channels:\n  - name: council\n    subscribers: { remove: [mona@sandbox.example] }\n");
    const [rights, summary] = out.split("\n\n").slice(-2);
    expect(rights!.split("\n").slice(0, 3)).toEqual([
      "1 person can no longer see #council: Mona Moderator",
      "1 person can no longer read #council: Mona Moderator",
      "1 person can no longer read the history of #council: Mona Moderator",
    ]);
    expect(summary).toContain("1 to change. 1 request.");
  });

  test("does not report permissions of new things", async () => {
    const { out, code } = await plan("channels:\n  - name: brand new\n    subscribers: [mona@sandbox.example]\n");
    expect(code).toBe(0);
    expect(out).toContain("+ channel brand new");
    expect(out).not.toContain("can now");
  });
});

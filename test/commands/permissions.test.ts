/** `permissions` on snapshot files. `test/transcripts/permissions.txt` has the commands on a server. */
import { expect, test } from "vitest";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { jsonText } from "../../src/output/sanitize.ts";
import { members, type Small, small } from "../permissions/organizations.ts";
import { readRecording } from "../permissions/recordings.ts";
import { zulipctl } from "../run.ts";

/** Runs a command on a snapshot file, without an account or a server. */
const on = (snapshot: Snapshot, ...argv: string[]) =>
  zulipctl(["permissions", ...argv, "--from", "kept.json"], {
    env: {},
    files: new Map([["kept.json", jsonText(snapshot)]]),
  });

const drawing: Small = {
  people: [{ id: 50 }, { id: 51, role: 100 }, { id: 52, role: 600 }],
  groups: [{ id: 10, name: "makers", members: [50] }],
  channels: [{ id: 1, name: "design", private: true, subscribers: [51], can_subscribe_group: 10 }],
};

interface Row {
  scope: string;
  target_id: number | null;
  permission: string;
  people: number;
  bots: number;
}

test("all commands agree, without a server", async () => {
  const { snapshot } = readRecording(2);
  const { out, code, sent } = await on(snapshot, "list", "-o", "json");
  expect({ code, sent }).toEqual({ code: 0, sent: [] });
  const rows: Row[] = JSON.parse(out);
  const people = snapshot.organization.realm_users;
  const counts = new Map<string, number>();
  const key = ({ scope, target_id, permission }: Row) => `${scope} ${target_id} ${permission}`;
  for (const { user_id } of people)
    for (const row of JSON.parse((await on(snapshot, "of", String(user_id), "-o", "json")).out))
      counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  for (const row of rows) expect([key(row), counts.get(key(row)) ?? 0]).toEqual([key(row), row.people + row.bots]);
  for (const row of rows.filter((_, n) => n % 97 === 0)) {
    const flags = row.target_id === null ? [] : [`--${row.scope}`, String(row.target_id)];
    const holders = JSON.parse((await on(snapshot, "who", row.permission, ...flags, "-o", "json")).out);
    expect(holders).toHaveLength(row.people + row.bots);
    for (const { user_id } of people) {
      const holder = holders.find((one: { user_id: number }) => one.user_id === user_id);
      const { code, out } = await on(snapshot, "check", String(user_id), row.permission, ...flags, "-o", "json");
      const { allowed, ways } = JSON.parse(out);
      expect({ code, allowed, through: ways[0] }).toEqual({
        code: holder ? 0 : 8,
        allowed: Boolean(holder),
        through: holder?.through,
      });
    }
  }
});

test("list warns of unknown settings", async () => {
  const channels = [{ ...drawing.channels![0]!, can_do_something_new_group: members }];
  const organization = {
    server_supported_permission_settings: { realm: {}, group: {}, stream: { can_do_something_new_group: {} } },
  };
  const snapshot = small({ ...drawing, channels, organization });
  expect(await on(snapshot, "list", "--channel", "design", "--jq", ".[-1] | [.permission, .people]")).toMatchObject({
    out: '["can_do_something_new_group",2]\n',
    err: "zulipctl: settings unknown to this version, shown by their members only: can_do_something_new_group\n",
  });
});

test("diff refuses snapshots of different organizations", async () => {
  const files = new Map([
    ["old.json", jsonText({ ...small(drawing), site: "https://elsewhere.example" })],
    ["new.json", jsonText(small(drawing))],
  ]);
  const argv = ["permissions", "diff", "--against", "old.json", "--from", "new.json"];
  expect(await zulipctl(argv, { env: {}, files })).toMatchObject({
    code: 2,
    err: "zulipctl: --against: old.json is from https://elsewhere.example, not from https://chat.example\n",
  });
});

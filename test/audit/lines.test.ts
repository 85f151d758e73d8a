import { expect, test } from "vitest";
import { auditLines } from "../../src/audit/audit-lines.ts";
import type { LogChange } from "../../src/audit/entry.ts";

const change = (id: number, seconds: number, person: string, channel: string): LogChange => ({
  entry: {
    id,
    time: new Date(1_768_478_000_000 + seconds * 1000).toISOString(),
    by: { id: 9, email: "ada@example.com", name: "Ada" },
    action: "channel.subscriber_added",
    target: { kind: "channel", id: channel.length, name: channel },
    subject: { kind: "user", id, name: person },
    property: null,
    from: null,
    to: null,
    destructive: false,
  },
  kind: "channel",
  hidden: false,
  sentence: "added {subject} to {target}",
});

test.each([
  [{ is_private: false }, "public"],
  [{ is_private: false, is_web_public: true, message_retention_days: "realm_default" }, "web-public"],
  [{ is_private: true, message_retention_days: 30 }, "private, retention 30 days"],
  [
    { is_private: true, history_public_to_subscribers: false, message_retention_days: "unlimited" },
    "private, history hidden from newcomers, retention unlimited",
  ],
  [
    {
      is_private: false,
      can_administer_channel_group: { users: ["ada@example.com"] },
      can_send_message_group: "role:members",
      can_subscribe_group: "nobody",
      can_add_subscribers_group: { users: ["bo@example.com"], groups: ["makers"] },
    },
    "public, can_send_message_group role:members, can_add_subscribers_group user bo@example.com, group makers",
  ],
])("says that a channel was created with %j", (to, says) => {
  const { entry, ...rest } = change(1, 0, "Bo", "plans");
  const created = { ...rest, entry: { ...entry, subject: null, to }, sentence: "created channel {target}{settings}" };
  expect([...auditLines([created])].map(({ change }) => change)).toEqual([`created channel #plans: ${says}`]);
});

test("puts the entries of one request on a line, even if requests interleave", () => {
  const all = [
    ...["Bo", "Çem", "Dana", "Eli", "Finn"].flatMap((name, n) => [
      change(2 * n, n / 10, name, "general"),
      change(2 * n + 1, n / 10, name, "watercooler"),
    ]),
    change(20, 30, "Gus", "general"),
  ];
  expect([...auditLines(all)].map(({ change, entries }) => [change, entries])).toEqual([
    ["added 5 people to #general: Bo, Çem, Dana and 2 more", 5],
    ["added 5 people to #watercooler: Bo, Çem, Dana and 2 more", 5],
    ["added Gus to #general", 1],
  ]);
});

import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 0, 15, 12);

/** A year-old organization. Each channel got its last message so many days ago, or has no message. */
function aged(last: Readonly<Record<string, number>>) {
  const sandbox = fresh();
  const { channels, messages } = sandbox.state;
  for (const channel of channels.values()) channel.date_created = now - 400 * day;
  for (const [id, message] of messages) {
    const name = channels.get(message.stream_id ?? 0)?.name ?? "";
    if (name in last) message.date_sent = now - (last[name] ?? 0) * day;
    else messages.delete(id);
  }
  return sandbox;
}

const list = (sandbox: ReturnType<typeof fresh>, ...flags: string[]) =>
  zulipctl(["channel", "list", ...flags], { sandbox });

test("shows when the last message of each channel was sent", async () => {
  const { out } = await list(
    aged({ design: 3, general: 40 }),
    "--activity",
    "-o",
    "csv",
    "--fields",
    "name,last_message",
  );
  expect(out.split("\r\n")).toEqual([
    "name,last_message",
    "announcements,",
    "council,",
    "design,2026-01-12T12:00:00.000Z",
    "general,2025-12-06T12:00:00.000Z",
    "moderation requests,",
    "staff,",
    "",
  ]);
});

test("sends one request for each channel, without Notification Bot's messages", async () => {
  const { sent } = await list(aged({ design: 3 }), "--activity", "--match", "design");
  expect(sent.map(({ url }) => decodeURIComponent(new URL(url).search))).toEqual([
    "?include_all=true&include_default=true",
    '?anchor=newest&num_before=1&num_after=0&narrow=[{"operator":"channel","operand":1},{"operator":"sender","operand":"notification-bot@zulip.com","negated":true}]&apply_markdown=false',
    "?include_archived=true",
  ]);
});

test("--inactive-for picks channels without a message for so long, and counts those that it cannot read", async () => {
  const { out, err } = await list(aged({ design: 3, general: 40 }), "--inactive-for", "30d", "-o", "ids");
  expect({ out, err }).toEqual({
    out: "3\n2\n",
    err: "zulipctl: left out 3 private channels whose last message is unknown: this account cannot read it\n",
  });
});

test("--inactive-for reads nothing of channels that are younger", async () => {
  const sandbox = aged({});
  for (const channel of sandbox.state.channels.values()) channel.date_created = now - 2 * day;
  const { out, sent } = await list(sandbox, "--inactive-for", "30d", "-o", "ids");
  expect({ out, requests: sent.length }).toEqual({ out: "", requests: 1 });
});

test("a table shows which last messages are unknown", async () => {
  const { out } = await list(aged({ design: 3 }), "--activity", "--fields", "NAME,LAST MESSAGE");
  expect(out.split("\n")).toEqual([
    "NAME\tLAST MESSAGE",
    "announcements\tnever",
    "council\tunknown",
    "design\t2026-01-12 12:00Z",
    "general\tnever",
    "moderation requests\tunknown",
    "staff\tunknown",
    "",
  ]);
});

/** Findings that a transcript cannot bring about: `test/transcripts/permissions-findings.txt` has the others. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findingNames } from "../../src/permissions/findings/finding-kinds.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { hostile } from "../permissions/report/hostile.ts";
import { fresh, type Options, zulipctl } from "../run.ts";
import { setups } from "../transcripts/setups.ts";

const findings = (options: Options, ...argv: string[]) => zulipctl(["permissions", "findings", ...argv], options);

interface Organization {
  subscriptions: { stream_id: number; can_send_message_group: unknown }[];
  presences: object;
}

/** Saves a snapshot with changes as `kept.json`. */
async function saveSnapshot(
  sandbox: Sandbox,
  change: (organization: Organization) => void,
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  await zulipctl(["org", "snapshot", "--to", "kept.json"], { files, sandbox });
  const kept = JSON.parse(files.get("kept.json")!);
  change(kept.organization);
  return files.set("kept.json", JSON.stringify(kept));
}

const removePresence = (organization: Organization) => {
  organization.presences = {};
};

test("the transcript brings about every other finding", () => {
  const transcript = readFileSync(new URL("../transcripts/permissions-findings.txt", import.meta.url), "utf8");
  expect(findingNames.filter((name) => !transcript.includes(`{"finding":"${name}"`))).toEqual([
    // No command can fix it: test/permissions/report/make-report.test.ts.
    "channel_without_administrator",
    "permission_names_deactivated",
  ]);
});

test("the fix for deactivated people in a setting keeps the others", async () => {
  const sandbox = fresh();
  const files = await saveSnapshot(sandbox, ({ subscriptions }) => {
    const design = subscriptions.find(({ stream_id }) => stream_id === 1)!;
    design.can_send_message_group = { direct_members: [15, 11], direct_subgroups: [17] };
  });
  const only = ["--only", "permission_names_deactivated", "-o", "json"];
  const [found, ...others] = JSON.parse((await findings({ files }, ...only, "--from", "kept.json")).out);
  expect(others).toEqual([]);
  expect(found).toEqual({
    finding: "permission_names_deactivated",
    severity: "medium",
    target: { kind: "channel", id: 1, name: "design", permission: "post" },
    people: [15],
    message: "a setting names deactivated people, who could post in #design (Dora Departed)",
    fix: "zulipctl channel update 1 --can-send-message-group user:11,group:17",
  });
  expect(await zulipctl(found.fix.split(" ").slice(1), { sandbox })).toMatchObject({ code: 0 });
});

test("the last owner has no fix, and a notice lists people whose activity is unknown", async () => {
  const sandbox = fresh();
  sandbox.state.users.get(8)!.date_joined -= 365 * 86_400_000;
  sandbox.state.messages.clear();
  const only = ["--only", "inactive_administrator"];
  const [owner] = JSON.parse((await findings({ sandbox }, ...only, "-o", "json")).out);
  expect([owner.people, owner.fix]).toEqual([[8], null]);
  const files = await saveSnapshot(sandbox, removePresence);
  expect(await findings({ files, env: {} }, ...only, "--from", "kept.json")).toMatchObject({
    code: 0,
    sent: [],
    err: "zulipctl: owners and administrators without activity for 90 days: last activity unknown: Iris Owner, Adam Admin\nNo findings.\n",
  });
  const page = await zulipctl(["permissions", "report", "--to", "-", "--from", "kept.json"], { files, env: {} });
  expect(page.out).toContain("<b>Not known:</b> owners and administrators without activity for 90 days");
});

test("uses the newest export if presence is unknown", async () => {
  let time = Date.UTC(2026, 0, 15);
  const sandbox = fresh({ clock: { now: () => (time += 1000) } });
  setups["Adam is away for a year"]!(sandbox.state);
  const { messages } = sandbox.state;
  const [message] = messages.values();
  messages.set(999, { ...message!, id: 999, sender_id: 9, date_sent: Date.UTC(2025, 0, 15) });
  const files = await saveSnapshot(sandbox, removePresence);
  expect(await zulipctl(["audit", "fetch"], { files, sandbox })).toMatchObject({ code: 0 });
  const only = ["--only", "inactive_administrator", "--jq", ".[].message"];
  expect(await findings({ files, env: {} }, ...only, "--from", "kept.json")).toMatchObject({
    err: "",
    out: "Adam Admin has been inactive for 90 days or more (an administrator, no activity from 2025-01-15 to 2026-01-15)\n",
  });
});

test("--accept refuses a file that is not text", async () => {
  const { code, err, sent } = await findings({ files: new Map([["a.yaml", "\u0007"]]) }, "--accept", "a.yaml");
  expect({ code, sent }).toEqual({ code: 2, sent: [] });
  expect(err).toContain("a.yaml, line 1, column 1: control character: the file is not text");
});

test("hostile names reach no terminal and no command", async () => {
  const sandbox = fresh();
  const { channels } = sandbox.state;
  for (const [at, name] of hostile.entries())
    channels.set(500 + at, { ...structuredClone(channels.get(3)!), stream_id: 500 + at, name });
  const table = await findings({ sandbox });
  expect(table.code).toBe(0);
  expect(table.out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(table.out.trim().split("\n")).toHaveLength(hostile.length + 2);
  const { out } = await findings({ sandbox }, "--only", "web_public_channel", "-o", "json");
  for (const { fix, target } of JSON.parse(out))
    expect(fix).toBe(`zulipctl channel update ${target.id} --no-web-public`);
});

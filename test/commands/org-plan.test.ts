/** `org plan` where a transcript is not enough: the digest of a plan file, other accounts' snapshots, and long lists. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { readPlan } from "../../src/organization/plan/plan-file.ts";
import { defaultLevel } from "../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../run.ts";

const drift = "channels: [{ name: design, description: Drafts }]\n";

test("writes the plan with a digest, and rejects a plan that was changed", async () => {
  const files = new Map([["org.yaml", drift]]);
  await zulipctl(["org", "plan", "org.yaml", "--out", "plan.json"], { files });
  const text = files.get("plan.json")!;
  const { digest, ...content } = JSON.parse(text);
  expect(digest).toBe(`sha256:${createHash("sha256").update(JSON.stringify(content)).digest("hex")}`);
  const fields = [{ field: "description", from: "Sketches and **drafts**", to: "Drafts" }];
  expect(readPlan(text, "plan.json")).toMatchObject({
    site: "https://chat.example",
    email: "iris@sandbox.example",
    feature_level: defaultLevel,
    changes: [{ section: "channels", name: "design", id: 1, action: "update", fields }],
  });
  for (const [changed, message] of [
    [text.replace('"Drafts"', '"Draft"'), "plan.json was changed after it was made: its digest does not match"],
    [text.replace('"version": 2', '"version": 1'), "plan.json is a plan of version 1; this zulipctl reads version 2"],
    ["{}", "plan.json is not a plan"],
    ["{", "plan.json:1:2: "],
  ] as const)
    expect(() => readPlan(changed, "plan.json")).toThrow(new RegExp(`^${message}`));
  expect(() => readPlan("[]", "plan.json")).toThrow(Usage);
});

test("refuses the snapshot of an account that does not see everything", async () => {
  const files = new Map([["org.yaml", drift]]);
  await zulipctl(["org", "snapshot", "--to", "all.json"], { files });
  const snapshot = JSON.parse(files.get("all.json")!);
  const organization = { ...snapshot.organization, user_id: 12 };
  files.set("all.json", JSON.stringify({ ...snapshot, email: "otis@sandbox.example", organization }));
  expect(await zulipctl(["org", "plan", "org.yaml", "--from", "all.json"], { files, env: {} })).toEqual({
    code: 1,
    out: "",
    err: "zulipctl: all.json is what otis@sandbox.example sees: only administrators and owners see the whole organization\nTake a snapshot as one of them.\n",
    sent: [],
  });
});

test("names the command for a plan and a snapshot in place of an organization file", async () => {
  const files = new Map([["org.yaml", drift]]);
  await zulipctl(["org", "plan", "org.yaml", "--out", "plan.json"], { files });
  await zulipctl(["org", "snapshot", "--to", "now.json"], { files });
  for (const [argv, message] of [
    [
      ["org", "plan", "plan.json"],
      "plan.json is a plan, not an organization file\nUse it with: zulipctl org apply plan.json",
    ],
    [
      ["org", "apply", "now.json", "--yes"],
      "now.json is a snapshot, not an organization file\nUse it with: zulipctl org export --from now.json",
    ],
  ] as const)
    expect(await zulipctl([...argv], { files })).toMatchObject({ code: 2, err: `zulipctl: ${message}\n`, sent: [] });
});

test("shows who gains a permission, however long the list is", async () => {
  const sandbox = fresh({ users: 12 });
  const { users, channels } = sandbox.state;
  const crowd = [...users.values()].filter(({ delivery_email }) => /^crowd/.test(delivery_email));
  const direct_members = crowd.slice(0, 11).map(({ user_id }) => user_id);
  channels.get(1)!.settings.can_send_message_group = { direct_members, direct_subgroups: [] };
  const all = crowd.map(({ delivery_email }) => delivery_email).join(", ");
  const files = new Map([["a.yaml", `channels: [{ name: design, can_send_message_group: { users: [${all}] } }]`]]);
  const { out } = await zulipctl(["org", "plan", "a.yaml"], { sandbox, files });
  expect(out).toContain(`can_send_message_group: + ${crowd[11]!.full_name}\n`);
});

test("notes the subscribers that this account could not put back", async () => {
  const sandbox = fresh();
  const subscribers = async (...words: string[]) => {
    const argv = ["channel", "subscribers", "staff", ...words, "--yes"];
    expect((await zulipctl(argv, { sandbox })).code).toBe(0);
  };
  await subscribers("--add", "adam@sandbox.example,otis@sandbox.example");
  const planned = async (...subscribers: string[]) => {
    const listed = { name: "staff", subscribers };
    const files = new Map([["org.yaml", JSON.stringify({ channels: [listed] })]]);
    const { code, err } = await zulipctl(["org", "plan", "org.yaml", "--allow-lockout"], { sandbox, files });
    expect(code, err).toBe(0);
    return err;
  };
  const note =
    "channel staff: once removed, subscribers cannot be put back: this account does not read the private channel";
  expect(await planned("adam@sandbox.example")).toContain(note);
  expect(await planned("adam@sandbox.example", "iris@sandbox.example")).not.toContain(note);
});

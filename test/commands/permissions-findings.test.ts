/** The findings, and the commands that fix them. */
import { describe, expect, test } from "vitest";
import { type FindingName, findingKinds, findingNames } from "../../src/permissions/findings/kinds.ts";
import type { Sandbox, State } from "../../src/sandbox/index.ts";
import { hostile } from "../permissions/report/hostile.ts";
import { fresh, type Options, zulipctl } from "../run.ts";

const groupNamed = ({ groups }: State, name: string) => [...groups.values()].find((group) => group.name === name)!;
const year = 365 * 86_400_000;

/** Adam has done nothing for a year. */
function adamIsAway({ users, messages }: State): void {
  users.get(9)!.date_joined -= year;
  for (const [id, { sender_id }] of messages) if (sender_id === 9) messages.delete(id);
}

const nobodyNamed = { direct_members: [], direct_subgroups: [] };

interface Found {
  finding: FindingName;
  severity: string;
  target: { kind: string; id: number | string | null; name: string | null; permission: string | null };
  people: number[];
  message: string;
  fix: string | null;
}

async function find(sandbox: Sandbox, only: string, options: Options = {}): Promise<Found[]> {
  const { code, out } = await zulipctl(["permissions", "findings", "--only", only, "-o", "json"], {
    sandbox,
    ...options,
  });
  expect(code).toBe(0);
  return JSON.parse(out);
}

interface Try {
  finding: FindingName;
  /** What makes it so: command lines, or what no request can. */
  by: readonly string[] | ((state: State) => void);
  message: string;
  fix: string | null;
  people?: readonly number[];
  target: readonly [kind: string, id: number | string | null, permission?: string];
}

const tries: Try[] = [
  {
    finding: "open_organization",
    by: ["settings update invite_required=false emails_restricted_to_domains=false"],
    message: "anybody can join the organization: invite_required is off, and e-mail domains are not restricted",
    fix: "settings update invite_required=true",
    target: ["organization", null],
  },
  {
    finding: "inactive_administrator",
    by: adamIsAway,
    message:
      "Adam Admin has been inactive for 90 days or more (an administrator, no activity from 2025-01-15 to 2026-01-15)",
    fix: "users update 9 --role member",
    people: [9],
    target: ["user", 9],
  },
  {
    finding: "permanent_invitation_link",
    by: ["invite link --role guest --expires never", "invite link --role guest --expires 7d"],
    message: "invitation link:1 never expires (for guests)",
    fix: "invite rm link:1",
    people: [8],
    target: ["invitation", "link:1"],
  },
  {
    finding: "powerful_bot",
    by: ["users update 14 --role moderator"],
    message: "Beep Bot has more than a member's rights (a moderator)",
    fix: "users update 14 --role member",
    target: ["bot", 14],
  },
  {
    finding: "powerful_bot",
    by: ["group create robots --add 14", "settings update can_delete_any_message_group=robots"],
    message: "Beep Bot has more than a member's rights (Delete any message; 3 channels: delete any message)",
    fix: "users deactivate 14",
    target: ["bot", 14],
  },
  {
    finding: "web_public_channel",
    by: [],
    message: "#announcements is open to the web",
    fix: "channel update 3 --no-web-public",
    target: ["channel", 3],
  },
  {
    finding: "web_public_creators",
    by: (state) => {
      state.organization.permissions.can_create_web_public_channel_group = groupNamed(state, "role:members").id;
    },
    message: "members can open channels to the web (Cora Member, Otis Member)",
    fix: "settings update can_create_web_public_channel_group=role:owners",
    people: [11, 12],
    target: ["organization", null, "can_create_web_public_channel_group"],
  },
  {
    finding: "guests_in_private_channel",
    by: ["channel subscribers staff --add 13"],
    message: "guests are subscribed to the private channel #staff (Gwen Guest)",
    fix: "channel subscribers 4 --delete 13",
    people: [13],
    target: ["channel", 4],
  },
  {
    finding: "permission_reaches_guests",
    by: ["settings update can_mention_many_users_group=role:everyone"],
    message: "guests can mention everybody in large channels and topics (by default Administrators)",
    fix: "settings update can_mention_many_users_group=role:administrators",
    people: [13],
    target: ["organization", null, "can_mention_many_users_group"],
  },
  {
    finding: "left_to_deactivated",
    by: ({ channels }) => {
      channels.get(1)!.settings.can_administer_channel_group = nobodyNamed;
    },
    message: "the setting that says who manages #design names no active account",
    fix: "channel update 1 --can-administer-channel-group role:administrators",
    target: ["channel", 1],
  },
  {
    finding: "closed_private_channel",
    by: ["channel subscribers staff --delete 8,9"],
    message: "nobody can subscribe others to the private channel #staff",
    fix: "channel archive 4",
    target: ["channel", 4],
  },
  {
    finding: "closed_private_channel",
    by: [
      "settings update can_add_subscribers_group=role:administrators",
      "channel subscribers staff --add 11",
      "channel subscribers staff --delete 8,9",
    ],
    message: "nobody can subscribe others to the private channel #staff",
    fix: "channel update 4 --can-administer-channel-group user:8,user:11",
    target: ["channel", 4],
  },
  {
    finding: "unmanaged_group",
    by: (state) => {
      state.organization.permissions.can_manage_all_groups = groupNamed(state, "role:nobody").id;
      for (const group of state.groups.values())
        if (group.name === "writers") group.settings.can_manage_group = groupNamed(state, "role:nobody").id;
    },
    message: "nobody can manage @writers",
    fix: "settings update can_manage_all_groups=role:administrators",
    target: ["group", 18],
  },
  {
    finding: "permission_reaches_members",
    by: ["group update designers --can-manage-group role:members"],
    message: "every member can manage @designers (by default whoever made it)",
    fix: "group update 17 --can-manage-group user:9",
    people: [8, 9, 10, 11, 12],
    target: ["group", 17, "can_manage_group"],
  },
  {
    finding: "nearly_empty_private_channel",
    by: ["channel subscribers staff --delete 9"],
    message: "the private channel #staff has one subscriber, or none (Iris Owner)",
    fix: "channel archive 4",
    people: [8],
    target: ["channel", 4],
  },
  {
    finding: "channel_with_one_administrator",
    by: ["users update 9 --role member"],
    message: "only one person can administer #design (Iris Owner)",
    fix: "channel update 1 --can-administer-channel-group role:moderators",
    people: [8],
    target: ["channel", 1],
  },
  {
    finding: "empty_group",
    by: ["group create testers"],
    message: "@testers has no members",
    fix: "group deactivate 20",
    target: ["group", 20],
  },
  {
    finding: "empty_group",
    by: ["group create testers", "channel update design --can-send-message-group testers"],
    message: "@testers has no members",
    fix: "group members 20 --add me",
    target: ["group", 20],
  },
];

async function prepare({ by }: Pick<Try, "by">): Promise<Sandbox> {
  const sandbox = fresh();
  if (typeof by === "function") by(sandbox.state);
  else
    for (const line of by) {
      const { code, err } = await zulipctl([...line.split(" "), "--yes"], { sandbox });
      expect({ line, code, err }).toMatchObject({ code: 0 });
    }
  return sandbox;
}

describe("a finding disappears after its command", () => {
  test.each(tries)("$finding: $message", async ({ finding, message, fix, people = [], target, ...rest }) => {
    const sandbox = await prepare(rest);
    const [kind, id, permission = null] = target;
    const found = await find(sandbox, finding);
    const [first] = found.filter((one) => one.message === message);
    expect(first ?? found).toEqual({
      finding,
      severity: findingKinds[finding].severity,
      target: { kind, id, name: first?.target.name, permission },
      people,
      message,
      fix: `zulipctl ${fix}`,
    });
    const run = await zulipctl([...fix!.split(" "), "--yes"], { sandbox });
    expect(run).toMatchObject({ code: 0 });
    expect((await find(sandbox, finding)).filter((one) => one.target.id === id && one.target.kind === kind)).toEqual(
      [],
    );
  });

  test("also for deactivated people in a setting", async () => {
    const sandbox = fresh();
    const files = new Map<string, string>();
    await zulipctl(["org", "snapshot", "--to", "kept.json"], { files, sandbox });
    const kept = JSON.parse(files.get("kept.json")!);
    const design = kept.organization.subscriptions.find((channel: { stream_id: number }) => channel.stream_id === 1);
    design.can_send_message_group = { direct_members: [15, 11], direct_subgroups: [17] };
    files.set("kept.json", JSON.stringify(kept));
    const from = ["permissions", "findings", "--only", "permission_names_deactivated", "-o", "json"];
    const { out } = await zulipctl([...from, "--from", "kept.json"], { files });
    expect(JSON.parse(out)).toEqual([
      {
        finding: "permission_names_deactivated",
        severity: "medium",
        target: { kind: "channel", id: 1, name: "design", permission: "post" },
        people: [15],
        message: "a setting names deactivated people, who could post in #design (Dora Departed)",
        fix: "zulipctl channel update 1 --can-send-message-group user:11,group:17",
      },
    ]);
    const fix = JSON.parse(out)[0].fix.split(" ").slice(1);
    expect(await zulipctl(fix, { sandbox })).toMatchObject({ code: 0 });
  });

  test("for all but one, which no request can fix", () => {
    const tried = new Set(tries.map(({ finding }) => finding));
    expect(findingNames.filter((name) => !tried.has(name))).toEqual([
      "channel_without_administrator",
      "permission_names_deactivated",
    ]);
  });
});

const everything = async (argv: readonly string[], options: Options = {}) =>
  zulipctl(["permissions", "findings", ...argv], options);

/** A snapshot in which nobody's activity is known. */
async function keepWithoutPresence(files: Map<string, string>, sandbox: Sandbox): Promise<void> {
  await zulipctl(["org", "snapshot", "--to", "kept.json"], { files, sandbox });
  const { organization, ...rest } = JSON.parse(files.get("kept.json")!);
  files.set("kept.json", JSON.stringify({ ...rest, organization: { ...organization, presences: {} } }));
}

test("the last owner has no fix, and people without known activity are listed in a notice", async () => {
  const sandbox = fresh();
  const files = new Map<string, string>();
  sandbox.state.users.get(8)!.date_joined -= year;
  sandbox.state.messages.clear();
  const [owner] = await find(sandbox, "inactive_administrator");
  expect([owner?.people, owner?.fix]).toEqual([[8], null]);
  await keepWithoutPresence(files, sandbox);
  const kept = await everything(["--only", "inactive_administrator", "--from", "kept.json"], { files, env: {} });
  expect(kept).toMatchObject({ code: 0, sent: [] });
  expect(kept.err).toBe(
    "zulipctl: owners and administrators without activity for 90 days: last activity unknown: Iris Owner, Adam Admin\nNo findings.\n",
  );
  const page = await zulipctl(["permissions", "report", "--to", "-", "--from", "kept.json"], { files, env: {} });
  expect(page.out).toContain("<b>Not known:</b> owners and administrators without activity for 90 days");
});

test("uses the newest export if presence is unknown", async () => {
  let time = Date.UTC(2026, 0, 15);
  const sandbox = fresh({ clock: { now: () => (time += 1000) } });
  const files = new Map<string, string>();
  adamIsAway(sandbox.state);
  await keepWithoutPresence(files, sandbox);
  expect(await zulipctl(["audit", "fetch"], { files, sandbox })).toMatchObject({ code: 0 });
  const { out, err } = await everything(["--only", "inactive_administrator", "--from", "kept.json", "-o", "json"], {
    files,
    env: {},
  });
  expect({ err, messages: JSON.parse(out).map(({ message }: Found) => message) }).toEqual({
    err: "",
    messages: [
      "Adam Admin has been inactive for 90 days or more (an administrator, no activity from 2025-01-15 to 2026-01-15)",
    ],
  });
});

test("an account that sees only a part reads no invitations, and reports it", async () => {
  const { code, err, sent } = await everything([], { as: 400 });
  expect(code).toBe(0);
  expect(sent.some(({ url }) => url.includes("/invites"))).toBe(false);
  expect(err).toContain("zulipctl: invitation links that never expire: only administrators see all invitation links\n");
});

test("--exit-code ends with 8 if there are findings, the most severe first", async () => {
  const sandbox = await prepare({ by: ["settings update invite_required=false", "group create testers"] });
  const { code, out, err } = await everything(["--exit-code"], { sandbox });
  expect({ code, err }).toEqual({ code: 8, err: "zulipctl: 3 findings\n" });
  expect(out.split("\n").map((line) => line.split("\t").slice(0, 3).join(" "))).toEqual([
    "SEVERITY FINDING TARGET",
    "high open_organization organization",
    "medium web_public_channel channel announcements",
    "low empty_group group testers",
    "",
  ]);
  expect(await everything(["--exit-code", "--only", "powerful-bot"], { sandbox })).toMatchObject({
    code: 0,
    out: "SEVERITY\tFINDING\tTARGET\tMESSAGE\tFIX\n",
    err: "No findings.\n",
  });
});

test("prints every output format", async () => {
  const sandbox = await prepare({ by: ["channel subscribers staff --add 13"] });
  const only = ["--only", "guests_in_private_channel"];
  const form = async (name: string) => (await everything([...only, "-o", name], { sandbox })).out;
  expect(await form("csv")).toBe(
    "finding,severity,target,people,message,fix\r\n" +
      "guests_in_private_channel,medium,channel staff,Gwen Guest,guests are subscribed to the private channel #staff (Gwen Guest),zulipctl channel subscribers 4 --delete 13\r\n",
  );
  expect(JSON.parse(await form("ndjson"))).toMatchObject({ people: [13], target: { kind: "channel", id: 4 } });
  expect(await form("yaml")).toContain("people:\n    - 13\n");
  expect(await form("ids")).toBe("4\n");
  const mixed = await prepare({ by: ["group create testers"] });
  expect(await everything(["-o", "ids"], { sandbox: mixed })).toMatchObject({
    code: 2,
    err: "zulipctl: -o ids would mix ids of channel, group\nAdd --only.\n",
  });
});

describe("--accept", () => {
  const accept = (text: string, argv: readonly string[] = []) =>
    everything(["--accept", "accepted.yaml", "--exit-code", "--only", "web_public_channel", ...argv], {
      files: new Map([["accepted.yaml", text]]),
    });
  const entry = (more = "", target = "channel announcements") =>
    `- finding: web_public_channel\n  target: ${target}\n  why: It is our blog.\n${more}`;

  test.each([
    ["skips accepted findings", entry(), { code: 0, err: "No findings.\n" }],
    ["accepts until the end of the last day", entry("  until: 2026-01-15\n"), { code: 0, err: "No findings.\n" }],
    [
      "shows findings again after that day",
      entry("  until: 2026-01-14\n"),
      {
        code: 8,
        err: "zulipctl: accepted.yaml:1:3: accepted until 2026-01-14, counts again: web_public_channel, channel announcements\nzulipctl: 1 finding\n",
      },
    ],
    [
      "reports entries that are no longer found",
      `${entry()}${entry("", "channel news")}`,
      {
        code: 0,
        err: "zulipctl: accepted.yaml:4:3: no longer found: web_public_channel, channel news\nNo findings.\n",
      },
    ],
    [
      "ignores entries of other findings",
      `${entry()}- { finding: empty_group, target: group x, why: y }\n`,
      { code: 0, err: "No findings.\n" },
    ],
    ["accepts an empty list", "[]\n", { code: 8, err: "zulipctl: 1 finding\n" }],
  ])("%s", async (_, text, { code, err }) => {
    expect(await accept(text)).toMatchObject({ code, err });
  });

  test.each([
    ["finding: x\n", "line 1, column 1: must be a list"],
    [entry().replace("web_public_channel", "web_publik"), "line 1, column 12: finding: must be "],
    [entry("  untill: 2026-01-15\n"), 'line 4, column 3: unknown key "untill"; did you mean "until"?'],
    [entry("  until: 2026-02-30\n"), "line 4, column 10: until: must be a day such as 2027-06-30"],
    ["- finding: web_public_channel\n  target: channel announcements\n", 'line 1, column 3: "why" is missing'],
    [entry("", "''"), "line 2, column 11: target: must not be empty"],
    ["- [\n", "line 2, column 1: "],
    ["\u0007", "line 1, column 1: control character: the file is not text"],
  ])("refuses %j", async (text, says) => {
    const { code, err, sent } = await accept(text);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain(`accepted.yaml, ${says}`);
  });

  test("refuses a missing file", async () => {
    expect(await everything(["--accept", "none.yaml"])).toMatchObject({ code: 2, sent: [] });
  });

  test("accepts every finding by its target in the table", async () => {
    for (const each of tries) {
      const sandbox = await prepare(each);
      const { out } = await everything(["--only", each.finding, "-o", "json"], { sandbox });
      const table = await everything(["--only", each.finding, "-o", "csv", "--fields", "target"], { sandbox });
      expect(JSON.parse(out).length).toBeGreaterThan(0);
      const targets = table.out.trim().split("\r\n").slice(1);
      const text = targets.map((target) => `- { finding: ${each.finding}, target: "${target}", why: x }\n`).join("");
      const left = await everything(["--only", each.finding, "--accept", "a.yaml", "--exit-code"], {
        sandbox,
        files: new Map([["a.yaml", text]]),
      });
      expect({ finding: each.finding, code: left.code }).toEqual({ finding: each.finding, code: 0 });
    }
  });
});

test("another account with the name of an accepted one is not accepted", async () => {
  const sandbox = await prepare({ by: ["users update 14 --role moderator"] });
  const { users } = sandbox.state;
  users.set(16, { ...users.get(14)!, user_id: 16, delivery_email: "evil-bot@sandbox.example" });
  const text = "- { finding: powerful_bot, target: bot beep-bot@sandbox.example, why: x }\n";
  const { out } = await everything(["--only", "powerful_bot", "--accept", "a.yaml", "-o", "ids"], {
    sandbox,
    files: new Map([["a.yaml", text]]),
  });
  expect(out).toBe("16\n");
});

test("hostile names reach no terminal and no command", async () => {
  const sandbox = fresh();
  for (const [at, name] of hostile.entries()) {
    const like = sandbox.state.channels.get(3)!;
    sandbox.state.channels.set(500 + at, { ...structuredClone(like), stream_id: 500 + at, name });
  }
  const table = await everything([], { sandbox });
  expect(table.code).toBe(0);
  expect(table.out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(table.out.trim().split("\n")).toHaveLength(hostile.length + 2);
  for (const { fix, target } of await find(sandbox, "web_public_channel"))
    expect(fix).toBe(`zulipctl channel update ${target.id} --no-web-public`);
});

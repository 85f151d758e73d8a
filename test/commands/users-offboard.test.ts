/** `users offboard`: hands over what people hold, then deactivates them. */
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";
import { answer } from "../world.ts";
import { changing, channelNamed, dying, filesOf, hinted, meddling } from "./org/applying.ts";

const alone = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] as number[] });
const groupNamed = ({ groups }: Sandbox["state"], name: string) =>
  [...groups.values()].find((each) => each.name === name)!;

/** Cora has permissions of all kinds, a channel without other people, a group, a bot and an invitation. */
function holding({ level }: { level?: number } = {}): Sandbox {
  const sandbox = fresh(level === undefined ? {} : { level });
  const { state } = sandbox;
  const { users, invitations, organization } = state;
  users.get(14)!.bot_owner_id = 11;
  const invitation = { key: "", invited: 0, expiry_date: null, invited_as: 400, notify_referrer_on_join: false };
  invitations.push({ ...invitation, id: 1, email: "guest@example.com", invited_by_user_id: 11, revoked: false });
  organization.permissions.can_create_groups = alone(9, 11);
  const general = channelNamed(state, "general");
  general.settings.can_administer_channel_group = alone(11);
  general.subscribers = new Set([11, 14]);
  groupNamed(state, "writers").settings.can_manage_group = alone(11);
  return sandbox;
}

/** Who has what Cora had. */
function holders({ state }: Sandbox) {
  const { users, organization } = state;
  const general = channelNamed(state, "general");
  return {
    organization: organization.permissions.can_create_groups,
    channel: general.settings.can_administer_channel_group,
    subscribers: [...general.subscribers],
    group: groupNamed(state, "writers").settings.can_manage_group,
    designer: groupNamed(state, "designers").members.has(11),
    bot: [users.get(14)!.bot_owner_id, users.get(14)!.is_active],
    active: users.get(11)!.is_active,
  };
}

const check = async (sandbox: Sandbox, who = "11") =>
  (await zulipctl(["users", "offboard", "--check", who], { sandbox })).out;
const nothingLeft = "Nothing is left behind by Cora Member.\n";

describe("users offboard", () => {
  test("gives what somebody holds to --to, in the order of the plan, and deactivates them", async () => {
    const sandbox = holding();
    const { code, err, sent } = await zulipctl(["users", "offboard", "11", "--to", "12", "--yes"], { sandbox });
    expect(code).toBe(0);
    expect(err).toBe(`https://chat.example as iris@sandbox.example, level 442

~ group writers
    can_manage_group: Cora Member → Otis Member
~ channel general
    can_administer_channel_group: Cora Member → Otis Member
    subscribers: + Otis Member
~ settings
    can_create_groups: Adam Admin, Cora Member → Adam Admin, Otis Member
~ bot Beep Bot
    owner: Cora Member → Otis Member
~ group designers
    members: − Cora Member
- person Cora Member (cora@sandbox.example): deactivated
  ! logs them out everywhere
  ! revokes invitation guest@example.com

5 to change, 1 to remove. 7 requests, 2 people get a message.
zulipctl: 6 of 6 changes done
zulipctl: verified: everything is applied
`);
    expect(changing(sent)).toEqual([
      "PATCH /user_groups/18",
      "PATCH /streams/2",
      "PATCH /realm",
      "POST /users/me/subscriptions",
      "PATCH /bots/14",
      "POST /user_groups/17/members",
      "DELETE /users/11",
    ]);
    expect(holders(sandbox)).toEqual({
      organization: alone(9, 12),
      channel: alone(12),
      subscribers: [11, 14, 12],
      group: alone(12),
      designer: false,
      bot: [12, true],
      active: false,
    });
    expect(await check(sandbox)).toBe(nothingLeft);
  });

  test("removes them without --to, and lists what nobody has then", async () => {
    const sandbox = holding();
    const { code, err } = await zulipctl(["users", "offboard", "11", "--yes"], { sandbox });
    expect(code).toBe(0);
    expect(err.split("\n").filter((line) => line.startsWith("  !"))).toEqual([
      "  ! logs them out everywhere",
      "  ! leaves can_administer_channel_group of channel general to nobody",
      "  ! leaves channel general without subscribers",
      "  ! leaves can_manage_group of group writers to nobody",
      "  ! deactivates bot Beep Bot",
      "  ! revokes invitation guest@example.com",
    ]);
    const nobody = groupNamed(sandbox.state, "role:nobody").id;
    expect(holders(sandbox)).toMatchObject({
      organization: alone(9),
      channel: nobody,
      group: nobody,
      designer: false,
      bot: [11, false],
      active: false,
    });
    expect(await check(sandbox)).toBe(nothingLeft);
  });

  test("asks once, with the plan before it, and a no sends nothing", async () => {
    const sandbox = holding();
    const options = { sandbox, terminal: true, confirm: [false] };
    const { asked, sent } = await zulipctlAsking(["users", "offboard", "11"], options);
    expect(asked).toEqual(["Apply these 5 changes (1 destructive) to chat.example?"]);
    expect(changing(sent)).toEqual([]);
  });

  test("makes --to administrator of a channel that they administered through a group", async () => {
    const sandbox = fresh();
    const { state } = sandbox;
    const writers = groupNamed(state, "writers");
    writers.members = new Set([11]);
    const { settings } = channelNamed(state, "general");
    settings.can_administer_channel_group = writers.id;
    settings.can_subscribe_group = writers.id;
    const { err } = await zulipctl(["users", "offboard", "11", "--to", "12", "--yes"], { sandbox });
    expect(settings.can_administer_channel_group).toEqual({ direct_members: [12], direct_subgroups: [writers.id] });
    expect(settings.can_subscribe_group).toBe(writers.id);
    expect(err).toContain("  ! leaves can_subscribe_group of channel general to nobody\n");
    expect(err).not.toContain("leaves can_administer_channel_group");
  });

  test("offboards several people together: a channel of two of them has nobody then", async () => {
    const sandbox = fresh();
    channelNamed(sandbox.state, "general").subscribers = new Set([11, 12]);
    const { err } = await zulipctl(["users", "offboard", "@leavers", "-", "--yes"], {
      sandbox,
      files: filesOf("cora@sandbox.example\n\n", "leavers"),
      input: "12, 11\n",
    });
    expect(err.match(/leaves channel general without subscribers/g)).toHaveLength(2);
    expect([11, 12].map((id) => sandbox.state.users.get(id)!.is_active)).toEqual([false, false]);
  });

  test("does nothing for an empty file", async () => {
    const { code, sent } = await zulipctl(["users", "offboard", "@none"], { files: filesOf("\n", "none") });
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
  });

  test("works on an older server", async () => {
    const sandbox = holding({ level: 371 });
    const { code } = await zulipctl(["users", "offboard", "11", "--to", "12", "--yes"], { sandbox });
    expect({ code, ...holders(sandbox) }).toMatchObject({
      code: 0,
      channel: alone(12),
      bot: [12, true],
      active: false,
    });
    expect(await check(sandbox)).toBe(nothingLeft);
  });
});

describe("what the account cannot change", () => {
  test("is listed and stays, and the person is deactivated", async () => {
    const sandbox = holding();
    const { state } = sandbox;
    const staff = channelNamed(state, "staff");
    staff.settings.can_subscribe_group = alone(11);
    staff.subscribers = new Set([11]);
    const run = await zulipctl(["users", "offboard", "11", "--to", "12", "--yes"], { sandbox, as: 200 });
    expect(run.code).toBe(0);
    expect(run.err.split("\n").filter((line) => line.startsWith("  !"))).toEqual([
      "  ! logs them out everywhere",
      "  ! leaves can_create_groups as it is: only owners can change it",
      "  ! leaves can_subscribe_group of channel staff as it is: only people who can read the channel can change it",
      "  ! leaves can_subscribe_group of channel staff to nobody",
      "  ! leaves channel staff without subscribers: only people who can read the channel can change it",
      "  ! leaves can_manage_group of group writers as it is: this account does not manage the group",
      "  ! leaves can_manage_group of group writers to nobody",
      "  ! revokes invitation guest@example.com",
    ]);
    expect(holders(sandbox)).toMatchObject({ channel: alone(12), group: alone(11), active: false });
  });

  test("includes permissions that must not be empty", async () => {
    const sandbox = fresh();
    sandbox.state.organization.permissions.can_manage_billing_group = alone(11);
    const { code, err } = await zulipctl(["users", "offboard", "11", "--yes"], { sandbox });
    expect(code).toBe(0);
    expect(err).toContain("  ! leaves can_manage_billing_group as it is: servers do not accept nobody for it\n");
  });

  test("an administrator cannot deactivate owners", async () => {
    const sandbox = fresh();
    const last = await zulipctl(["users", "offboard", "8", "--yes"], { sandbox, as: 200 });
    expect(last.code).toBe(2);
    expect(last.err).toContain("this would leave the organization without an owner: Iris Owner is the last\n");
    sandbox.state.users.get(12)!.role = 100;
    const another = await zulipctl(["users", "offboard", "8", "--yes"], { sandbox, as: 200 });
    expect(another.code).toBe(1);
    expect(another.err).toContain("person iris@sandbox.example: permission denied: only owners can deactivate owners");
    expect(changing([...last.sent, ...another.sent])).toEqual([]);
  });
});

describe("an incomplete users offboard", () => {
  const words = ["users", "offboard", "11", "--to", "12", "--yes"];

  test("deactivates last, and the same command does the rest after an interruption", async () => {
    const sandbox = holding();
    const files = new Map<string, string>();
    const cut = await zulipctl(words, { sandbox, files, http: dying(sandbox, 3) });
    expect(cut.code).toBe(5);
    expect(holders(sandbox)).toMatchObject({ designer: true, bot: [11, true], active: true });
    const shown = await zulipctl(["batch", "show", "last"], { files });
    expect(shown.out).toContain("Command\tzulipctl users offboard 11 --to 12 --yes\n");
    const again = hinted(cut.err, "Go on with");
    expect(again).toEqual(["users", "offboard", "--to", "12", "--yes", "11"]);
    expect((await zulipctl(again, { sandbox })).code).toBe(0);
    expect(holders(sandbox)).toMatchObject({ bot: [12, true], designer: false, active: false });
    expect((await zulipctl(again, { sandbox })).code).toBe(2);
  });

  test("does not deactivate people if the server refuses an earlier change", async () => {
    const sandbox = holding();
    const no = { result: "error", msg: "No such bot", code: "BAD_REQUEST" };
    const http: Sandbox["handle"] = async (request) =>
      request.url.endsWith("/bots/14") ? answer(400, no) : sandbox.handle(request);
    const { code, err } = await zulipctl(words, { sandbox, http });
    expect({ code, ...holders(sandbox) }).toMatchObject({ code: 5, designer: true, bot: [11, true], active: true });
    expect(err).toContain("not applied: bot Beep Bot, group designers, person cora@sandbox.example");
  });

  test("keeps them in a group until --to has what the group gave them", async () => {
    const sandbox = fresh();
    const writers = groupNamed(sandbox.state, "writers");
    writers.members = new Set([11]);
    const { settings } = channelNamed(sandbox.state, "general");
    settings.can_administer_channel_group = writers.id;
    const no = { result: "error", msg: "Invalid channel ID", code: "BAD_REQUEST" };
    const http: Sandbox["handle"] = async (request) =>
      request.method === "PATCH" ? answer(400, no) : sandbox.handle(request);
    expect((await zulipctl(words, { sandbox, http })).code).toBe(5);
    expect([...writers.members]).toEqual([11]);
    expect((await zulipctl(words, { sandbox })).code).toBe(0);
    expect(settings.can_administer_channel_group).toEqual({ direct_members: [12], direct_subgroups: [writers.id] });
  });

  test("does not overwrite what somebody changed meanwhile, and does not deactivate", async () => {
    const sandbox = holding();
    const changed = meddling(sandbox, 2, (state) => {
      channelNamed(state, "general").settings.can_administer_channel_group = alone(10, 11);
    });
    const { code, err } = await zulipctl(words, changed);
    expect({ code, ...holders(sandbox) }).toMatchObject({ code: 6, channel: alone(10, 11), active: true });
    expect(err).toContain("channel general now has another can_administer_channel_group");
    expect((await zulipctl(words, { sandbox })).code).toBe(0);
    expect(holders(sandbox)).toMatchObject({ channel: alone(10, 12), active: false });
  });

  test("skips people who are already deactivated", async () => {
    const sandbox = holding();
    const { code, err } = await zulipctl(["users", "offboard", "15", "11", "--yes"], { sandbox });
    expect({ code, active: holders(sandbox).active }).toEqual({ code: 0, active: false });
    expect(err).toContain("zulipctl: Dora Departed is already deactivated: skipped\n");
  });
});

test("users offboard --check gives a record for each thing", async () => {
  const { out, sent } = await zulipctl(["users", "offboard", "--check", "11", "--json"], { sandbox: holding() });
  const person = { id: 11, email: "cora@sandbox.example", name: "Cora Member" };
  const left = (kind: string, target: [string, number | string | null, string | null], more = {}) => {
    const [of, id, name] = target;
    return { person, kind, target: { kind: of, id, name }, ...more };
  };
  expect(JSON.parse(out)).toEqual([
    left("permission", ["organization", null, null], { permission: "can_create_groups", nobody_else: false }),
    left("permission", ["channel", 2, "general"], { permission: "can_administer_channel_group", nobody_else: true }),
    left("permission", ["group", 18, "writers"], { permission: "can_manage_group", nobody_else: true }),
    left("subscription", ["channel", 2, "general"], { nobody_else: true }),
    left("membership", ["group", 17, "designers"], { nobody_else: false }),
    left("bot", ["bot", 14, "Beep Bot"]),
    left("invitation", ["invitation", "email:1", "guest@example.com"]),
  ]);
  expect(changing(sent)).toEqual([]);
  const ids = await zulipctl(["users", "offboard", "--check", "11", "12", "-o", "ids"], { sandbox: holding() });
  expect(ids.out).toBe("11\n12\n");
});

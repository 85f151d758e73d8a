import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { testWorld } from "../world.ts";

test("group members with empty files has nothing to do and sends nothing", async () => {
  const files = new Map([["none.txt", "\n"]]);
  const options = { files };
  const argv = ["group", "members", "17", "--add", "@none.txt", "--delete", "@none.txt"];
  expect(await zulipctl(argv, options)).toMatchObject({ code: 0, out: "No changes.\n", sent: [] });
  expect(await zulipctl([...argv, "--json"], options)).toMatchObject({ code: 0, out: "{}\n", sent: [] });
});

describe("group members as a usage error sends no change:", () => {
  test.each([
    [
      ["--add-subgroups", "writers", "--delete-subgroups", "18"],
      "--add-subgroups and --delete-subgroups both name group 18",
    ],
    [
      ["--add-subgroups", "@writers"],
      "--add-subgroups: file not found: writers\nWrite a name that begins with @ as @@writers.",
    ],
    [
      ["--add", "name:Nobody Known"],
      '--add: user "Nobody Known" not found, or not visible to this account\nAvailable: Iris Owner (8, iris@sandbox.example), Adam Admin (9, adam@sandbox.example), Mona Moderator (10, mona@sandbox.example), Cora Member (11, cora@sandbox.example), Otis Member (12, otis@sandbox.example), Gwen Guest (13, gwen@sandbox.example), Beep Bot (14, beep-bot@sandbox.example), Dora Departed (15, dora@sandbox.example, deactivated).',
    ],
  ])("%j", async (flags, words) => {
    const { code, err, sent } = await zulipctl(["group", "members", "designers", ...flags]);
    expect({ code, err }).toEqual({ code: 2, err: `zulipctl: ${words}\n` });
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

test("group members without flags lists the direct members and names the subgroups", async () => {
  const { out, err } = await zulipctl(["group", "members", "makers"]);
  expect(out).toBe("ID\tNAME\tEMAIL\tROLE\tSTATE\n10\tMona Moderator\tmona@sandbox.example\tmoderator\t\n");
  expect(err).toBe(
    "These are the direct members. Group makers also has the members of its subgroups designers, writers.\n",
  );
  expect((await zulipctl(["group", "members", "makers", "--quiet"])).err).toBe("");
  const json = await zulipctl(["group", "members", "makers", "--json"]);
  expect(JSON.parse(json.out)).toMatchObject([{ user_id: 10, full_name: "Mona Moderator", role: 300 }]);
  expect((await zulipctl(["group", "members", "makers", "-o", "ids"])).out).toBe("10\n");
});

test("group show tells names beside ids, and gives programs the server's record", async () => {
  const { code, out } = await zulipctl(["group", "show", "makers"]);
  expect({ code, out }).toEqual({
    code: 0,
    out:
      "FIELD\tVALUE\nID\t19\nName\tmakers\nDescription\tDesigners and writers\nKind\tmade by people\nState\tactive\n" +
      "Members\t10 (Mona Moderator)\nSubgroups\t17 (designers), 18 (writers)\nCreator\t8 (Iris Owner)\n" +
      "Created\t2026-01-15 12:00Z\ncan_add_members_group\tuser 8 (Iris Owner)\ncan_join_group\t9 (role:nobody)\n" +
      "can_leave_group\t15 (role:everyone)\ncan_manage_group\tuser 8 (Iris Owner)\n" +
      "can_mention_group\t15 (role:everyone)\ncan_remove_members_group\t9 (role:nobody)\n",
  });
  const json = JSON.parse((await zulipctl(["group", "show", "19", "--json"])).out);
  expect(json).toMatchObject({ id: 19, name: "makers", members: [10], direct_subgroup_ids: [17, 18] });
});

test("group show takes the group that is spelled exactly so, and says which it took otherwise", async () => {
  const sandbox = fresh();
  const { groups } = sandbox.state;
  groups.set(30, { ...groups.get(19)!, id: 30, name: "EV-G1", deactivated: true });
  groups.set(31, { ...groups.get(19)!, id: 31, name: "ev-g1" });
  const show = (name: string) => zulipctl(["group", "show", name, "--jq", ".id"], { sandbox });
  expect(await show("EV-G1")).toMatchObject({ out: "30\n", err: "" });
  expect(await show("Ev-G1")).toMatchObject({
    out: "31\n",
    err: 'zulipctl: <group>: "Ev-G1" is taken as group ev-g1 (31), not EV-G1 (30, deactivated)\n',
  });
});

test.each(["EV-G1", "ev-g1"])("group reactivate %s means the deactivated group", async (name) => {
  const sandbox = fresh();
  const { groups } = sandbox.state;
  groups.set(30, { ...groups.get(19)!, id: 30, name: "EV-G1", deactivated: true });
  groups.set(31, { ...groups.get(19)!, id: 31, name: "ev-g1" });
  const { sent } = await zulipctl(["group", "reactivate", name], { sandbox });
  expect(sent.at(-1)).toMatchObject({ method: "PATCH", url: "https://chat.example/api/v1/user_groups/30" });
});

describe("group deactivate", () => {
  test("tells in words where the group is in use", async () => {
    const sandbox = fresh();
    const { channels, groups, organization } = sandbox.state;
    channels.get(1)!.settings.can_send_message_group = 17;
    channels.get(1)!.settings.can_subscribe_group = { direct_members: [], direct_subgroups: [17] };
    groups.get(18)!.settings.can_mention_group = 17;
    organization.permissions.can_create_groups = 17;
    const { code, err, sent } = await zulipctl(["group", "deactivate", "designers", "--yes"], { sandbox });
    expect({ code, err }).toEqual({
      code: 1,
      err:
        "zulipctl: Cannot deactivate user group in use. It is a subgroup of group makers; channel design names it in " +
        "can_send_message_group (who may post), can_subscribe_group (who may subscribe themselves); group writers names " +
        "it in can_mention_group (who may mention it); the organization names it in can_create_groups.\n",
    });
    expect(sent.filter(({ method }) => method === "POST")).toHaveLength(1);
    const rows = ["batch", "-", "--format", "lines", "--yes", "-o", "none"];
    const batch = await zulipctl(rows, { sandbox, input: "group deactivate 17\n" });
    expect(batch.err).toContain("It is a subgroup of group 19; channel 1 names it in can_send_message_group");
  });

  test("asks with what the groups hold", async () => {
    const sandbox = fresh();
    const world = testWorld({
      http: sandbox.handle,
      env: credentials(sandbox),
      terminal: true,
      confirm: [false, false],
    });
    expect(await main(["group", "deactivate", "makers"], world)).toBe(130);
    expect(await main(["group", "deactivate", "19", "17"], world)).toBe(130);
    expect(world.asked).toEqual([
      'Deactivate group "makers" (1 member, 2 subgroups) on chat.example? Nobody can mention deactivated groups.',
      'Deactivate 2 groups on chat.example? "makers" (1 member, 2 subgroups), "designers" (2 members). Nobody can mention deactivated groups.',
    ]);
  });
});

describe("group members --recursive", () => {
  test("tells through which groups people are members", async () => {
    const sandbox = fresh();
    sandbox.state.groups.get(18)!.members.add(11);
    const { out } = await zulipctl(["group", "members", "makers", "--recursive", "--fields", "id,through"], {
      sandbox,
    });
    expect(out).toBe("ID\tTHROUGH\n9\tdesigners\n10\tdirect\n11\tdesigners, writers\n12\twriters\n");
    const json = await zulipctl(["group", "members", "makers", "--recursive", "--jq", ".[] | [.user_id, .through]"], {
      sandbox,
    });
    expect(json.out).toBe("[9,[17]]\n[10,[19]]\n[11,[17,18]]\n[12,[18]]\n");
  });

  test("lists, and changes nothing", async () => {
    expect(await zulipctl(["group", "members", "17", "--recursive", "--add", "8"])).toMatchObject({
      code: 2,
      err: "zulipctl: --recursive cannot be combined with --add\n",
      sent: [],
    });
  });
});

test("several groups get the same members, and - reads them from stdin", async () => {
  const typed = await zulipctl(["group", "members", "designers,writers", "--add", "8"]);
  expect(typed).toMatchObject({
    code: 0,
    out: 'Updated group "designers": 1 member added.\nUpdated group "writers": 1 member added.\n',
  });
  const read = await zulipctl(["group", "members", "-", "--add", "8"], { input: "designers\nwriters\n" });
  expect(read.out).toBe(typed.out);
});

import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { testWorld } from "../world.ts";

test("group show prefers the exact spelling, and otherwise prints which group it shows", async () => {
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
  test("describes where the group is in use", async () => {
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

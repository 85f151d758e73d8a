/** What requests take of the caller, which of them regrant that, and what the caller holds as they are done. */
import { describe, expect, test } from "vitest";
import { createChannel } from "../../src/api/channel-create.ts";
import { updateChannel } from "../../src/api/channels.ts";
import { createGroup, deactivateGroup, updateGroup, updateMembers } from "../../src/api/groups.ts";
import { sendInvitations } from "../../src/api/invitations.ts";
import { updateOrganization } from "../../src/api/organization.ts";
import { subscribe, unsubscribe } from "../../src/api/subscriptions.ts";
import type { Draft } from "../../src/organization/order/draft.ts";
import { type Right, regrants, rightsOf, rightWords } from "../../src/organization/order/rights.ts";
import { Standing } from "../../src/organization/order/standing.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";
import { fresh } from "../run.ts";
import { group, set } from "./differences.ts";
import { draft } from "./draft.ts";
import { snapshotIn } from "./snapshots.ts";

const me = 8;

const manage = "can_manage_group or can_manage_all_groups";
const adds = "can_manage_group or can_add_members_group or can_manage_all_groups";
const removes = "can_manage_group or can_remove_members_group or can_manage_all_groups";
const joins = "can_manage_group or can_add_members_group or can_join_group or can_manage_all_groups";
const leaves = "can_manage_group or can_remove_members_group or can_leave_group or can_manage_all_groups";
const openly = "can_create_public_channel_group";
const privately = "can_create_private_channel_group";
const forTheWeb = "can_create_web_public_channel_group";
const inside = "what is written there to be read";

test.each<[operation: AnyOperation, args: object, rights: string[], level?: number, more?: Partial<Draft>]>([
  [createGroup, { name: "x" }, ["can_create_groups"]],
  [updateGroup, { user_group_id: 17 }, [manage]],
  [deactivateGroup, { user_group_id: 17 }, [manage]],
  [updateMembers, { user_group_id: 17, add: [9] }, [adds]],
  [updateMembers, { user_group_id: 17, add: [8] }, [joins]],
  [updateMembers, { user_group_id: 17, add: [8, 9] }, [adds]],
  [updateMembers, { user_group_id: 17, delete: [9] }, [removes]],
  [updateMembers, { user_group_id: 17, delete: [8] }, [leaves]],
  [updateMembers, { user_group_id: 17, delete: [8, 9] }, [removes]],
  [updateMembers, { user_group_id: 17, add_subgroups: [8] }, [adds]],
  [updateMembers, { user_group_id: 17, delete_subgroups: [8] }, [manage]],
  [updateMembers, { user_group_id: 17, add: [8], delete: [9], delete_subgroups: [18] }, [joins, removes, manage]],
  [createChannel, { name: "x" }, [openly]],
  [createChannel, { name: "x", invite_only: false }, [openly]],
  [createChannel, { name: "x", invite_only: true }, [privately]],
  [createChannel, { name: "x", is_web_public: true }, [openly, forTheWeb]],
  [subscribe, { subscriptions: [], invite_only: true }, [privately], 442, { newChannel: "x" }],
  [updateChannel, { stream_id: 1, description: "x" }, []],
  [subscribe, { stream_id: 1, subscriptions: [] }, [inside]],
  [unsubscribe, { stream_id: 1, subscriptions: [] }, []],
  [updateChannel, { stream_id: 1, is_private: true }, [inside, privately]],
  [updateChannel, { stream_id: 1, is_private: false }, [inside, openly]],
  [updateChannel, { stream_id: 1, is_private: false }, [inside], 371],
  [updateChannel, { stream_id: 1, is_private: false }, [inside, `${openly}, perhaps`], 372],
  [updateChannel, { stream_id: 1, is_private: false }, [inside, `${openly}, perhaps`], 441],
  [updateChannel, { stream_id: 1, can_add_subscribers_group: { new: 17 } }, [inside]],
  [updateChannel, { stream_id: 1, can_subscribe_group: { new: 17 } }, [inside]],
  [updateChannel, { stream_id: 1, is_web_public: true }, [forTheWeb]],
  [updateChannel, { stream_id: 1, is_web_public: false }, []],
  [updateChannel, { stream_id: 1, topics_policy: "inherit" }, []],
  [updateChannel, { stream_id: 1, topics_policy: "empty_topic_only" }, []],
  [updateChannel, { stream_id: 1, can_delete_any_message_group: { new: 17 } }, []],
  [updateChannel, { stream_id: 1, can_send_message_group: { new: 17 } }, []],
  [sendInvitations, { invitee_emails: "x" }, ["can_invite_users_group"]],
  [sendInvitations, { invitee_emails: "x", group_ids: [17, 18] }, ["can_invite_users_group", adds, adds]],
  [sendInvitations, { invitee_emails: "x", stream_ids: [1, 2] }, ["can_invite_users_group", inside, inside]],
  [updateOrganization, { name: "x" }, []],
])("%j with %j takes %j", (operation, args, rights, level = 442, more = {}) => {
  const snapshot = { feature_level: level } as never;
  const told = rightsOf(draft(operation, args, more), { snapshot, me });
  expect(told.map((right) => `${rightWords(right)}${right.doubtful ? ", perhaps" : ""}`)).toEqual(rights);
});

test.each<[operation: AnyOperation, args: object, does: boolean]>([
  [updateOrganization, { can_create_groups: { new: 9 } }, true],
  [updateOrganization, { name: "x", can_manage_group: { new: 9 } }, false],
  [updateGroup, { user_group_id: 17, can_join_group: { new: 9 } }, true],
  [updateGroup, { user_group_id: 17, can_mention_group: { new: 9 } }, false],
  [updateMembers, { user_group_id: 17, add: [me] }, true],
  [updateMembers, { user_group_id: 17, delete: [9, me] }, true],
  [updateMembers, { user_group_id: 17, add: [9] }, false],
  [updateMembers, { user_group_id: 17, add_subgroups: [18] }, true],
  [updateMembers, { user_group_id: 17, delete_subgroups: [18] }, true],
  [createGroup, { name: "x", can_manage_group: 9 }, false],
  [updateChannel, { stream_id: 1, can_manage_group: { new: 9 } }, false],
  [updateChannel, { stream_id: 1, is_private: true }, true],
  [updateChannel, { stream_id: 1, is_web_public: true }, true],
  [updateChannel, { stream_id: 1, can_add_subscribers_group: { new: 9 } }, true],
  [updateChannel, { stream_id: 1, can_subscribe_group: { new: 9 } }, true],
  [subscribe, { stream_id: 1, principals: [9, me] }, true],
  [subscribe, { stream_id: 1, principals: [9] }, false],
  [unsubscribe, { stream_id: 1, principals: [me] }, true],
  [unsubscribe, { stream_id: 1, principals: [9] }, false],
])("%j with %j regrants: %s", (operation, args, does) => {
  expect(regrants(draft(operation, args), me)).toBe(does);
});

describe("what the caller holds", () => {
  const managesAll: Right = { organization: "can_manage_all_groups" };
  const manages = (id: number): Right => ({ ...managesAll, group: id, by: ["can_manage_group"] });
  const made = (more: object) =>
    draft(createGroup, { name: "x", members: [], ...more }, { makes: { member: "id", id: -1 } });
  const organization = (value: unknown) => draft(updateOrganization, { can_manage_all_groups: { new: value } });
  const reads = (channel: number): Right => ({ channel });
  const privacy = (args: object) => draft(updateChannel, { stream_id: 1, ...args });
  const coming = (operation: AnyOperation, principals: number[]) => draft(operation, { stream_id: 1, principals });
  const members = (args: object) => draft(updateMembers, { user_group_id: 17, ...args });

  test.each<[what: string, right: Right, does: Draft[], held: boolean[]]>([
    ["what designers may, being none of them", managesAll, [], [false]],
    ["by coming into them", managesAll, [members({ add: [9, me] })], [false, true]],
    ["by coming, with others", managesAll, [members({ add: [9] })], [false, false]],
    ["by a group that comes into them", managesAll, [members({ add_subgroups: [18] })], [false, true]],
    [
      "until it goes, and others stay",
      managesAll,
      [members({ add_subgroups: [18, 19] }), members({ delete_subgroups: [19] }), members({ delete_subgroups: [18] })],
      [false, true, true, false],
    ],
    [
      "until they go",
      managesAll,
      [members({ add: [me] }), members({ delete: [9] }), members({ delete: [me] })],
      [false, true, true, false],
    ],
    [
      "by a permission for them",
      managesAll,
      [organization({ direct_members: [me], direct_subgroups: [] })],
      [false, true],
    ],
    ["by a permission for a group of theirs", managesAll, [organization(18), organization(17)], [false, true, false]],
    [
      "by a permission for several groups",
      managesAll,
      [organization({ direct_members: [9], direct_subgroups: [17, 18] })],
      [false, true],
    ],
    [
      "of a group",
      manages(19),
      [draft(updateGroup, { user_group_id: 19, can_manage_group: { new: 18 } })],
      [false, true],
    ],
    [
      "of a group, not of another",
      manages(19),
      [draft(updateGroup, { user_group_id: 17, can_manage_group: { new: 18 } })],
      [false, false],
    ],
    ["of a group that they make", manages(-1), [made({})], [true, true]],
    ["of a group that they make for others", manages(-1), [made({ can_manage_group: 17 })], [true, false]],
    [
      "by a group that they make, and are in",
      managesAll,
      [made({ members: [9, me] }), organization(-1)],
      [false, false, true],
    ],
    [
      "by a group that they make, with theirs in it",
      managesAll,
      [made({ subgroups: [18] }), organization(-1)],
      [false, false, true],
    ],
    [
      "by a group that they make, and are not in",
      managesAll,
      [made({ members: [9] }), organization(-1)],
      [false, false, false],
    ],
    ["of what is written in a public channel", reads(1), [], [true]],
    [
      "of what is written in a channel, until it is private",
      reads(1),
      [privacy({ is_private: true }), privacy({ is_private: false })],
      [true, false, true],
    ],
    [
      "of what is written in a channel that is for the web by now",
      reads(1),
      [privacy({ is_private: true }), privacy({ is_web_public: true }), privacy({ is_web_public: false })],
      [true, false, true, true],
    ],
    [
      "of what is written in a private channel, being in it",
      reads(1),
      [privacy({ is_private: true }), coming(subscribe, [9, me]), coming(unsubscribe, [9]), coming(unsubscribe, [me])],
      [true, false, true, true, false],
    ],
    [
      "of what is written in a private channel, by who may subscribe others",
      reads(1),
      [
        privacy({ is_private: true }),
        privacy({ can_add_subscribers_group: { new: 17 } }),
        members({ add_subgroups: [18] }),
        members({ delete_subgroups: [18] }),
      ],
      [true, false, false, true, false],
    ],
    [
      "of what is written in a private channel, by who may subscribe",
      reads(1),
      [privacy({ is_private: true }), privacy({ can_subscribe_group: { new: 18 } })],
      [true, false, true],
    ],
    [
      "of what is written in a private channel, by who may subscribe to another",
      reads(1),
      [privacy({ is_private: true }), draft(updateChannel, { stream_id: 2, can_subscribe_group: { new: 18 } })],
      [true, false, false],
    ],
    ["of what is written in a channel that they make", reads(-1), [coming(subscribe, [9])], [true, true]],
    [
      "of what is written in a public channel, coming and going",
      reads(1),
      [coming(subscribe, [me]), coming(unsubscribe, [me])],
      [true, true, true],
    ],
    [
      "of what is written in a channel that they are in when it closes",
      reads(1),
      [coming(subscribe, [me]), privacy({ is_private: true })],
      [true, true, true],
    ],
    ["by a group that is not there", managesAll, [organization(99)], [false, false]],
    [
      "by a group that was not there",
      managesAll,
      [organization(99), draft(updateMembers, { user_group_id: 99, add: [me] })],
      [false, false, true],
    ],
    ["by a group that they make later", managesAll, [organization(-1), made({ members: [me] })], [false, false, true]],
    [
      "what those take out of a group who make it",
      { ...manages(-1), by: ["can_remove_members_group"] },
      [made({})],
      [true, false],
    ],
    ["what those join who make it", { ...manages(-1), by: ["can_join_group"] }, [made({})], [true, false]],
    ["what has nothing to do with it", managesAll, [draft(updateChannel, { stream_id: 1 })], [false, false]],
  ])("%s", async (_, right, does, held) => {
    const sandbox = fresh({ level: 442 });
    const { state } = sandbox;
    set(state.organization.permissions, { can_manage_all_groups: 17 });
    for (const { is_system_group, settings } of state.groups.values())
      if (!is_system_group) set(settings, { can_manage_group: 9 });
    group(state, "writers").members.add(me);
    const design = state.channels.get(1)!;
    design.subscribers.delete(me);
    set(design.settings, { can_add_subscribers_group: 9, can_subscribe_group: 9 });
    const standing = new Standing(await snapshotIn(sandbox));
    const seen = [standing.holds(right)];
    const undo: (() => void)[] = [];
    for (const one of does) {
      undo.unshift(standing.do(one));
      seen.push(standing.holds(right));
    }
    expect(seen).toEqual(held);
    const back = undo.map((each) => {
      each();
      return standing.holds(right);
    });
    expect(back).toEqual(held.slice(0, -1).reverse());
  });

  test.each([
    [353, false],
    [354, true],
  ])("of what is written in a private channel, at level %i, by who may subscribe: %s", async (level, held) => {
    const sandbox = fresh({ level });
    sandbox.state.channels.get(1)!.subscribers.delete(me);
    group(sandbox.state, "writers").members.add(me);
    const standing = new Standing(await snapshotIn(sandbox));
    const others = { can_add_subscribers_group: { new: 9 }, can_subscribe_group: { new: 9 } };
    standing.do(privacy({ is_private: true, ...others }));
    expect(standing.holds(reads(1))).toBe(false);
    standing.do(privacy({ can_subscribe_group: { new: 18 } }));
    expect(standing.holds(reads(1))).toBe(held);
  });
});

/** Whom a file names, and who stands in its lists and permissions. */
import { expect, test } from "vitest";
import type { Snapshot } from "../../../src/organization/snapshot.ts";
import { type Case, said } from "../compared.ts";

const person = ({ organization }: Snapshot, id: number) =>
  [...organization.realm_users, ...organization.realm_non_active_users].find(({ user_id }) => user_id === id)!;

/** As a server tells of somebody who shows their address to nobody. */
const hide = (id: number) => (snapshot: Snapshot) => {
  Object.assign(person(snapshot, id), { email: `user${id}@chat.example`, delivery_email: null });
};

const people: Case[] = [
  [
    "by the address that is seen, and not by what stands in its place",
    "groups: [{ name: writers, members: [real@sandbox.example] }]",
    [],
    {
      told: (snapshot) =>
        void Object.assign(person(snapshot, 12), {
          email: "user12@chat.example",
          delivery_email: "Real@sandbox.example",
        }),
    },
  ],
  [
    "by an address that looks like something else further on",
    "groups: [{ name: writers, members: ['bo.id:8@x.example'] }]",
    [],
    { told: (snapshot) => void Object.assign(person(snapshot, 12), { delivery_email: "bo.id:8@x.example" }) },
  ],
  [
    "by what stands in the place of a hidden address",
    "groups: [{ name: writers, members: [User12@chat.example] }]",
    [],
    { told: hide(12) },
  ],
  [
    "by an address that is one person's own, though it stands in the place of another's",
    "groups: [{ name: writers, members: [user12@chat.example] }]",
    ["update groups writers (18) members: [12] → [11]"],
    {
      told: (snapshot) => {
        hide(12)(snapshot);
        Object.assign(person(snapshot, 11), { delivery_email: "user12@chat.example" });
      },
    },
  ],
  [
    "with names that are near, where an address is hidden",
    "groups: [{ name: writers, members: [corra@sandbox.example, 'name:Cora Membre', 'id:99'] }]",
    [
      "problem at groups.0.members.0: no person with the e-mail address corra@sandbox.example; did you mean cora@sandbox.example?",
      'problem at groups.0.members.1: no person named "Cora Membre"; did you mean Cora Member?',
      "problem at groups.0.members.2: no person with the id 99",
    ],
    { told: hide(12) },
  ],
  [
    "by no address that is hidden, of which it says how many there are",
    "groups: [{ name: writers, members: [zoe@x.example] }]\npeople: [{ email: zoe@x.example }]",
    [
      "problem at groups.0.members.0: no person with the e-mail address zoe@x.example; 1 address is hidden from this account",
      'problem at people.0.email: no person with the e-mail address zoe@x.example; 1 address is hidden from this account; add "invite: true" to invite them',
    ],
    { told: hide(12) },
  ],
  [
    "who is to come into a list and who is to leave it are looked up alike",
    "groups: [{ name: writers, members: { add: [zoe@x.example], remove: ['id:98'] }, subgroups: { add: [poets], remove: [bards] } }]",
    [
      "problem at groups.0.members.add.0: no person with the e-mail address zoe@x.example",
      "problem at groups.0.members.remove.0: no person with the id 98",
      'problem at groups.0.subgroups.add.0: group "poets" not found',
      'problem at groups.0.subgroups.remove.0: group "bards" not found',
    ],
  ],
  [
    "each in a list of its own",
    "groups: [{ name: writers, members: { add: [zoe@x.example] } }, { name: designers, members: { remove: ['id:98'] } }]",
    [
      "problem at groups.0.members.add.0: no person with the e-mail address zoe@x.example",
      "problem at groups.1.members.remove.0: no person with the id 98",
    ],
  ],
  [
    "nobody who is and is not to be in a list",
    "groups: [{ name: writers, members: { add: [otis@sandbox.example], remove: [cora@sandbox.example, 'id:12'] } }]",
    ['problem at groups.0.members.remove.1: id:12 is in both "add" and "remove"'],
  ],
  [
    "in a permission, where one of them or a group is nowhere",
    "channels: [{ name: design, can_send_message_group: { users: ['id:99'] } }, { name: general, can_send_message_group: { users: [otis@sandbox.example], groups: [poets] } }]",
    [
      "problem at channels.0.can_send_message_group.users.0: no person with the id 99",
      'problem at channels.1.can_send_message_group.groups.0: group "poets" not found',
    ],
  ],
  [
    "an address in the file of somebody who is neither there nor invited",
    "people: [{ email: zoe@elsewhere.example }]\ngroups: [{ name: writers, members: [zoe@elsewhere.example] }]",
    [
      "problem at groups.0.members.0: no person with the e-mail address zoe@elsewhere.example",
      'problem at people.0.email: no person with the e-mail address zoe@elsewhere.example; add "invite: true" to invite them',
    ],
  ],
  [
    "an address that somebody by id does not have",
    "organization: https://chat.example\npeople: [{ id: 12, email: zoe@elsewhere.example, invite: true }]\ngroups: [{ name: writers, members: [zoe@elsewhere.example] }]",
    ["problem at groups.0.members.0: no person with the e-mail address zoe@elsewhere.example"],
  ],
  [
    "who is invited comes with the invitation into lists, and later into permissions",
    "people: [{ email: new@x.example, invite: true }, { email: two@x.example, invite: true }]\nchannels: [{ name: design, subscribers: { add: [NEW@x.example], remove: [two@x.example, otis@sandbox.example] }, can_send_message_group: { users: [new@x.example, 'id:8'] } }]",
    [
      'update channels design (1) can_send_message_group: {"users":[],"groups":[15]} → {"users":[8],"groups":[]}; subscribers: [8,11,12,13] → [8,11,13]',
      'invite people new@x.example {"email":"new@x.example","groups":[],"channels":[1]}',
      'invite people two@x.example {"email":"two@x.example","groups":[],"channels":[]}',
      "notice at channels.0.can_send_message_group.users.0: new@x.example can be named here after they join",
      "notice at people.0: new@x.example is invited: plan again after they join",
      "notice at people.1: two@x.example is invited: plan again after they join",
    ],
  ],
  [
    "who is deactivated, each told once",
    "groups: [{ name: writers, members: [otis@sandbox.example, dora@sandbox.example] }, { name: makers, members: { add: ['id:15', 'id:12'] } }]",
    [
      "update groups makers (19) members: [10] → [10,12]",
      "notice at groups.0.members.1: Dora Departed is deactivated: skipped in lists",
    ],
  ],
  [
    "who is deactivated stays where older servers show them",
    "groups: [{ name: writers, members: [otis@sandbox.example] }]\nchannels: [{ name: design, can_send_message_group: { users: [otis@sandbox.example] } }]",
    [],
    {
      told: ({ organization }) => {
        organization.realm_user_groups.find(({ name }) => name === "writers")!.members = [12, 15];
        Object.assign(organization.subscriptions.find(({ name }) => name === "design")!, {
          can_send_message_group: { direct_members: [15, 12], direct_subgroups: [] },
        });
      },
    },
  ],
  [
    "and leaves where the file brings them back",
    "people: [{ email: dora@sandbox.example, active: true }]\ngroups: [{ name: writers, members: [otis@sandbox.example] }]",
    [
      "update groups writers (18) members: [12,15] → [12]",
      "reactivate people dora@sandbox.example (15)",
      "notice at people.0: Dora Departed: after they are reactivated, they appear again in lists and permissions; plan again then",
    ],
    {
      told: ({ organization }) => {
        organization.realm_user_groups.find(({ name }) => name === "writers")!.members = [12, 15];
      },
    },
  ],
  [
    "whom the file deactivates stands in no list, though there already",
    "people: [{ email: otis@sandbox.example, active: false }]\ngroups: [{ name: writers, members: [otis@sandbox.example] }]",
    ["problem at groups.0.members.0: the file deactivates Otis Member"],
  ],
  [
    "but may leave one",
    "people: [{ email: otis@sandbox.example, active: false }]\ngroups: [{ name: writers, members: { remove: [otis@sandbox.example] } }]",
    ["update groups writers (18) members: [12] → []", "deactivate people otis@sandbox.example (12)"],
  ],
  [
    "several people of one name, and deactivated ones where all are",
    "groups: [{ name: writers, members: ['name:Dora Departed'] }]",
    ['problem at groups.0.members.0: several people are named "Dora Departed": id:12, id:15'],
    {
      given: (state) => {
        const otis = state.users.get(12)!;
        otis.full_name = "Dora Departed";
        otis.is_active = false;
      },
    },
  ],
];

test.each(people)("%s", async (_, text, lines, beside) => {
  expect(await said(text, beside)).toEqual(lines);
});

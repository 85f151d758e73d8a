/** What names of things in a file stand for. */
import { expect, test } from "vitest";
import type { State } from "../../../src/sandbox/index.ts";
import { type Case, channel, group, said } from "../compared.ts";
import { liveTwice, twice } from "../given.ts";

const retire = (state: State, name: string) => {
  group(state, name).deactivated = true;
};

const things: Case[] = [
  [
    "of two folders with a name the live one is meant",
    "channels: [{ name: general, folder: Projects }]",
    ["update channels general (2) folder: null → 1"],
    { given: twice("live") },
  ],
  [
    "likewise where the archived one is told first",
    "channels: [{ name: general, folder: Projects }]",
    ["update channels general (2) folder: null → 1"],
    { given: twice("archived") },
  ],
  [
    "of two live ones the file says which is meant",
    "channels: [{ name: general, folder: Projects }]",
    [
      'problem at channels.0.folder: there are 2 folders "Projects" (id 1, id 2): add the id of the right one in "folders"',
    ],
    { given: liveTwice },
  ],
  [
    "which is the one that an entry is about",
    "organization: https://chat.example\nfolders: [{ id: 2, name: projects }]\nchannels: [{ name: design, folder: Projects }]",
    ["update channels design (1) folder: 1 → 2"],
    { given: liveTwice },
  ],
  [
    "or makes no difference where it is used already",
    "channels: [{ name: design, folder: Projects }, { name: general, folder: projects }]",
    [],
    {
      given: (state) => {
        liveTwice(state);
        channel(state, "design").folder_id = 1;
        channel(state, "general").folder_id = 2;
      },
    },
  ],
  [
    "and cannot be said where the file is about both",
    "organization: https://chat.example\nfolders: [{ id: 1, name: Projects }, { id: 2, name: projects }]\nchannels: [{ name: general, folder: Projects }]",
    ['problem at channels.0.folder: there are 2 folders "Projects" (id 1, id 2): give them different names'],
    { given: liveTwice },
  ],
  [
    "what the file brings back",
    "channels: [{ name: attic, archived: false }]\nsettings: { signup_announcements_stream_id: attic }",
    ["update settings settings signup_announcements_stream_id: null → 7", "unarchive channels attic (7)"],
  ],
  [
    "what is not there and is to be put away",
    "folders: [{ name: none, archived: true }]\nchannels: [{ name: general, folder: none }]",
    ['problem at channels.0.folder: the file archives or deactivates folder "none"'],
  ],
  [
    "what is archived leaves a list",
    "groups: [{ name: writers, deactivated: true }, { name: makers, subgroups: { remove: [writers] } }]",
    ["deactivate groups writers (18)", "update groups makers (19) subgroups: [17,18] → [17]"],
  ],
  [
    "what was put away long ago leaves a list, and what stays in it may be put away",
    "groups: [{ name: makers, subgroups: { remove: [writers], add: [designers] } }]",
    ["update groups makers (19) subgroups: [17,18] → [17]"],
    {
      given: (state) => {
        retire(state, "designers");
        retire(state, "writers");
      },
      told: ({ organization }) => {
        organization.realm_user_groups.find(({ name }) => name === "makers")!.direct_subgroup_ids = [17, 18];
      },
    },
  ],
  [
    "what is archived and not in a list already",
    "groups: [{ name: makers, subgroups: [designers, writers] }]",
    ['problem at groups.0.subgroups.1: group "writers" is archived or deactivated: the file must restore it'],
    {
      given: (state) => {
        retire(state, "writers");
        group(state, "makers").subgroups = new Set([17]);
      },
    },
  ],
  [
    "groups that are put away stay in a permission that names them",
    "channels: [{ name: design, can_send_message_group: { groups: [writers, designers] } }]",
    [],
    {
      given: (state) => {
        retire(state, "writers");
        channel(state, "design").settings.can_send_message_group = { direct_members: [], direct_subgroups: [17, 18] };
      },
    },
  ],
  [
    "and come into no other",
    "channels: [{ name: design, can_send_message_group: { groups: [designers, writers] } }, { name: general, can_send_message_group: writers }, { name: new, can_send_message_group: writers }]",
    [
      'problem at channels.0.can_send_message_group.groups.1: group "writers" is archived or deactivated: the file must restore it',
      'problem at channels.1.can_send_message_group: group "writers" is archived or deactivated: the file must restore it',
      'problem at channels.2.can_send_message_group: group "writers" is archived or deactivated: the file must restore it',
    ],
    { given: (state) => retire(state, "writers") },
  ],
  [
    "groups by id, and by a name that looks like something else",
    "groups: [{ name: makers, subgroups: ['id:17', 'name:id:18'] }, { name: designers, subgroups: { remove: ['my id:19'] } }]",
    ["update groups designers (17) subgroups: [20] → []"],
    {
      given: (state) => {
        group(state, "writers").name = "id:18";
        const other = { ...structuredClone(group(state, "designers")), id: 20, name: "my id:19" };
        state.groups.set(20, other);
        group(state, "designers").subgroups.add(20);
      },
    },
  ],
  [
    "a group by an id that is nowhere",
    "groups: [{ name: makers, subgroups: ['id:99'] }]",
    ['problem at groups.0.subgroups.0: group "99" not found'],
  ],
  [
    "channels have no such forms",
    "settings: { new_stream_announcements_stream_id: 'name:general' }",
    ['problem at settings.new_stream_announcements_stream_id: channel "name:general" not found'],
  ],
  [
    "and may be called so",
    "settings: { signup_announcements_stream_id: 'id:1' }",
    ["update settings settings signup_announcements_stream_id: null → 1"],
    { given: (state) => void Object.assign(channel(state, "design"), { name: "id:1" }) },
  ],
  [
    "a channel that is called as nearly as a role",
    "settings: { signup_announcements_stream_id: moderators }",
    ['problem at settings.signup_announcements_stream_id: channel "moderators" not found'],
  ],
  [
    "what is renamed, by its old name",
    "folders: [{ name: Work, was: Projects }]\nchannels: [{ name: general, folder: Projects }]",
    ['problem at channels.0.folder: folder "Projects" is renamed to "Work" in the file: use the new name'],
  ],
];

test.each(things)("%s", async (_, text, lines, beside) => {
  expect(await said(text, beside)).toEqual(lines);
});

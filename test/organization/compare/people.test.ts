/** People: roles, profiles, and who is to be invited. */
import { expect, test } from "vitest";
import type { Snapshot } from "../../../src/organization/snapshot.ts";
import type { State } from "../../../src/sandbox/index.ts";
import { type Case, said } from "../compared.ts";
import { invited } from "../given.ts";

const told = (n: number) => `notice at people.${n}:`;
const asked = (name: string) => `${name} is invited: plan again after they join`;

/** What is in a field of somebody's. */
const value = (user: number, field: number, kept: string) => (state: State) =>
  void state.users.get(user)!.profile.set(field, kept);

const cora = ({ organization }: Snapshot) => organization.realm_users.find(({ user_id }) => user_id === 11)!;

const profiles: Case[] = [
  [
    "no value, an empty one and an empty list are all none",
    "people: [{ email: otis@sandbox.example, profile: { Phone: '', Office: '', Mentor: [] } }, { email: cora@sandbox.example, profile: { Phone: null, Mentor: null } }]",
    [],
    {
      given: (state) => {
        value(11, 1, "")(state);
        value(11, 4, "[]")(state);
      },
    },
  ],
  [
    "that they are to be invited, of somebody who is there",
    "people: [{ email: cora@sandbox.example, invite: true }]",
    [],
  ],
  [
    "where there was something",
    "people: [{ email: cora@sandbox.example, profile: { Phone: '', Office: null, Mentor: [] } }]",
    [
      'update people cora@sandbox.example (11) profile of {"field":1,"name":"Phone"}: "+49 30 1234" → null; profile of {"field":3,"name":"Office"}: "1" → null; profile of {"field":4,"name":"Mentor"}: [8] → null',
    ],
  ],
  [
    "people in any order, in both forms in which servers tell them",
    "people: [{ email: cora@sandbox.example, profile: { Mentor: [adam@sandbox.example, iris@sandbox.example] } }, { email: otis@sandbox.example, profile: { Mentor: [iris@sandbox.example, adam@sandbox.example] } }]",
    [],
    {
      given: value(12, 4, "[9,8]"),
      told: (snapshot) => {
        cora(snapshot).profile_data![4] = { value: [9, 8] };
      },
    },
  ],
  [
    "what a server keeps in no such form is none",
    "people: [{ email: cora@sandbox.example, profile: { Mentor: null } }]",
    [],
    {
      told: (snapshot) => {
        cora(snapshot).profile_data![4] = { value: "" };
      },
    },
  ],
  [
    "where a server tells no values of somebody",
    "people: [{ email: cora@sandbox.example, profile: { Phone: '1', Mentor: null } }]",
    ['update people cora@sandbox.example (11) profile of {"field":1,"name":"Phone"}: null → "1"'],
    { told: (snapshot) => void Object.assign(cora(snapshot), { profile_data: undefined }) },
  ],
  [
    "whom the file deactivates stays in a profile, and comes into none",
    "people: [{ email: otis@sandbox.example, active: false }, { email: cora@sandbox.example, profile: { Mentor: [otis@sandbox.example] } }]",
    ["deactivate people otis@sandbox.example (12)"],
    { given: value(11, 4, "[12]") },
  ],
  [
    "whom the file deactivates comes into no profile",
    "people: [{ email: otis@sandbox.example, active: false }, { email: cora@sandbox.example, profile: { Mentor: [otis@sandbox.example] } }]",
    ["problem at people.1.profile.Mentor.0: the file deactivates Otis Member"],
  ],
  [
    "one field in two spellings",
    "people: [{ email: cora@sandbox.example, profile: { Phone: '1', 'Phone ': '2' } }]",
    ['problem at people.0.profile.Phone : "Phone" appears twice'],
  ],
  [
    "values of the wrong kind",
    "people: [{ email: otis@sandbox.example, profile: { Office: Berln, Mentor: x, Phone: [iris@sandbox.example] } }]",
    [
      'problem at people.0.profile.Office: "Office" has no option "Berln"; did you mean Berlin?',
      'problem at people.0.profile.Mentor: "Mentor" holds people: must be a list',
      'problem at people.0.profile.Phone: "Phone" does not hold people: must be text',
    ],
  ],
];

const roles: Case[] = [
  [
    "an administrator changes all but owners",
    "people: [{ email: iris@sandbox.example, role: owner, full_name: Iris, active: true }, { email: otis@sandbox.example, role: moderator, active: true }, { email: cora@sandbox.example, active: false }]",
    [
      'update people iris@sandbox.example (8) full_name: "Iris Owner" → "Iris"',
      'update people otis@sandbox.example (12) role: "member" → "moderator"',
      "deactivate people cora@sandbox.example (11)",
    ],
    { as: 200 },
  ],
  [
    "of an owner, too, what is not said to be otherwise",
    "people: [{ email: iris@sandbox.example, full_name: Iris }]",
    ['update people iris@sandbox.example (8) full_name: "Iris Owner" → "Iris"'],
    { as: 200 },
  ],
  [
    "an administrator neither gives nor takes the role owner",
    "people: [{ email: iris@sandbox.example, role: member }, { email: otis@sandbox.example, role: owner }, { email: new@x.example, invite: true, role: owner }, { email: two@x.example, invite: true, role: moderator }]",
    [
      "refused people iris@sandbox.example role at people.0: permission denied: only owners can give or take the role owner",
      "refused people otis@sandbox.example role at people.1: permission denied: only owners can give or take the role owner",
      "refused people new@x.example role at people.2: permission denied: only owners can invite owners",
      'invite people two@x.example {"email":"two@x.example","role":"moderator","groups":[],"channels":[]}',
      `${told(3)} ${asked("two@x.example")}`,
    ],
    { as: 200 },
  ],
  [
    "an administrator lets no owner go",
    "people: [{ email: iris@sandbox.example, active: false }]",
    [
      "refused people iris@sandbox.example active at people.0: permission denied: only owners can deactivate or reactivate owners",
    ],
    { as: 200 },
  ],
  [
    "and brings none back",
    "people: [{ email: dora@sandbox.example, active: true }]",
    [
      "refused people dora@sandbox.example active at people.0: permission denied: only owners can deactivate or reactivate owners",
    ],
    { as: 200, given: (state) => void Object.assign(state.users.get(15)!, { role: 100 }) },
  ],
  [
    "an owner does all of it",
    "people: [{ email: otis@sandbox.example, role: owner }, { email: dora@sandbox.example, active: true, role: member }, { email: new@x.example, invite: true, role: owner }]",
    [
      'update people otis@sandbox.example (12) role: "member" → "owner"',
      'reactivate people dora@sandbox.example (15) role: "owner" → "member"',
      'invite people new@x.example {"email":"new@x.example","role":"owner","groups":[],"channels":[]}',
      `${told(2)} ${asked("new@x.example")}`,
    ],
    { given: (state) => void Object.assign(state.users.get(15)!, { role: 100 }) },
  ],
  [
    "an account that is not among the people is no owner",
    "settings: { invite_required: false }",
    [
      "refused settings settings invite_required at settings.invite_required: permission denied: only owners can change invite_required",
    ],
    { told: ({ organization }) => void organization.realm_users.shift() },
  ],
];

const invitations: Case[] = [
  [
    "what an invitation does not take with it",
    "people: [{ email: a@x.example, invite: true, profile: { Phone: '1' } }, { email: b@x.example, invite: true, full_name: B }, { email: c@x.example, invite: true, role: guest }]",
    [
      'invite people a@x.example {"email":"a@x.example","groups":[],"channels":[]}',
      'invite people b@x.example {"email":"b@x.example","groups":[],"channels":[]}',
      'invite people c@x.example {"email":"c@x.example","role":"guest","groups":[],"channels":[]}',
      `${told(0)} the profile and name of a@x.example can be set after they join`,
      `${told(0)} ${asked("a@x.example")}`,
      `${told(1)} the profile and name of b@x.example can be set after they join`,
      `${told(1)} ${asked("b@x.example")}`,
      `${told(2)} ${asked("c@x.example")}`,
    ],
  ],
  [
    "an open invitation, in any case, and another's",
    "people: [{ email: New@x.example, invite: true }, { email: two@x.example, invite: true }]",
    [
      'invite people two@x.example {"email":"two@x.example","groups":[],"channels":[]}',
      `${told(0)} New@x.example has a pending invitation`,
      `${told(1)} ${asked("two@x.example")}`,
    ],
    {
      given: invited("nEW@x.example"),
      told: ({ invites }) => void invites.unshift({ id: 2, invited_as: 400, is_multiuse: true }),
    },
  ],
  [
    "into groups",
    "people: [{ email: a@x.example, invite: true }, { email: b@x.example, invite: true }]\ngroups: [{ name: writers, members: { add: [a@x.example] } }]\nchannels: [{ name: design, subscribers: { add: [a@x.example, b@x.example] } }]",
    [
      'invite people a@x.example {"email":"a@x.example","groups":[18],"channels":[1]}',
      'invite people b@x.example {"email":"b@x.example","groups":[],"channels":[1]}',
      `${told(0)} ${asked("a@x.example")}`,
      `${told(1)} ${asked("b@x.example")}`,
    ],
  ],
  [
    "nobody of whom the file only says that they go",
    "organization: https://chat.example\npeople: [{ email: no@x.example, active: false }, { id: 99, active: false }]",
    ["problem at people.1.id: person 99 not found"],
  ],
  [
    "a bot, in any case, and somebody with a name that is near",
    "people: [{ email: Beep-Bot@sandbox.example, role: guest }, { email: corra@sandbox.example }, { email: zoe@x.example }]",
    [
      "problem at people.0.email: Beep-Bot@sandbox.example is a bot: files do not change bots",
      "problem at people.1.email: no person with the e-mail address corra@sandbox.example; did you mean cora@sandbox.example?",
      'problem at people.2.email: no person with the e-mail address zoe@x.example; add "invite: true" to invite them',
    ],
  ],
];

test.each([...profiles, ...roles, ...invitations])("%s", async (_, text, lines, beside) => {
  expect(await said(text, beside)).toEqual(lines);
});

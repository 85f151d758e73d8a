/** The rules of the file, each by a file's text beside the sandbox's organization. */
import { describe, expect, test } from "vitest";
import { compare } from "../../src/organization/compare.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { invited } from "./given.ts";
import { differing, notices, plan, problems, refusals, type Way } from "./planned.ts";
import { snapshotIn } from "./snapshots.ts";

const channel = (state: State, name: string) => [...state.channels.values()].find((each) => each.name === name)!;
const group = (state: State, name: string) => [...state.groups.values()].find((each) => each.name === name)!;

/** Fields for accounts that the server knows. */
function knownAccounts({ profile_fields }: State): void {
  for (const [n, subtype] of ["github", "twitter"].entries())
    profile_fields.push({
      ...profile_fields[0]!,
      id: 10 + n,
      name: subtype === "github" ? "GitHub username" : "Twitter username",
      type: 7,
      hint: "",
      field_data: JSON.stringify({ subtype }),
      order: 10 + n,
      display_in_profile_summary: false,
    });
}

function namesDiffer({ organization }: State): void {
  organization.settings.require_unique_names = true;
}

/** Text, what differs, and what the organization is like. */
const same: [what: string, text: string, way?: Way][] = [
  [
    "a channel's name in other case and with blanks is that channel; its case is not",
    "channels: [{ name: ' design ' }]",
  ],
  [
    "a channel beside another whose name only looks the same",
    "channels: [{ name: general, is_default_stream: true }]",
    {
      given: (state) => {
        channel(state, "staff").name = "\ufeffgeneral";
      },
    },
  ],
  [
    "line breaks of a channel's description are blanks",
    'channels: [{ name: staff, description: "Pri\\nvate" }]',
    {
      given: (state) => {
        channel(state, "staff").description = "Pri vate";
      },
    },
  ],
  ["lists have no order", "channels: [{ name: staff, subscribers: [iris@sandbox.example, adam@sandbox.example] }]"],
  [
    "people by name, id and address in any case",
    "channels: [{ name: staff, subscribers: ['name:Adam Admin', 'id:8', ADAM@sandbox.example] }]",
  ],
  [
    "a permission by whom it names",
    "channels: [{ name: design, can_remove_subscribers_group: { groups: ['role:administrators'] } }]",
  ],
  [
    "nobody in every spelling",
    "channels: [{ name: design, can_subscribe_group: nobody, can_add_subscribers_group: { users: [] } }]",
  ],
  [
    "nobody where the only person named is gone",
    "channels: [{ name: design, can_subscribe_group: nobody }]",
    {
      given: (state) => {
        channel(state, "design").settings.can_subscribe_group = { direct_members: [15], direct_subgroups: [] };
      },
    },
  ],
  [
    "what a delta names is so already",
    "channels: [{ name: staff, subscribers: { add: [iris@sandbox.example], remove: [otis@sandbox.example] } }]",
  ],
  [
    "domains are lower case",
    "domains: [{ domain: A.Example , allow_subdomains: true }]",
    {
      given: (state) => {
        state.domains.push({ id: 1, domain: "a.example", allow_subdomains: true });
      },
    },
  ],
  ["an address in other case", "people: [{ email: Cora@Sandbox.Example, role: member }]"],
  ["white space around names of people", "people: [{ email: cora@sandbox.example, full_name: ' Cora Member ' }]"],
  [
    "linkifiers are trimmed",
    "linkifiers: [{ pattern: ' #(?P<id>[0-9]+)', url_template: 'https://tracker.example/issues/{id} ' }]",
  ],
  ["options keep their places beside others", "profile_fields: [{ name: Office, options: [Lisbon] }]"],
  [
    "things put away that are not there",
    "channels: [{ name: none, archived: true }]\ngroups: [{ name: none, deactivated: true }]\nfolders: [{ name: none, archived: true }]\npeople: [{ email: no@sandbox.example, active: false }]",
  ],
  [
    "things put away that are",
    "channels: [{ name: attic, archived: true }]\nfolders: [{ name: Past, archived: true }]\npeople: [{ email: dora@sandbox.example, active: false }]",
  ],
  ["a renamed thing", "channels: [{ name: design, was: sketches }]"],
  [
    "order among those listed",
    "folders: [{ name: Projects }, { name: Past, archived: true }]\nlinkifiers: [{ pattern: '(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})' }]",
  ],
  [
    "none",
    "channels: [{ name: general, folder: null }]\nsettings: { signup_announcements_stream_id: null }\npeople: [{ email: otis@sandbox.example, profile: { Phone: null } }]",
  ],
  ["methods of signing in that are not mentioned", "settings: { authentication_methods: { Email: true } }"],
  [
    "unlimited",
    "settings: { message_retention_days: unlimited, jitsi_server_url: default }\nchannels: [{ name: design, message_retention_days: realm_default }]",
  ],
  [
    "a person in a profile who is gone stays",
    "people: [{ email: cora@sandbox.example, profile: { Mentor: ['id:15'] } }]",
    {
      given: (state) => {
        [...state.users.values()].find(({ full_name }) => full_name === "Cora Member")!.profile.set(4, "[15]");
      },
    },
  ],
];

same.push([
  "a field for accounts that the server knows, in its words",
  "profile_fields: [{ name: GitHub username, type: account, hint: '', field_data: { subtype: github } }]",
  { given: knownAccounts },
]);

test.each(same)("no difference: %s", async (_, text, way) => {
  expect(await differing(text, way)).toEqual([]);
});

const differs: [what: string, text: string, lines: string[], way?: Way][] = [
  [
    "a channel's name as the database compares it",
    "channels: [{ name: deſign }]",
    ["update channels deſign name: design → deſign"],
  ],
  ["the case of a channel's name", "channels: [{ name: Design }]", ["update channels Design name: design → Design"]],
  [
    "a renamed channel, to which the file refers by its new name",
    "channels: [{ name: sketches, was: design }]\nsettings: { signup_announcements_stream_id: sketches }",
    [
      "update channels sketches name: design → sketches",
      "update settings settings signup_announcements_stream_id: null → sketches",
    ],
  ],
  [
    "a thing by its id, whatever its name",
    "organization: https://chat.example\nchannels: [{ id: 1, name: sketches }]",
    ["update channels sketches name: design → sketches"],
  ],
  [
    "a name that was given up by id is free for something new",
    "organization: https://chat.example\ngroups: [{ id: 17, name: poets }, { name: designers }]",
    ["update groups poets name: designers → poets", 'create groups designers {"name":"designers"}'],
  ],
  [
    "an exact list",
    "groups: [{ name: designers, members: [otis@sandbox.example], subgroups: [writers] }]",
    [
      'update groups designers members: ["adam@sandbox.example","cora@sandbox.example"] → ["otis@sandbox.example"]; subgroups: [] → ["writers"]',
    ],
  ],
  [
    "an emptied list",
    "groups: [{ name: writers, members: [] }]",
    ['update groups writers members: ["otis@sandbox.example"] → []'],
  ],
  [
    "what must and must not be in a list",
    "groups: [{ name: designers, members: { add: [otis@sandbox.example], remove: [adam@sandbox.example] } }]",
    [
      'update groups designers members: ["adam@sandbox.example","cora@sandbox.example"] → ["cora@sandbox.example","otis@sandbox.example"]',
    ],
  ],
  [
    "bots stand in lists",
    "groups: [{ name: writers, members: { add: [beep-bot@sandbox.example] } }]",
    ['update groups writers members: ["otis@sandbox.example"] → ["otis@sandbox.example","beep-bot@sandbox.example"]'],
  ],
  [
    "new things that name each other",
    "groups: [{ name: a, subgroups: [b], can_manage_group: { users: [iris@sandbox.example], groups: [a] } }, { name: b }]\nfolders: [{ name: F }]\nchannels: [{ name: c, folder: F, can_send_message_group: b }]",
    [
      'create folders F {"name":"F"}',
      'create groups b {"name":"b"}',
      'create groups a {"name":"a","can_manage_group":{"users":["iris@sandbox.example"],"groups":["a"]},"subgroups":["b"]}',
      'create channels c {"name":"c","folder":"F","can_send_message_group":"b"}',
    ],
  ],
  [
    "a channel put away, and one brought back with a change",
    "channels: [{ name: design, archived: true }, { name: attic, archived: false, description: Back }]",
    ["unarchive channels attic description: Archived → Back", "archive channels design"],
  ],
  ["a folder brought back", "folders: [{ name: past, archived: false }]", ["unarchive folders past name: Past → past"]],
  ["a group put away that nothing uses", "groups: [{ name: makers, deactivated: true }]", ["deactivate groups makers"]],
  [
    "people who come back and go",
    "people: [{ email: dora@sandbox.example, active: true, role: guest }, { email: otis@sandbox.example, active: false }]",
    ["reactivate people dora@sandbox.example role: member → guest", "deactivate people otis@sandbox.example"],
  ],
  [
    "an invitation takes role, groups and channels with it",
    "people: [{ email: New@sandbox.example, invite: true, role: guest }]\ngroups: [{ name: writers, members: { add: [new@sandbox.example] } }]\nchannels: [{ name: fresh, subscribers: [NEW@sandbox.example] }]",
    [
      'create channels fresh {"name":"fresh","subscribers":[]}',
      'invite people New@sandbox.example {"email":"New@sandbox.example","role":"guest","groups":["writers"],"channels":["fresh"]}',
    ],
  ],
  [
    "profile values",
    "people: [{ email: otis@sandbox.example, profile: { Phone: '1', Office: Lisbon, Mentor: [iris@sandbox.example] } }, { email: cora@sandbox.example, profile: { Phone: null } }]",
    [
      'update people otis@sandbox.example profile.Phone: null → 1; profile.Office: null → Lisbon; profile.Mentor: null → ["iris@sandbox.example"]',
      "update people cora@sandbox.example profile.Phone: +49 30 1234 → null",
    ],
  ],
  [
    "a value of an option that is new or renamed",
    "profile_fields: [{ name: Office, options: [{ name: Lisboa, was: Lisbon }, Rome] }]\npeople: [{ email: otis@sandbox.example, profile: { Office: Rome } }, { email: cora@sandbox.example, profile: { Office: Lisboa } }]",
    [
      'update profile_fields Office options: ["Berlin","Lisbon"] → ["Berlin","Lisboa","Rome"]',
      "update people otis@sandbox.example profile.Office: null → Rome",
    ],
  ],
  [
    "options change places among themselves",
    "profile_fields: [{ name: Office, options: [Rome, Lisbon, Berlin] }]",
    ['update profile_fields Office options: ["Berlin","Lisbon"] → ["Rome","Lisbon","Berlin"]'],
  ],
  [
    "a new field with its values",
    "profile_fields: [{ name: Team, type: options, options: [Red] }]\npeople: [{ email: otis@sandbox.example, profile: { Team: Red } }]",
    [
      'create profile_fields Team {"name":"Team","type":"options","options":["Red"]}',
      "update people otis@sandbox.example profile.Team: null → Red",
    ],
  ],
  [
    "the listed share out the places that they hold",
    "profile_fields: [{ name: Mentor }, { name: Phone }]",
    [
      'reorder profile_fields profile fields ["Phone","About me","Office","Mentor"] → ["Mentor","About me","Office","Phone"]',
    ],
  ],
  [
    "new ones hold the last places",
    "linkifiers: [{ pattern: 'N(?P<n>[0-9]+)', url_template: 'https://n.example/{n}' }, { pattern: '#(?P<id>[0-9]+)' }]",
    [
      'create linkifiers N(?P<n>[0-9]+) {"pattern":"N(?P<n>[0-9]+)","url_template":"https://n.example/{n}"}',
      'reorder linkifiers linkifiers ["#(?P<id>[0-9]+)","(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})","N(?P<n>[0-9]+)"] → ["N(?P<n>[0-9]+)","(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})","#(?P<id>[0-9]+)"]',
    ],
  ],
  [
    "a linkifier's pattern",
    "linkifiers: [{ pattern: 'x(?P<id>[0-9]+)', was: '#(?P<id>[0-9]+)' }]",
    ["update linkifiers x(?P<id>[0-9]+) pattern: #(?P<id>[0-9]+) → x(?P<id>[0-9]+)"],
  ],
  [
    "a playground's address",
    "playgrounds: [{ name: Try, pygments_language: Rust, url_template: 'https://new.example/{code}' }]",
    ["update playgrounds Try (Rust) url_template: https://old.example/{code} → https://new.example/{code}"],
    {
      given: (state) => {
        state.playgrounds.push({
          id: 1,
          name: "Try",
          pygments_language: "Rust",
          url_template: "https://old.example/{code}",
        });
      },
    },
  ],
  [
    "settings and those of new people",
    "settings: { description: Hi, message_content_edit_limit_seconds: unlimited }\nnew_users: { twenty_four_hour_time: true, web_home_view: recent_topics }",
    [
      "update settings settings description:  → Hi; message_content_edit_limit_seconds: 600 → unlimited",
      "update new_users new_users twenty_four_hour_time: false → true; web_home_view: inbox → recent_topics",
    ],
  ],
  [
    "history goes along where privacy changes",
    "channels: [{ name: design, is_private: true, history_public_to_subscribers: true }]",
    ["update channels design is_private: false → true"],
  ],
];

test.each(differs)("a difference: %s", async (_, text, lines, way) => {
  expect(await differing(text, way)).toEqual(lines);
});

const wrong: [text: string, says: string[], way?: Way][] = [
  [
    "settings: { mandatory_topics: false }",
    ["settings.mandatory_topics: removed at feature level 392: set topics_policy instead"],
  ],
  [
    "organization: https://other.example",
    ["organization: the file is for https://other.example, but this is https://chat.example"],
  ],
  [
    "channels: [{ name: attic }]",
    [
      'channels.0: channel "attic" is archived or deactivated: add "archived: false" to restore it, or "archived: true"',
    ],
  ],
  [
    "people: [{ email: dora@sandbox.example }]",
    [
      'people.0: person "dora@sandbox.example" is archived or deactivated: add "active: true" to restore it, or "active: false"',
    ],
  ],
  [
    "settings: { signup_announcements_stream_id: attic }",
    ['settings.signup_announcements_stream_id: channel "attic" is archived or deactivated: the file must restore it'],
  ],
  [
    "settings: { signup_announcements_stream_id: design }\nchannels: [{ name: design, archived: true }]",
    ['settings.signup_announcements_stream_id: the file archives or deactivates channel "design"'],
  ],
  [
    "settings: { can_create_groups: writers }\ngroups: [{ name: writers, deactivated: true }]",
    ['settings.can_create_groups: the file archives or deactivates group "writers"'],
  ],
  [
    "people: [{ email: otis@sandbox.example, active: false }]\ngroups: [{ name: writers, members: [otis@sandbox.example] }]",
    ["groups.0.members.0: the file deactivates Otis Member"],
  ],
  [
    "channels: [{ name: design, subscribers: [corra@sandbox.example] }]",
    [
      "channels.0.subscribers.0: no person with the e-mail address corra@sandbox.example; did you mean cora@sandbox.example?",
    ],
  ],
  [
    "channels: [{ name: design, subscribers: ['name:Cora Membre', 'id:999', cora] }]",
    [
      'channels.0.subscribers.0: no person named "Cora Membre"; did you mean Cora Member?',
      "channels.0.subscribers.1: no person with the id 999",
      "channels.0.subscribers.2: no person with the e-mail address cora; write a full name as name:…",
    ],
  ],
  [
    "people: [{ email: corra@sandbox.example }, { email: zoe@elsewhere.example }, { email: beep-bot@sandbox.example, role: guest }, { id: 999 }, { email: new@sandbox.example }]",
    [
      "people.3.id: person 999 not found",
      "people.0.email: no person with the e-mail address corra@sandbox.example; did you mean cora@sandbox.example?",
      'people.1.email: no person with the e-mail address zoe@elsewhere.example; add "invite: true" to invite them',
      'people.2.email: beep-bot@sandbox.example is a bot: list it in "bots"',
      'people.4.email: no person with the e-mail address new@sandbox.example; add "invite: true" to invite them',
    ],
  ],
  [
    "channels: [{ name: design, folder: Projcts, can_subscribe_group: writrs }]\nsettings: { can_create_groups: moderators }",
    [
      'settings.can_create_groups: group "moderators" not found; did you mean role:moderators?',
      'channels.0.folder: folder "Projcts" not found; did you mean Projects?',
      'channels.0.can_subscribe_group: group "writrs" not found; did you mean writers?',
    ],
  ],
  [
    "channels: [{ name: sketches, was: design }]\nsettings: { signup_announcements_stream_id: design }",
    [
      'settings.signup_announcements_stream_id: channel "design" is renamed to "sketches" in the file: use the new name',
    ],
  ],
  [
    "groups: [{ name: poets, was: designers }, { name: designers }]",
    ['groups.0.was: "designers" is named by another entry: add the id of the one to rename'],
  ],
  [
    "organization: https://chat.example\nchannels: [{ id: 99, name: general }]",
    ["channels.0.id: channel 99 not found"],
  ],
  [
    "linkifiers: [{ pattern: x }]\nprofile_fields: [{ name: X }]\ndomains: [{ domain: a.example }]",
    [
      'profile_fields.0: missing "type": required for a new profile field',
      'linkifiers.0: missing "url_template": required for a new linkifier',
      'domains.0: missing "allow_subdomains": required for a new domain',
    ],
  ],
  [
    "profile_fields: [{ name: X, type: options }, { name: Phone, options: [a] }]",
    [
      'profile_fields.0: missing "options": required for a new field of type options',
      "profile_fields.1.options: only fields of type options have options",
    ],
  ],
  [
    "people: [{ email: otis@sandbox.example, profile: { Offce: Berlin, Office: Berln, Mentor: x, Phone: [iris@sandbox.example] } }]",
    [
      'people.0.profile.Offce: profile field "Offce" not found; did you mean Office?',
      'people.0.profile.Office: "Office" has no option "Berln"; did you mean Berlin?',
      'people.0.profile.Mentor: "Mentor" holds people: must be a list',
      'people.0.profile.Phone: "Phone" does not hold people: must be text',
    ],
  ],
  [
    "channels: [{ name: design, subscribers: ['name:Cora Member'] }]",
    ['channels.0.subscribers.0: several people are named "Cora Member": id:11, id:12'],
    {
      given: (state) => {
        for (const user of state.users.values()) if (user.full_name === "Otis Member") user.full_name = "Cora Member";
      },
    },
  ],
];

test.each(wrong)("wrong: %s", async (text, says, way) => {
  expect(await problems(text, way)).toEqual(says);
});

const refused: [what: string, text: string, says: string[], way?: Way][] = [
  [
    "attributes that are too new, each once",
    "channels: [{ name: design, folder: null, topics_policy: inherit }, { name: staff, topics_policy: inherit }]",
    [
      "channels design: folder requires feature level 389; this server has level 371",
      "channels design: topics_policy requires feature level 392; this server has level 371",
    ],
    { level: 371 },
  ],
  [
    "no names that are given up, that need not differ, or need not any more",
    "people: [{ email: cora@sandbox.example, full_name: Otis Member }, { email: otis@sandbox.example, full_name: Cora Member }]",
    [],
    { given: namesDiffer },
  ],
  [
    "no name that another has before names must differ, or when they need not any more",
    "people: [{ email: cora@sandbox.example, full_name: Otis Member }]\nsettings: { require_unique_names: false }",
    [],
    { given: namesDiffer },
  ],
  [
    "no groups that are turned round, or are in one by two ways",
    "groups: [{ name: makers, subgroups: [writers] }, { name: designers, subgroups: [makers, writers] }]",
    [],
  ],
  [
    "values that are too new",
    "channels: [{ name: design, topics_policy: empty_topic_only }]",
    ["channels design: topics_policy requires feature level 404; this server has level 400"],
    { level: 400 },
  ],
  [
    "a section that is too new",
    "folders: [{ name: F }]",
    ["folders F: name requires feature level 389; this server has level 371"],
    { level: 371 },
  ],
  [
    "a channel brought back too early",
    "channels: [{ name: attic, archived: false }]",
    ["channels attic: cannot be restored before feature level 388; this server has level 387"],
    { level: 387 },
  ],
  [
    "a group brought back too early",
    "groups: [{ name: writers, deactivated: false }]",
    ["groups writers: cannot be restored before feature level 386; this server has level 385"],
    {
      level: 385,
      given: (state) => {
        group(state, "makers").subgroups.clear();
        group(state, "writers").deactivated = true;
      },
    },
  ],
  [
    "what only owners may do",
    "settings: { invite_required: false, description: x }\nchannels: [{ name: design, message_retention_days: 7 }]\npeople: [{ email: iris@sandbox.example, role: member }, { email: otis@sandbox.example, role: owner }, { email: new@sandbox.example, invite: true, role: owner }]\ndomains: [{ domain: a.example, allow_subdomains: true }]",
    [
      "settings settings: permission denied: only owners can change invite_required",
      "channels design: permission denied: only owners can change message_retention_days",
      "domains a.example: permission denied: only owners can change domain",
      "domains a.example: permission denied: only owners can change allow_subdomains",
      "people iris@sandbox.example: permission denied: only owners can give or take the role owner",
      "people otis@sandbox.example: permission denied: only owners can give or take the role owner",
      "people new@sandbox.example: permission denied: only owners can invite owners",
    ],
    { as: 200 },
  ],
  [
    "another kind of a profile field",
    "profile_fields: [{ name: Phone, type: long_text }]",
    [
      "profile_fields Phone: is of the type short_text: changing the type would need a new field and lose people's values",
    ],
  ],
  [
    "what an administrator cannot do in a private channel",
    "channels: [{ name: council, is_private: false, description: ok, subscribers: { add: [otis@sandbox.example] } }]",
    [
      "channels council: is private, and this account is not subscribed: only people who can read it can change this",
      "channels council: is private, and this account is not subscribed: only people who can read it can change this",
    ],
    { as: 200 },
  ],
  [
    "no protected history where everyone starts topics afterwards, or the history is shared",
    "channels: [{ name: design, is_private: true, history_public_to_subscribers: false, can_create_topic_group: role:everyone }, " +
      "{ name: deck, is_private: true }, { name: announcements, is_private: true }, " +
      "{ name: staff, history_public_to_subscribers: true, can_create_topic_group: role:moderators }]",
    [],
    {
      given: (state) => {
        const moderators = group(state, "role:moderators").id;
        for (const name of ["design", "announcements"])
          channel(state, name).settings.can_create_topic_group = moderators;
        channel(state, "staff").history_public_to_subscribers = false;
        channel(state, "announcements").is_default = false;
      },
    },
  ],
  [
    "a group put away that is used",
    "groups: [{ name: writers, deactivated: true }]",
    ["groups writers: is still used by group makers (subgroups)"],
  ],
  [
    "a folder put away that has channels, including archived ones",
    "folders: [{ name: Projects, archived: true }]\nchannels: [{ name: design, archived: true }]",
    ["folders Projects: is still used by channel design"],
  ],
];

test.each(refused)("refused: %s", async (_, text, says, way) => {
  expect(await refusals(text, way)).toEqual(says);
});

describe("what is told besides", () => {
  test.each<[text: string, says: string[]]>([
    [
      "groups: [{ name: writers, members: { add: [dora@sandbox.example] } }]",
      ["Dora Departed is deactivated: skipped in lists"],
    ],
    [
      "groups: [{ name: writers, was: designers }]",
      ['group "writers" exists, and so does "designers": "was" is ignored'],
    ],
    [
      "channels: [{ name: desing }]",
      ['a new channel "desing"; there is "design": did you mean it? Then add "was: design"'],
    ],
    ["channels: [{ name: desing }, { name: design }]", []],
  ])("%s", async (text, says) => {
    expect(await notices(text)).toEqual(says);
  });

  test("an open invitation is no difference, and an invited person in lists neither", async () => {
    const text =
      "people: [{ email: new@sandbox.example, invite: true }]\ngroups: [{ name: writers, members: [otis@sandbox.example, new@sandbox.example] }]";
    const made = await plan(text, { given: invited("New@sandbox.example") });
    expect({ lines: made.lines, notices: made.comparison.notices.map(({ says }) => says) }).toEqual({
      lines: [],
      notices: ["new@sandbox.example has a pending invitation"],
    });
  });

  test("what the file does not speak of is counted, live things alone", async () => {
    const { comparison } = await plan("channels: [{ name: design }]\ngroups: [{ name: writers, was: designers }]");
    expect(comparison.unmanaged).toEqual({
      profile_fields: 4,
      people: 6,
      bots: 1,
      groups: 1,
      folders: 1,
      channels: 5,
      linkifiers: 2,
    });
  });
});

describe("sections that are exhaustive", () => {
  const text =
    "complete: [groups, channels, linkifiers, profile_fields, folders]\nchannels: [{ name: design }, { name: general }]\ngroups: [{ name: makers }]\nlinkifiers: [{ pattern: '#(?P<id>[0-9]+)' }]\nprofile_fields: [{ name: Office, options: [Berlin] }]\nfolders: [{ name: Past, archived: true }]";
  const gone = [
    'update profile_fields Office options: ["Berlin","Lisbon"] → ["Berlin"]',
    "archive channels announcements",
    "archive channels staff",
    "archive channels council",
    'remove linkifiers (?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40}) {"pattern":"(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})","url_template":"https://code.example/{repo}/commit/{commit}"}',
    "remove profile_fields Phone",
    "remove profile_fields About me",
    "remove profile_fields Mentor",
  ];
  const short = (lines: string[]) => lines.map((line) => line.replace(/(remove profile_fields .*?) \{.*/, "$1")).sort();

  test("lose with --prune what is not in the file, but what is in use", async () => {
    const { lines, comparison } = await plan(text, { prune: true });
    expect(short(lines)).toEqual([...gone].sort());
    expect(comparison.used).toEqual([
      { section: "groups", name: "designers", id: 17, by: ["group makers (subgroups)"] },
      { section: "groups", name: "writers", id: 18, by: ["group makers (subgroups)"] },
      { section: "channels", name: "moderation requests", id: 6, by: ["settings (moderation_request_channel_id)"] },
      { section: "folders", name: "Projects", id: 1, by: ["channel design"] },
    ]);
  });

  test("only list that without", async () => {
    const { lines, comparison, steps } = await plan(text);
    expect(short(lines)).toEqual(gone.map((line) => `(prune) ${line}`).sort());
    expect({ differences: comparison.differences, steps }).toEqual({ differences: [], steps: [] });
  });

  test("keep what `was` names", async () => {
    const { lines } = await plan("complete: [groups]\ngroups: [{ name: designers, was: writers }, { name: makers }]", {
      prune: true,
    });
    expect(lines).toEqual([]);
  });
});

const accounts = (field_data: string) => (state: State) => {
  const [phone] = state.profile_fields;
  state.profile_fields.push({ ...phone!, id: 9, name: "Code", type: 7, display_in_profile_summary: false, field_data });
};
const custom = '{"subtype":"custom","url_pattern":"https://c.example/%(username)s"}';
const cora = (state: State) => [...state.users.values()].find(({ full_name }) => full_name === "Cora Member")!;

test.each<[what: string, text: string, lines: string[], way?: Way]>([
  [
    "an empty text where there is none",
    "linkifiers: [{ pattern: '#(?P<id>[0-9]+)', example_input: '', alternative_url_templates: [] }]",
    [],
    { level: 478 },
  ],
  [
    "a field of accounts, its members in any order",
    "profile_fields: [{ name: Code, field_data: { url_pattern: 'https://c.example/%(username)s', subtype: custom } }]",
    [],
    { given: accounts(custom) },
  ],
  [
    "none where a value is empty",
    "people: [{ email: cora@sandbox.example, profile: { Phone: null } }]",
    [],
    { given: (state) => cora(state).profile.set(1, "") },
  ],
  [
    "somebody who is gone, and no longer in a profile",
    "people: [{ email: cora@sandbox.example, profile: { Mentor: [iris@sandbox.example] } }]",
    [
      'update people cora@sandbox.example profile.Mentor: ["iris@sandbox.example","dora@sandbox.example"] → ["iris@sandbox.example"]',
    ],
    { given: (state) => cora(state).profile.set(4, "[15,8]") },
  ],
  [
    "an invitation to what is made with another spelling",
    "people: [{ email: new@sandbox.example, invite: true }]\nchannels: [{ name: Fresh, subscribers: [new@sandbox.example] }]",
    [
      'create channels Fresh {"name":"Fresh","subscribers":[]}',
      'invite people new@sandbox.example {"email":"new@sandbox.example","groups":[],"channels":["Fresh"]}',
    ],
  ],
  [
    "an administrator takes somebody out of a private channel that they are not in",
    "channels: [{ name: council, subscribers: { remove: [mona@sandbox.example] } }]",
    [
      'update channels council subscribers: ["iris@sandbox.example","mona@sandbox.example","cora@sandbox.example"] → ["iris@sandbox.example","cora@sandbox.example"]',
    ],
    { as: 200 },
  ],
  [
    "an administrator puts somebody in whom a permission lets in",
    "channels: [{ name: council, subscribers: [iris@sandbox.example, mona@sandbox.example, cora@sandbox.example, otis@sandbox.example] }]",
    [
      'update channels council subscribers: ["iris@sandbox.example","mona@sandbox.example","cora@sandbox.example"] → ["iris@sandbox.example","mona@sandbox.example","cora@sandbox.example","otis@sandbox.example"]',
    ],
    {
      as: 200,
      given: (state) =>
        Object.assign(channel(state, "council").settings, {
          can_subscribe_group: { direct_members: [9], direct_subgroups: [] },
        }),
    },
  ],
])("besides: %s", async (_, text, lines, way) => {
  expect(await differing(text, way)).toEqual(lines);
});

test("of several folders with a name the one that is not put away is meant", async () => {
  const twice = ({ folders }: State) => {
    const [projects, past] = folders.values();
    past!.name = "projects";
    // The one that is put away is told first.
    projects!.order = 5;
  };
  expect(await differing("folders: [{ name: Projects, description: Work }]", { given: twice })).toEqual([
    "update folders Projects description: What we are **making** → Work",
  ]);
});

test("one thing is not meant by two entries", async () => {
  const text =
    "organization: https://chat.example\nchannels: [{ id: 1, name: sketches }, { name: drafts, was: design }]\n" +
    "groups: [{ name: poets, was: writers }, { name: bards, was: writers }]";
  expect(await problems(text)).toEqual([
    'groups.1: group "writers" is named by two entries: add its id to one of them',
    'channels.1: channel "design" is named by two entries: add its id to one of them',
  ]);
});

test("what is archived and in use already may stay in use", async () => {
  const old = (state: State) => {
    channel(state, "design").folder_id = 2;
  };
  expect(await differing("channels: [{ name: design, folder: Past }]", { given: old })).toEqual([]);
});

test("of two people with a name the one who is here is meant", async () => {
  const twice = (state: State) => {
    for (const user of state.users.values()) if (user.full_name === "Dora Departed") user.full_name = "Otis Member";
  };
  const text = "groups: [{ name: writers, members: ['name:Otis Member'] }]";
  expect(await differing(text, { given: twice })).toEqual([]);
});

test("ways to sign in that are not mentioned stay as they are", async () => {
  const snapshot = await snapshotIn(fresh({ level: 442 }));
  Object.assign(snapshot.organization, {
    realm_authentication_methods: { Email: { enabled: true }, GitHub: { enabled: false }, SAML: { enabled: true } },
  });
  const { differences } = compare(snapshot, { settings: { authentication_methods: { GitHub: true } } });
  const from = { Email: true, GitHub: false, SAML: true };
  expect(differences).toEqual([
    {
      section: "settings",
      name: "settings",
      action: "update",
      fields: [{ field: "authentication_methods", from, to: { ...from, GitHub: true } }],
    },
  ]);
});

test("what is archived itself holds no group back, and only owners prune domains", async () => {
  const unused = (state: State) => {
    const [writers, makers] = [group(state, "writers"), group(state, "makers")];
    makers.deactivated = true;
    channel(state, "attic").settings.can_subscribe_group = writers.id;
  };
  expect(await differing("groups: [{ name: writers, deactivated: true }]", { given: unused })).toEqual([
    "deactivate groups writers",
  ]);
  const domains = (state: State) => {
    state.domains.push({ id: 1, domain: "a.example", allow_subdomains: true });
  };
  const text = "complete: [domains]\ndomains: []";
  expect(await refusals(text, { given: domains, prune: true, as: 200 })).toEqual([
    "domains a.example: permission denied: only owners can remove domains",
  ]);
  expect(await refusals(text, { given: domains, as: 200 })).toEqual([]);
});

test("what another change would undo goes along with it", async () => {
  const text = "channels: [{ name: design, is_private: true, history_public_to_subscribers: true }]";
  const [one] = (await plan(text)).comparison.differences;
  expect(one).toMatchObject({
    fields: [
      { field: "is_private", from: false, to: true },
      { field: "history_public_to_subscribers", from: true, to: true },
    ],
  });
});

test("options that a server tells in another form break nothing", async () => {
  const broken = (state: State) => {
    state.profile_fields.find(({ name }) => name === "Office")!.field_data = "{";
  };
  expect(await differing("channels: [{ name: design, description: x }]", { given: broken })).toEqual([
    "update channels design description: Sketches and **drafts** → x",
  ]);
});

/** Which thing an entry is about. */
import { expect, test } from "vitest";
import { type Case, group, said } from "../compared.ts";
import { liveTwice, twice } from "../given.ts";

const here = "organization: https://chat.example\n";

/** Two folders of one name, of which `first` is told first. */
const cases: Case[] = [
  [
    "three names, each given up for the one before",
    "groups: [{ name: makers, was: writers }, { name: writers, was: designers }, { name: designers, was: poets }]",
    [
      'update groups makers (18) name: "writers" → "makers"',
      'update groups writers (17) name: "designers" → "writers"',
      'update groups designers (19) name: "poets" → "designers"',
    ],
    { given: (state) => void Object.assign(group(state, "makers"), { name: "poets" }) },
  ],
  [
    "likewise in the other order",
    "groups: [{ name: designers, was: poets }, { name: writers, was: designers }, { name: makers, was: writers }]",
    [
      'update groups designers (19) name: "poets" → "designers"',
      'update groups writers (17) name: "designers" → "writers"',
      'update groups makers (18) name: "writers" → "makers"',
    ],
    { given: (state) => void Object.assign(group(state, "makers"), { name: "poets" }) },
  ],
  [
    "a swap by ids, whatever was said to be the old names",
    `${here}channels: [{ id: 1, name: general, was: general }, { id: 2, name: design, was: design }]`,
    ['update channels general (1) name: "design" → "general"', 'update channels design (2) name: "general" → "design"'],
  ],
  [
    "an id that is nowhere is not looked up by its name",
    `${here}groups: [{ id: 99, name: writers, was: designers }, { id: 98, name: makerz }]`,
    ["problem at groups.0.id: group 99 not found", "problem at groups.1.id: group 98 not found"],
  ],
  [
    "of two folders of one name the live one is renamed, once",
    "folders: [{ name: Work, was: Projects }]",
    ['update folders Work (1) name: "Projects" → "Work"'],
    { given: twice("live") },
  ],
  [
    "likewise where the archived one is told first",
    "folders: [{ name: Work, was: Projects }]",
    ['update folders Work (1) name: "Projects" → "Work"'],
    { given: twice("archived") },
  ],
  [
    "of two live folders of one name an entry says which is meant",
    "folders: [{ name: Projects, description: x }]",
    [
      'problem at folders.0: there are 2 folders "Projects" (id 1, id 2): add the id of the right one, which requires "organization"',
    ],
    { given: liveTwice },
  ],
  [
    "also of two that are to have another name",
    "folders: [{ name: Work, was: PROJECTS }]",
    [
      'problem at folders.0.was: there are 2 folders "Projects" (id 1, id 2): add the id of the right one, which requires "organization"',
    ],
    { given: liveTwice },
  ],
  [
    "and of two that are put away, where one is brought back",
    "folders: [{ name: Projects, archived: false }]",
    [
      'problem at folders.0: there are 2 folders "Projects" (id 1, id 2): add the id of the right one, which requires "organization"',
    ],
    {
      given: (state) => {
        liveTwice(state);
        for (const folder of state.folders.values()) folder.is_archived = true;
      },
    },
  ],
  [
    "but not where it makes no difference",
    "folders: [{ name: Projects, archived: true }]",
    [],
    {
      given: (state) => {
        liveTwice(state);
        for (const folder of state.folders.values()) folder.is_archived = true;
      },
    },
  ],
  [
    "nor where an id says it",
    `${here}folders: [{ id: 2, name: projects, description: x }]`,
    ['update folders projects (2) description: "Folders nobody needs" → "x"'],
    { given: liveTwice },
  ],
  [
    "nor where another entry has the one of them by its id",
    `${here}folders: [{ id: 1, name: Work }, { name: projects, description: x }]`,
    [
      'update folders Work (1) name: "Projects" → "Work"',
      'update folders projects (2) description: "Folders nobody needs" → "x"',
    ],
    { given: liveTwice },
  ],
  [
    "a group without a name is nobody's old one",
    "groups: [{ name: poets }]",
    ['create groups poets {"name":"poets"}'],
    { given: (state) => void Object.assign(group(state, "makers"), { name: "" }) },
  ],
  [
    "what another entry names is not renamed",
    "groups: [{ name: poets, was: designers }, { name: designers }]",
    ['problem at groups.0.was: "designers" is named by another entry: add the id of the one to rename'],
  ],
  [
    "old names of things that are there are ignored",
    "groups: [{ name: writers, was: designers }]",
    ['notice at groups.0.was: group "writers" exists, and so does "designers": "was" is ignored'],
  ],
  [
    "a name that an archived folder has is not",
    `${here}folders: [{ id: 1, name: Past }]`,
    ['update folders Past (1) name: "Projects" → "Past"'],
  ],
  [
    "a playground that is there twice is no other's name",
    "playgrounds: [{ name: Try, pygments_language: Rust, url_template: 'https://x.example/{code}' }]",
    [],
    {
      given: ({ playgrounds }) => {
        const one = { name: "Try", pygments_language: "Rust", url_template: "https://x.example/{code}" };
        playgrounds.push({ id: 1, ...one }, { id: 2, ...one });
      },
    },
  ],
  [
    "a person by id is called as they are",
    `${here}people: [{ id: 12, role: guest }]`,
    ['update people otis@sandbox.example (12) role: "member" → "guest"'],
  ],
  [
    "people by ids whose addresses nobody sees",
    `${here}people: [{ id: 12, role: guest }, { id: 13, role: member }]`,
    ['update people id:12 (12) role: "member" → "guest"', 'update people id:13 (13) role: "guest" → "member"'],
    {
      told: ({ organization }) => {
        for (const person of organization.realm_users.filter(({ user_id }) => user_id > 10))
          Object.assign(person, { email: `user${person.user_id}@chat.example`, delivery_email: null });
      },
    },
  ],
  [
    "a person by id, where another's address is hidden",
    `${here}people: [{ id: 12, role: guest }]`,
    ['update people otis@sandbox.example (12) role: "member" → "guest"'],
    {
      told: ({ organization }) =>
        void Object.assign(organization.realm_users[5]!, { email: "user13@chat.example", delivery_email: null }),
    },
  ],
  [
    "what is new and almost called like something else",
    "channels: [{ name: desing }]",
    [
      'create channels desing {"name":"desing"}',
      'notice at channels.0: a new channel "desing"; there is "design": did you mean it? Then add "was: design"',
    ],
  ],
  [
    "where that is in the file itself",
    "channels: [{ name: desing }, { name: design }]",
    ['create channels desing {"name":"desing"}'],
  ],
  [
    "where the file says what it was, and nothing is called so",
    "channels: [{ name: desing, was: drawings }]",
    [
      'create channels desing {"name":"desing"}',
      'notice at channels.0.was: no channel is named "drawings": "desing" will be created; there is "design": did you mean it? Then add "was: design"',
    ],
  ],
  [
    "what already exists, almost called like something else",
    "channels: [{ name: design }]",
    [],
    { given: (state) => void Object.assign([...state.channels.values()][1]!, { name: "desing" }) },
  ],
  [
    "what has no old name, almost called like something else",
    "people: [{ email: corra@sandbox.example, invite: true }]\ndomains: [{ domain: a.example, allow_subdomains: true }]",
    [
      'create domains a.example {"domain":"a.example","allow_subdomains":true}',
      'invite people corra@sandbox.example {"email":"corra@sandbox.example","groups":[],"channels":[]}',
      "notice at people.0: corra@sandbox.example is invited: plan again after they join",
    ],
    { given: ({ domains }) => void domains.push({ id: 1, domain: "b.example", allow_subdomains: true }) },
  ],
  [
    "groups, fields, linkifiers and playgrounds whose names differ in case",
    "groups: [{ name: Designers }]\nprofile_fields: [{ name: phone, type: url }]\nlinkifiers: [{ pattern: 'T(?P<n>[0-9]+)', url_template: 'https://t.example/{n}' }]\nplaygrounds: [{ name: try, pygments_language: Rust, url_template: 'https://x.example/{code}' }]",
    [
      'create profile_fields phone {"name":"phone","type":"url"}',
      'create groups Designers {"name":"Designers"}',
      'create linkifiers T(?P<n>[0-9]+) {"pattern":"T(?P<n>[0-9]+)","url_template":"https://t.example/{n}"}',
      'create playgrounds try (Rust) {"name":"try","pygments_language":"Rust","url_template":"https://x.example/{code}"}',
      'notice at profile_fields.0: a new profile field "phone"; there is "Phone": did you mean it? Then add "was: Phone"',
      'notice at groups.0: a new group "Designers"; there is "designers": did you mean it? Then add "was: designers"',
      'notice at linkifiers.0: a new linkifier "T(?P<n>[0-9]+)"; there is "t(?P<n>[0-9]+)": did you mean it? Then add "was: \'t(?P<n>[0-9]+)\'"',
    ],
    {
      given: ({ playgrounds, linkifiers }) => {
        linkifiers[0]!.pattern = "t(?P<n>[0-9]+)";
        playgrounds.push({ id: 1, name: "Try", pygments_language: "Rust", url_template: "https://x.example/{code}" });
      },
    },
  ],
];

test.each(cases)("%s", async (_, text, lines, beside) => {
  expect(await said(text, beside)).toEqual(lines);
});

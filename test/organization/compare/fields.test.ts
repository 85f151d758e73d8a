/** Profile fields, and what there is to choose from. */
import { expect, test } from "vitest";
import type { State } from "../../../src/sandbox/index.ts";
import { type Case, said } from "../compared.ts";

const options = (all: Record<string, string>) => (state: State) => {
  state.profile_fields[2]!.field_data = JSON.stringify(
    Object.fromEntries(Object.entries(all).map(([key, text], n) => [key, { text, order: String(n + 1) }])),
  );
};

/** A field for accounts that the server knows. */
const github = (state: State) => {
  const field_data = JSON.stringify({ subtype: "github" });
  state.profile_fields.push({
    ...state.profile_fields[0]!,
    id: 9,
    name: "GitHub username",
    type: 7,
    hint: "Yours",
    field_data,
    display_in_profile_summary: false,
  });
};

const berlin = '{"key":"0","text":"Berlin"}';
const lisbon = '{"key":"1","text":"Lisbon"}';
const office = (lists: string) => `update profile_fields Office (3) options: [${berlin},${lisbon}] → ${lists}`;

const choices: Case[] = [
  ["the same options", "profile_fields: [{ name: Office, options: [Berlin, Lisbon] }]", []],
  ["one of them", "profile_fields: [{ name: Office, options: [Lisbon] }]", []],
  [
    "a renamed one keeps its key, a new one gets another, and those that are not listed their places",
    "profile_fields: [{ name: Office, options: [Rome, { name: Lisboa, was: Lisbon }] }]",
    [office(`[${berlin},{"key":"2","text":"Rome"},{"key":"1","text":"Lisboa"}]`)],
  ],
  [
    "keys that are no numbers, and numbers that are too large, are no ones to count from",
    "profile_fields: [{ name: Office, options: [A, B, C, { name: D, was: E }, F] }]",
    [
      'update profile_fields Office (3) options: [{"key":"7","text":"A"},{"key":"k1","text":"B"},{"key":"1234567890123456","text":"C"}] → [{"key":"7","text":"A"},{"key":"k1","text":"B"},{"key":"1234567890123456","text":"C"},{"key":"8","text":"D"},{"key":"9","text":"F"}]',
    ],
    { given: options({ 7: "A", k1: "B", 1234567890123456: "C" }) },
  ],
  [
    "the next key after one of several digits, and the first after one that is no number",
    "profile_fields: [{ name: Office, options: [A, B] }, { name: Team, options: [A, B] }]",
    [
      'update profile_fields Office (3) options: [{"key":"12","text":"A"}] → [{"key":"12","text":"A"},{"key":"13","text":"B"}]',
      'update profile_fields Team (9) options: [{"key":"k1","text":"A"}] → [{"key":"k1","text":"A"},{"key":"0","text":"B"}]',
    ],
    {
      given: (state) => {
        options({ 12: "A" })(state);
        const field_data = JSON.stringify({ k1: { text: "A", order: "1" } });
        state.profile_fields.push({ ...state.profile_fields[2]!, id: 9, name: "Team", field_data });
      },
    },
  ],
  [
    "the first key where there was no option",
    "profile_fields: [{ name: Office, options: [A] }]",
    ['update profile_fields Office (3) options: [] → [{"key":"0","text":"A"}]'],
    { given: options({}) },
  ],
  [
    "an old name that another entry has",
    "profile_fields: [{ name: Office, options: [Berlin, { name: Lisboa, was: Lisbon }, Lisbon] }]",
    ['problem at profile_fields.0.options.1.was: "Lisbon" is also another option of this list'],
  ],
  [
    "an old name that the first entry takes from another",
    "profile_fields: [{ name: Office, options: [{ name: Lisboa, was: Lisbon }, Lisbon] }]",
    ['problem at profile_fields.0.options.0.was: "Lisbon" is also another option of this list'],
  ],
  [
    "an old name is ignored where both are there, and both are named",
    "complete: [profile_fields]\nprofile_fields: [{ name: Phone }, { name: About me }, { name: Mentor }, { name: Office, options: [{ name: Berlin, was: Lisbon }] }]",
    [
      "reorder profile_fields profile fields [1,2,3,4] → [1,2,4,3]",
      'notice at profile_fields.3.options.0.was: option "Berlin" exists, and so does "Lisbon": "was" is ignored',
    ],
  ],
  [
    "or both are listed",
    "profile_fields: [{ name: Office, options: [{ name: Berlin, was: Lisbon }, Lisbon] }]",
    ['notice at profile_fields.0.options.0.was: option "Berlin" exists, and so does "Lisbon": "was" is ignored'],
  ],
  [
    "or neither was there",
    "profile_fields: [{ name: Office, options: [{ name: Rome, was: Roma }, Roma] }]",
    [office(`[${berlin},${lisbon},{"key":"2","text":"Rome"},{"key":"3","text":"Roma"}]`)],
  ],
  [
    "a new option with an old name that nothing has",
    "profile_fields: [{ name: Office, options: [Berlin, Lisbon, { name: Rome, was: Roma }] }]",
    [office(`[${berlin},${lisbon},{"key":"2","text":"Rome"}]`)],
  ],
];

const all = "{ name: Phone }, { name: About me }, { name: Mentor }";

const complete: Case[] = [
  [
    "options that are not listed are withheld",
    `complete: [profile_fields]\nprofile_fields: [{ name: Office, options: [Berlin, Rome] }, ${all}]`,
    [
      office(`[${berlin},${lisbon},{"key":"2","text":"Rome"}]`),
      "reorder profile_fields profile fields [1,2,3,4] → [3,1,2,4]",
      `withheld update profile_fields Office (3) options: [${berlin},${lisbon},{"key":"2","text":"Rome"}] → [${berlin},{"key":"2","text":"Rome"}]`,
    ],
  ],
  [
    "or go, which no profile then has",
    `complete: [profile_fields]\nprofile_fields: [{ name: Phone }, { name: About me }, { name: Office, options: [Berlin] }, { name: Mentor }]\npeople: [{ email: otis@sandbox.example, profile: { Office: Lisbon } }]`,
    ['problem at people.0.profile.Office: "Office" has no option "Lisbon"'],
    { prune: true },
  ],
  [
    "and a value of one that is only withheld may be",
    `complete: [profile_fields]\nprofile_fields: [{ name: Phone }, { name: About me }, { name: Office, options: [Berlin] }, { name: Mentor }]\npeople: [{ email: otis@sandbox.example, profile: { Office: Lisbon } }]`,
    [
      'update people otis@sandbox.example (12) profile of {"field":3,"name":"Office"}: null → "1"',
      `withheld ${office(`[${berlin}]`)}`,
    ],
  ],
  [
    "where all are listed nothing is",
    `complete: [profile_fields]\nprofile_fields: [{ name: Phone }, { name: About me }, { name: Office, options: [Berlin, Lisbon] }, { name: Mentor }]`,
    [],
  ],
  [
    "other sections being complete does not concern them",
    "complete: [domains]\nprofile_fields: [{ name: Office, options: [Berlin] }]",
    [],
    { prune: true },
  ],
];

const kinds: Case[] = [
  ["the same kind", "profile_fields: [{ name: Phone, type: short_text }, { name: Office, type: options }]", []],
  [
    "another kind",
    "profile_fields: [{ name: Phone, type: long_text }]",
    [
      "refused profile_fields Phone type at profile_fields.0.type: is of the type short_text: changing the type would need a new field and lose people's values",
    ],
  ],
  [
    "another kind than one that this program does not know",
    "profile_fields: [{ name: Phone, type: long_text }]",
    [
      "refused profile_fields Phone type at profile_fields.0.type: is of the type unknown here: changing the type would need a new field and lose people's values",
    ],
    { told: ({ organization }) => void Object.assign(organization.custom_profile_fields[0]!, { type: 99 }) },
  ],
  [
    "what a field of its kind does not have, or needs",
    "profile_fields: [{ name: Phone, options: [a] }, { name: Mentor, field_data: { subtype: github } }, { name: X, type: options }, { name: Y, type: account }]",
    [
      "problem at profile_fields.0.options: only fields of type options have options",
      "problem at profile_fields.1.field_data: only fields of type account have field_data",
      'problem at profile_fields.2: missing "options": required for a new field of type options',
      'problem at profile_fields.3: missing "field_data": required for a new field of type account',
    ],
  ],
  [
    "pronouns that are there",
    "profile_fields: [{ name: Phone, type: pronouns, hint: x }]",
    ['update profile_fields Phone (1) hint: "" → "x"'],
    { told: ({ organization }) => void Object.assign(organization.custom_profile_fields[0]!, { type: 8 }) },
  ],
  [
    "a field for accounts that the server knows, in its words",
    "profile_fields: [{ name: GitHub username, hint: Yours, field_data: { subtype: github } }]",
    [],
    { given: github },
  ],
  [
    "in other words",
    "profile_fields: [{ name: GitHub username, hint: Mine }]",
    [
      'refused profile_fields GitHub username hint at profile_fields.0.hint: cannot change its hint: the server sets the hint "Yours" for such a field',
    ],
    { given: github },
  ],
  [
    "for other accounts",
    "profile_fields: [{ name: GitHub username, field_data: { subtype: twitter } }]",
    [
      "refused profile_fields GitHub username field_data at profile_fields.0.field_data: is for accounts that the server knows, and cannot become another's",
    ],
    { given: github },
  ],
  [
    "with another attribute",
    "profile_fields: [{ name: GitHub username, required: true }]",
    ["update profile_fields GitHub username (9) required: false → true"],
    { given: github },
  ],
  [
    "a new one in its words, and in others",
    "profile_fields: [{ name: GitHub username, type: account, field_data: { subtype: github } }, { name: Tweets, type: account, field_data: { subtype: twitter } }, { name: Own, type: account, hint: x, field_data: { subtype: custom, url_pattern: 'https://x.example/%(username)s' } }]",
    [
      'problem at profile_fields.1.name: the server sets the name "Twitter username" for such a field: no other value is possible',
    ],
  ],
  [
    "accounts of one's own",
    "profile_fields: [{ name: Own, type: account, hint: x, field_data: { subtype: custom, url_pattern: 'https://x.example/%(username)s' } }]",
    [
      'create profile_fields Own {"name":"Own","hint":"x","type":"account","field_data":{"subtype":"custom","url_pattern":"https://x.example/%(username)s"}}',
    ],
  ],
];

test.each([...choices, ...complete, ...kinds])("%s", async (_, text, lines, beside) => {
  expect(await said(text, beside)).toEqual(lines);
});

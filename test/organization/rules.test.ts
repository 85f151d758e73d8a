/** Errors that files alone show. */
import { expect, test } from "vitest";
import { problemsOf } from "./documents.ts";

const here = "organization: https://chat.example.com\n";

test.each<[string, string, string[]]>([
  [
    "an id without the organization",
    "channels:\n  - name: a\n    id: 7\npeople:\n  - id: 8\n",
    [
      'a.yaml:3:5: "id" requires "organization": the URL of the one organization that the file is for',
      'a.yaml:5:5: "id" requires "organization": the URL of the one organization that the file is for',
    ],
  ],
  [
    "the same id twice",
    `${here}channels:\n  - { name: a, id: 7 }\n  - { name: b, id: 7 }\n`,
    ["a.yaml:4:20: the id 7 appears twice; first in a.yaml, line 3, column 20"],
  ],
  ["one name, told apart by ids", `${here}folders:\n  - { name: a, id: 7 }\n  - { name: a, id: 8 }\n`, []],
  [
    "one name, with one id",
    `${here}folders:\n  - { name: a, id: 7 }\n  - { name: a }\n`,
    ['a.yaml:4:13: "a" appears twice; first in a.yaml, line 3, column 13'],
  ],
  [
    "the same person in another spelling",
    "people:\n  - email: Ada@a.example\n  - email: ada@A.example\n",
    ['a.yaml:3:12: "ada@A.example" appears twice; first in a.yaml, line 2, column 12'],
  ],
  [
    "channels that differ in case",
    "channels: [{ name: crew }, { name: Crew }]\n",
    ['a.yaml:1:36: "Crew" appears twice; first in a.yaml, line 1, column 20'],
  ],
  [
    "complete without the section",
    "complete: [groups, folders]\nfolders: []\n",
    ['a.yaml:1:12: "groups" is in no file: as a complete list it would remove everything'],
  ],
  [
    "complete twice",
    "complete:\n  - groups\n  - groups\ngroups: [{ name: a }]\n",
    ['a.yaml:3:5: "groups" appears twice in this list'],
  ],
  [
    "channels for new people that cannot be such",
    "channels:\n  - { name: a, archived: true, is_default_stream: true }\n  - { name: b, is_default_stream: true, is_private: true }\n",
    [
      "a.yaml:2:32: a channel that is archived cannot be a default channel",
      "a.yaml:3:16: a channel that is private cannot be a default channel",
    ],
  ],
  [
    "options",
    "profile_fields:\n  - name: Team\n    type: options\n    options:\n      - A\n      - { name: A, was: B }\n      - { name: C, was: D }\n      - { name: D, was: C }\n      - { name: E, was: E }\n",
    ['a.yaml:6:9: "A" appears twice in this list'],
  ],
  [
    "options of another kind of field",
    "profile_fields:\n  - { name: a, type: url, options: [b] }\n  - { name: c, type: options, field_data: { subtype: github } }\n",
    [
      'a.yaml:2:27: only fields of type options have "options"',
      'a.yaml:3:31: only fields of type account have "field_data"',
    ],
  ],
  ["somebody who is no address", "people:\n  - email: Ada\n", ['a.yaml:2:12: "Ada" is not an e-mail address']],
  [
    "an invitation without an address",
    `${here}people:\n  - { id: 7, invite: true }\n  - { email: a@b.example, invite: true, active: false }\n`,
    [
      'a.yaml:3:14: missing "email": required for an invitation',
      'a.yaml:4:41: "invite: true" cannot be combined with "active: false"',
    ],
  ],
  [
    "a group of every organization",
    "groups:\n  - name: role:members\n",
    ["a.yaml:2:11: role:members is a system group: files cannot change it"],
  ],
  [
    "somebody who is let go, in a profile",
    "people:\n  - { email: a@b.example, active: false }\n  - { email: c@b.example, profile: { Mentor: [a@b.example] } }\n",
    [],
  ],
  [
    "somebody in and not in a list",
    "groups:\n  - name: a\n    members: { add: [a@b.example], remove: [c@b.example, A@b.example] }\n    subgroups: { remove: [x], add: [x] }\n",
    ['a.yaml:3:58: "A@b.example" is both added and removed', 'a.yaml:4:27: "x" is both added and removed'],
  ],
  [
    "somebody who is nobody",
    "groups: [{ name: a, members: [Ada, 'name:', id:x, 'name:Bo Ek', id:7] }]\n",
    [
      'a.yaml:1:31: "Ada" is not a person: use an e-mail address, name:… or id:…',
      'a.yaml:1:36: "name:" is not a person: use an e-mail address, name:… or id:…',
      'a.yaml:1:45: "id:x" is not a person: use an e-mail address, name:… or id:…',
    ],
  ],
  [
    "an address with an invisible character",
    'people: [{ email: "a\u200b@b.example", invite: true }, { email: " b@b.example ", invite: true }]\n',
    ['a.yaml:1:19: "a\u200b@b.example" contains U+200B (zero width space) at position 2'],
  ],
])("%s", async (_, text, problems) => {
  expect(await problemsOf(text)).toEqual(problems);
});

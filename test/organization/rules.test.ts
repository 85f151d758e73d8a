/** What no organization could make right is told from the files alone. */
import { expect, test } from "vitest";
import { wrongIn } from "./reading.ts";

const here = "organization: https://chat.example.com\n";

test.each<[string, string, string[]]>([
  [
    "an id without the organization",
    "channels:\n  - name: a\n    id: 7\npeople:\n  - id: 8\n",
    [
      'a.yaml:3:5: an id needs "organization", the address of the only one that the file is for',
      'a.yaml:5:5: an id needs "organization", the address of the only one that the file is for',
    ],
  ],
  ["an id with the organization", `${here}channels: [{ name: a, id: 7 }]\npeople: [{ id: 8 }]\n`, []],
  [
    "the same id twice",
    `${here}channels:\n  - { name: a, id: 7 }\n  - { name: b, id: 7 }\n`,
    ["a.yaml:4:20: the id 7 stands here a second time; first in a.yaml, line 3, column 20"],
  ],
  ["one name, told apart by ids", `${here}folders:\n  - { name: a, id: 7 }\n  - { name: a, id: 8 }\n`, []],
  [
    "one name, with one id",
    `${here}folders:\n  - { name: a, id: 7 }\n  - { name: a }\n`,
    ['a.yaml:4:13: "a" stands here a second time; first in a.yaml, line 3, column 13'],
  ],
  [
    "the same person in another spelling",
    "people:\n  - email: Ada@a.example\n  - email: ada@A.example\n",
    ['a.yaml:3:12: "ada@A.example" stands here a second time; first in a.yaml, line 2, column 12'],
  ],
  ["groups that differ in case", "groups: [{ name: crew }, { name: Crew }]\n", []],
  [
    "channels that differ in case",
    "channels: [{ name: crew }, { name: Crew }]\n",
    ['a.yaml:1:36: "Crew" stands here a second time; first in a.yaml, line 1, column 20'],
  ],
  [
    "channels that are one to the database",
    'channels: [{ name: ıstanbul }, { name: istanbul }, { name: "staff\\N" }, { name: Staff }, { name: μ }, { name: µ }]\n',
    [
      'a.yaml:1:40: "istanbul" stands here a second time; first in a.yaml, line 1, column 20',
      'a.yaml:1:81: "Staff" stands here a second time; first in a.yaml, line 1, column 60',
      'a.yaml:1:111: "µ" stands here a second time; first in a.yaml, line 1, column 98',
    ],
  ],
  [
    "channels that are two to the database",
    'channels: [{ name: strasse }, { name: straße }, { name: "\\ufeffstrasse" }]\n',
    [],
  ],
  [
    "folders that are one to the database's index",
    'folders: [{ name: "\\u212a" }, { name: k }, { name: straße }, { name: STRAẞE }, { name: " k" }]\n',
    [
      'a.yaml:1:39: "k" stands here a second time; first in a.yaml, line 1, column 19',
      'a.yaml:1:70: "STRAẞE" stands here a second time; first in a.yaml, line 1, column 52',
    ],
  ],
  [
    "complete without the section",
    "complete: [groups, folders]\nfolders: []\n",
    [
      'a.yaml:1:12: "groups" is in no file: as a complete list it would put everything away',
      'a.yaml:1:20: "folders" is empty: as a complete list it would put everything away',
    ],
  ],
  [
    "complete twice",
    "complete:\n  - groups\n  - groups\ngroups: [{ name: a }]\n",
    ['a.yaml:3:5: "groups" stands in this list twice; first in a.yaml, line 2, column 5'],
  ],
  [
    "channels for new people that cannot be such",
    "channels:\n  - { name: a, archived: true, is_default_stream: true }\n  - { name: b, is_default_stream: true, is_private: true }\n",
    [
      "a.yaml:2:32: a channel that is put away cannot be one for new people: leave out one of the two",
      "a.yaml:3:16: a channel that is private cannot be one for new people: leave out one of the two",
    ],
  ],
  [
    "channels that are none for new people, put away and private",
    "channels: [{ name: a, archived: true, is_default_stream: false }, { name: b, is_private: true, is_default_stream: false }]\n",
    [],
  ],
  [
    "a name that was the same",
    "channels:\n  - name: Design\n    was: design\n",
    ["a.yaml:3:10: the old name is the name that it has: leave it out"],
  ],
  [
    "a swap",
    "channels:\n  - { name: a, was: b }\n  - { name: b, was: a }\n",
    ['a.yaml:2:21: names that go round (b → a, a → b) need an "id" each'],
  ],
  ["a swap with ids", `${here}channels:\n  - { name: a, was: b, id: 1 }\n  - { name: b, was: a, id: 2 }\n`, []],
  [
    "a circle",
    "groups:\n  - { name: a, was: b }\n  - { name: x, was: a }\n  - { name: b, was: x }\n  - { name: c, was: d }\n",
    ['a.yaml:2:21: names that go round (b → a, x → b, a → x) need an "id" each'],
  ],
  ["a chain", "groups:\n  - { name: a, was: b }\n  - { name: b, was: c }\n", []],
  [
    "two that were the same",
    "groups:\n  - { name: a, was: c }\n  - { name: b, was: c }\n",
    ['a.yaml:3:21: "c" was something else already, in a.yaml, line 2, column 21'],
  ],
  [
    "options",
    "profile_fields:\n  - name: Team\n    type: options\n    options:\n      - A\n      - { name: A, was: B }\n      - { name: C, was: D }\n      - { name: D, was: C }\n      - { name: E, was: E }\n",
    [
      'a.yaml:6:9: "A" stands here a second time; first in a.yaml, line 5, column 9',
      "a.yaml:7:25: names that go round (D → C, C → D) cannot be told from names that stay",
      "a.yaml:9:25: the old name is the name that it has: leave it out",
    ],
  ],
  [
    "options of another kind of field",
    "profile_fields:\n  - { name: a, type: url, options: [b] }\n  - { name: c, type: options, field_data: { subtype: github } }\n",
    [
      'a.yaml:2:27: only fields of the type options have "options"',
      'a.yaml:3:31: only fields of the type account have "field_data"',
    ],
  ],
  ["somebody who is no address", "people:\n  - email: Ada\n", ['a.yaml:2:12: "Ada" is no e-mail address']],
  [
    "an invitation without an address",
    `${here}people:\n  - { id: 7, invite: true }\n  - { email: a@b.example, invite: true, active: false }\n`,
    [
      'a.yaml:3:14: who is invited needs an address: "email"',
      "a.yaml:4:41: who is invited cannot be let go: leave out one",
    ],
  ],
  [
    "a group of every organization",
    "groups:\n  - name: role:members\n",
    ["a.yaml:2:11: role:members is a group that every organization has; no file changes it"],
  ],
  [
    "what the file puts away",
    "people: [{ email: Eve@a.example, active: false }]\ngroups:\n  - { name: old, deactivated: true }\n  - name: crew\n    members: [eve@a.example]\n    subgroups: { remove: [old] }\n    can_manage_group: { groups: [old] }\n  - { name: older, deactivated: true, subgroups: [old] }\nfolders: [{ name: Past, archived: true }]\nchannels:\n  - { name: attic, archived: true, folder: Past }\n  - { name: b, folder: Past, can_subscribe_group: old }\nsettings: { signup_announcements_stream_id: Attic, can_create_groups: name:old }\n",
    [
      'a.yaml:5:15: "eve@a.example" cannot be named here: the file puts it away, in a.yaml, line 1, column 42',
      'a.yaml:7:34: "old" cannot be named here: the file puts it away, in a.yaml, line 3, column 31',
      'a.yaml:12:24: "Past" cannot be named here: the file puts it away, in a.yaml, line 9, column 35',
      'a.yaml:12:51: "old" cannot be named here: the file puts it away, in a.yaml, line 3, column 31',
      'a.yaml:13:45: "Attic" cannot be named here: the file puts it away, in a.yaml, line 11, column 30',
      'a.yaml:13:71: "name:old" cannot be named here: the file puts it away, in a.yaml, line 3, column 31',
    ],
  ],
  [
    "somebody who is let go, in a profile",
    "people:\n  - { email: a@b.example, active: false }\n  - { email: c@b.example, profile: { Mentor: [a@b.example] } }\n",
    [],
  ],
  [
    "somebody by id who is let go",
    `${here}people: [{ id: 7, active: false }]\ngroups: [{ name: a, members: [id:7] }]\n`,
    ['a.yaml:3:31: "id:7" cannot be named here: the file puts it away, in a.yaml, line 2, column 27'],
  ],
  [
    "somebody in and not in a list",
    "groups:\n  - name: a\n    members: { add: [a@b.example], remove: [c@b.example, A@b.example] }\n    subgroups: { remove: [x], add: [x] }\n",
    [
      'a.yaml:3:58: "A@b.example" must and must not be in this list; the other is in a.yaml, line 3, column 22',
      'a.yaml:4:37: "x" must and must not be in this list; the other is in a.yaml, line 4, column 27',
    ],
  ],
  [
    "somebody in another spelling",
    "groups:\n  - name: a\n    members: [a@b.example, A@b.example]\n",
    ['a.yaml:3:28: "A@b.example" stands in this list twice; first in a.yaml, line 3, column 15'],
  ],
  [
    "somebody who is nobody",
    "groups: [{ name: a, members: [Ada, 'name:', id:x, 'name:Bo Ek', id:7] }]\n",
    [
      'a.yaml:1:31: "Ada" names nobody: people go by e-mail address, name:… or id:…',
      'a.yaml:1:36: "name:" names nobody: people go by e-mail address, name:… or id:…',
      'a.yaml:1:45: "id:x" names nobody: people go by e-mail address, name:… or id:…',
    ],
  ],
])("%s", async (_, text, problems) => {
  expect(await wrongIn(text)).toEqual(problems);
});

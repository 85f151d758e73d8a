/** Orders, and groups in groups. */
import { expect, test } from "vitest";
import type { State } from "../../../src/sandbox/index.ts";
import { type Case, group, said } from "../compared.ts";

const folder = (state: State) => {
  const [projects] = state.folders.values();
  state.folders.set(3, { ...projects!, id: 3, name: "Third", order: 3 });
};
const turned = "folders: [{ name: Third }, { name: Projects }]\n";
const fields = "profile_fields: [{ name: Phone }, { name: Office }, { name: About me }]\n";

const orders: Case[] = [
  ...([413, 414] as const).map(
    (level): Case => [
      `of folders on level ${level}`,
      `${turned}${fields}`,
      [
        "reorder profile_fields profile fields [1,2,3,4] → [1,3,2,4]",
        level < 414
          ? "notice: the order of folders differs: changing it requires feature level 414"
          : "reorder folders folders [1,2,3] → [3,2,1]",
      ],
      { level, given: folder },
    ],
  ),
  [
    "of what is not made, though something else of that name is",
    "folders: [{ name: none, archived: true }, { name: Third }, { name: Projects }]\nchannels: [{ name: none }]",
    ['create channels none {"name":"none"}', "reorder folders folders [1,2,3] → [3,2,1]"],
    { given: folder },
  ],
  [
    "of what is changed and made besides",
    "folders: [{ name: New }, { name: Third, description: x }, { name: Projects }]",
    [
      'create folders New {"name":"New"}',
      'update folders Third (3) description: "What we are **making**" → "x"',
      'reorder folders folders [1,2,3,{"new":"New"}] → [{"new":"New"},2,3,1]',
    ],
    { given: folder },
  ],
];

const nesting: Case[] = [
  [
    "a group in one of its own subgroups",
    "groups: [{ name: writers, description: x }, { name: designers, subgroups: { add: [makers] } }]",
    [
      "refused groups designers subgroups at groups.1.subgroups: cannot have the subgroup makers: the group would contain itself",
      'update groups writers (18) description: "Who writes" → "x"',
      "update groups designers (17) subgroups: [] → [19]",
    ],
  ],
  [
    "new ones that go round",
    "groups: [{ name: crew, subgroups: [makers] }, { name: designers, subgroups: [crew, writers] }]",
    [
      "refused groups crew subgroups at groups.0.subgroups: cannot have the subgroup makers: the group would contain itself",
      "refused groups designers subgroups at groups.1.subgroups: cannot have the subgroup crew: the group would contain itself",
      'create groups crew {"name":"crew","subgroups":[]}',
      'update groups designers (17) subgroups: [] → [18,{"new":"crew"}]',
    ],
  ],
  [
    "new ones that go round among themselves, and a channel called like one",
    "groups: [{ name: a, subgroups: [b] }, { name: b, subgroups: [a] }]\nchannels: [{ name: a }]",
    [
      "refused groups a subgroups at groups.0.subgroups: cannot have the subgroup b: the group would contain itself",
      "refused groups b subgroups at groups.1.subgroups: cannot have the subgroup a: the group would contain itself",
      'create groups a {"name":"a","subgroups":[]}',
      'create groups b {"name":"b","subgroups":[]}',
      'create channels a {"name":"a"}',
    ],
  ],
  [
    "where only one of two is to blame",
    "groups: [{ name: makers, subgroups: { add: [crew] } }, { name: crew }, { name: designers, subgroups: { add: [makers] } }]",
    [
      "refused groups designers subgroups at groups.2.subgroups: cannot have the subgroup makers: the group would contain itself",
      'update groups makers (19) subgroups: [17,18] → [17,18,{"new":"crew"}]',
      'create groups crew {"name":"crew"}',
      "update groups designers (17) subgroups: [] → [19]",
    ],
  ],
  [
    "groups that are turned round",
    "groups: [{ name: makers, subgroups: [writers] }, { name: designers, subgroups: [makers, writers] }]",
    ["update groups makers (19) subgroups: [17,18] → [18]", "update groups designers (17) subgroups: [] → [18,19]"],
  ],
  [
    "what only leaves a circle that is there, and what is archived",
    "groups: [{ name: makers, subgroups: { remove: [writers] } }, { name: designers, subgroups: { add: [writers] } }]",
    ["update groups makers (19) subgroups: [17,18] → [17]", "update groups designers (17) subgroups: [] → [18]"],
    {
      given: (state) => {
        const poets = structuredClone(group(state, "designers"));
        Object.assign(poets, { id: 20, name: "poets", deactivated: true, subgroups: new Set([17]) });
        state.groups.set(20, poets);
        group(state, "writers").subgroups.add(20);
      },
    },
  ],
];

test.each([...orders, ...nesting])("%s", async (_, text, lines, beside) => {
  expect(await said(text, beside)).toEqual(lines);
});

/** People who come back into what nobody sees now. */
import { expect, test } from "vitest";
import type { State } from "../../../src/sandbox/index.ts";
import { said } from "../compared.ts";

const told = (n: number) => `notice at people.${n}:`;
const back = (n: number, names: string) =>
  `${told(n)} ${names}: after they are reactivated, they appear again in lists and permissions; plan again then`;
const dora = "people: [{ email: otis@sandbox.example, active: true }, { email: dora@sandbox.example, active: true }]\n";

test.each<[text: string, lines: string[]]>([
  ["settings: { can_create_groups: role:members, description: x }", [back(1, "Dora Departed")]],
  ["groups: [{ name: makers }, { name: writers, can_manage_group: { users: ['id:8'] } }]", [back(1, "Dora Departed")]],
  ["groups: [{ name: makers }, { name: writers, members: [otis@sandbox.example] }]", [back(1, "Dora Departed")]],
  ["channels: [{ name: design, can_send_message_group: role:everyone }]", [back(1, "Dora Departed")]],
  ["channels: [{ name: design, subscribers: { add: ['id:8'] }, is_private: false }]", []],
  ["groups: [{ name: writers, subgroups: [], members: { remove: ['id:8'] } }]", []],
  ["settings: { description: x }", []],
])("who comes back into what %s says", async (text, lines) => {
  const all = await said(`${dora}${text}`);
  expect(all.filter((line) => line.startsWith("notice"))).toEqual(lines);
});

test("who is invited does not come back", async () => {
  const text =
    "people: [{ email: new@x.example, invite: true }, { email: dora@sandbox.example, active: true }]\ngroups: [{ name: writers, members: [otis@sandbox.example] }]";
  expect((await said(text)).filter((line) => line.startsWith("notice"))).toEqual([
    `${told(0)} new@x.example is invited: plan again after they join`,
    back(1, "Dora Departed"),
  ]);
});

test("a group that comes back brings nobody", async () => {
  const given = (state: State) => {
    for (const group of state.groups.values()) if (group.name === "makers") group.deactivated = true;
  };
  const text = "groups: [{ name: makers, deactivated: false, members: { add: ['id:10'] }, can_manage_group: nobody }]";
  expect((await said(text, { given })).filter((line) => line.startsWith("notice"))).toEqual([]);
});

test("those who come back are named, the first of them", async () => {
  const given = (state: State) => {
    for (const id of [9, 10, 11, 12, 13]) state.users.get(id)!.is_active = false;
  };
  const all = ["adam", "mona", "cora", "otis", "gwen", "dora"].map(
    (name) => `{ email: ${name}@sandbox.example, active: true }`,
  );
  const text = `people: [${all.join(", ")}]\ngroups: [{ name: writers, members: ['id:12'] }]`;
  expect((await said(text, { given })).at(-1)).toBe(
    back(0, "Adam Admin, Mona Moderator, Cora Member, Otis Member, Gwen Guest and 1 more"),
  );
});

import { describe, expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { readChannelName, readGroupName } from "../../src/notation/name.ts";
import { readGroupSetting, readReference, readUser } from "../../src/notation/references.ts";

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Usage) return [error.message, error.details.hint].filter(Boolean).join(" | ");
    throw error;
  }
  throw new Error("nothing was refused");
};

describe("a channel, group or folder", () => {
  test.each([
    ["2026", { id: 2026, digits: "2026" }],
    ["0012", { name: "0012" }],
    ["99999999999999999999", { name: "99999999999999999999" }],
    ["\u00a0id:7 ", { id: 7 }],
    ["\ufeffgeneral\u3000", { name: "general" }],
    ["id:7", { id: 7 }],
    ["name:2026", { name: "2026" }],
    ["name:#general", { name: "#general" }],
    ["general", { name: "general" }],
    ["release plan", { name: "release plan" }],
    ["role:moderators", { name: "role:moderators" }],
  ])("%s", (text, meant) => expect(readReference(text, "<channel>", "#")).toEqual(meant));

  test("can begin with the mark of its kind", () => {
    expect(readReference("#general", "<channel>", "#")).toEqual({ name: "general" });
    expect(readReference("##general", "<channel>", "#")).toEqual({ name: "#general" });
    expect(readReference("@devs", "<group>", "@")).toEqual({ name: "devs" });
    expect(readReference("#plans", "--folder")).toEqual({ name: "#plans" });
  });

  test("is refused if it is empty or invalid", () => {
    expect(refusal(() => readReference("", "--folder"))).toBe("--folder is empty");
    expect(refusal(() => readReference("id:x", "--folder"))).toBe('--folder: invalid id "x"');
    expect(refusal(() => readReference("id:07", "--folder"))).toBe(
      '--folder: invalid id "07": ids have no leading zeros',
    );
  });
});

test("a mention is read as what it names", () => {
  expect(readReference("#**design**", "<channel>", "#")).toEqual({ name: "design" });
  expect(readReference("@*writers*", "<group>", "@")).toEqual({ name: "writers" });
  expect(readReference("@_*writers*", "<group>", "@")).toEqual({ name: "writers" });
  expect(readReference("name:#**design**", "<channel>", "#")).toEqual({ name: "#**design**" });
  expect(readUser("@**Ada Lovelace**", "<user>")).toEqual({ name: "Ada Lovelace" });
  expect(readUser("@_**Ada Lovelace|7**", "<user>")).toEqual({ id: 7 });
  expect(readChannelName("#**design**", "<name>")).toBe("design");
  expect(readGroupName("@*writers*", "<name>")).toBe("writers");
  expect(refusal(() => readReference("#**design>logo**", "<channel>", "#"))).toBe(
    '<channel>: "#**design>logo**" names a topic, not a channel | Write the channel: #design',
  );
});

describe("a user", () => {
  test.each([
    ["8", { id: 8, digits: "8" }],
    ["Ada", { word: "Ada" }],
    ["me", "me"],
    ["ada@example.com", { email: "ada@example.com" }],
    ["name:Ada Lovelace", { name: "Ada Lovelace" }],
    ["name:me", { name: "me" }],
    ["name:ada@work", { name: "ada@work" }],
  ])("%s", (text, meant) => expect(readUser(text, "--add")).toEqual(meant));

  test.each([
    ["0012", "ids have no leading zeros"],
    ["+7", "ids have no sign"],
    ["7.0", "ids are whole numbers without other signs"],
    ["0x7", "ids are whole numbers without other signs"],
    ["7e0", "ids are whole numbers without other signs"],
    ["٧", "ids are written with the digits 0 to 9"],
    ["9007199254740993", "ids are not so large"],
  ])("is not %s", (text, flaw) =>
    expect(refusal(() => readUser(text, "--add"))).toContain(
      `--add: "${text}" is not an id (${flaw}) or an e-mail address | `,
    ),
  );
});

describe("a group setting", () => {
  test.each([
    ["7", { group: { id: 7, digits: "7" } }],
    ["role:moderators", { group: { name: "role:moderators" } }],
    ["@devs", { group: { name: "devs" } }],
    ["devs, and ops", { group: { name: "devs, and ops" } }],
    ["nobody", { group: { name: "role:nobody" } }],
    ["name:nobody", { group: { name: "nobody" } }],
    ["group:devs", { users: [], groups: [{ name: "devs" }] }],
    ["user:me,user:8, group:15", { users: ["me", { id: 8, digits: "8" }], groups: [{ id: 15, digits: "15" }] }],
    ["user:name:Ada Lovelace,group:name:15", { users: [{ name: "Ada Lovelace" }], groups: [{ name: "15" }] }],
    ["user:name:Lear, Cora, group:Q&A, help", { users: [{ name: "Lear, Cora" }], groups: [{ name: "Q&A, help" }] }],
    ['{"direct_members":[8],"direct_subgroups":[]}', { value: { direct_members: [8], direct_subgroups: [] } }],
  ])("%s", (text, meant) => expect(readGroupSetting(text, "--can-send-message-group")).toEqual(meant));

  test.each([
    ["user:8,devs", '--expect: "devs" must begin with user: or group:'],
    ["user:", "--expect is empty"],
    ["{", "--expect: { is not valid JSON"],
    ['{"direct_members":[8]}', '--expect: {"direct_members":[8]} is not a valid group setting'],
    ['{"direct_members":[1.5],"direct_subgroups":[]}', "is not a valid group setting"],
    ['{"direct_members":[],"direct_subgroups":[],"x":1}', '--expect: unknown member "x"'],
  ])("refuses %s", (text, words) => expect(refusal(() => readGroupSetting(text, "--expect"))).toContain(words));
});

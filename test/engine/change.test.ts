import { expect, test } from "vitest";
import { createFolder } from "../../src/api/folders.ts";
import { change, createdBy, sentenceOf } from "../../src/engine/change.ts";

const base = { target: "Teams", verifyWith: "zulipctl folder list" };
const changeWith = (words: Partial<Parameters<typeof change>[2]>) =>
  change(createFolder, { name: "Teams", description: "" }, { ...base, done: "Done.", ...words } as never);

test.each([
  ["Created folder {channel_folder_id}.", {}, { channel_folder_id: 7 }, "Created folder 7."],
  ["Updated folder {target}.", {}, {}, 'Updated folder "Teams".'],
  ["{who} may: {who}.", { who: "{target} $& {who}" }, {}, "{target} $& {who} may: {target} $& {who}."],
  ["Drafts {ids} added.", {}, { ids: [3, 4] }, "Drafts 3, 4 added."],
  ["Requested export {id}.", {}, {}, "Requested export."],
  ["What {constructor} is.", {}, {}, "What is."],
])("%s with %j and the answer %j", (done, words, answer, sentence) => {
  expect(sentenceOf(changeWith({ done, words }), answer)).toBe(sentence);
});

const settings = [
  { parameter: "new_name", name: "name", value: '"a {brace}"' },
  { parameter: "can_a", name: "can_a", value: "Ada, Bob" },
  { parameter: "can_b", name: "can_b", value: "Ada, Bob" },
];

test.each([
  [[], 'Updated folder "Teams": name set to "a {brace}"; can_a, can_b set to Ada, Bob.'],
  [["new_name", "can_a"], 'Updated folder "Teams": can_b set to Ada, Bob.'],
  [["new_name", "can_a", "can_b"], 'Updated folder "Teams": nothing set.'],
])("the sentence leaves out settings that the server ignored: %j", (ignored, sentence) => {
  expect(sentenceOf(changeWith({ done: "Updated folder {target}: {settings}.", settings }), {}, ignored)).toBe(
    sentence,
  );
});

test("the ids of new things come from the answer", () => {
  expect(createdBy(changeWith({ ids: "channel_folder_id" as never }), { channel_folder_id: 7 })).toEqual([7]);
  expect(createdBy(changeWith({ ids: "ids" as never }), { ids: [1, 2] })).toEqual([1, 2]);
  expect(createdBy(changeWith({ ids: "id" as never }), {})).toEqual([]);
  expect(createdBy(changeWith({}), { id: 1 })).toEqual([]);
});

test("a change is JSON, except its operation", () => {
  const { operation, ...rest } = changeWith({
    ids: "channel_folder_id" as never,
    confirm: { question: "Create a folder" },
  });
  expect(operation.name).toBe("folder.create");
  expect(JSON.parse(JSON.stringify(rest))).toEqual(rest);
});

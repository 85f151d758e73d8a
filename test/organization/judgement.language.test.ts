/** The default language of code blocks, which servers take along with its playground, and a run puts back. */
import { expect, test } from "vitest";
import type { Difference } from "../../src/organization/difference.ts";
import type { State } from "../../src/sandbox/index.ts";
import { judged, update } from "./looking.ts";

const rust = { name: "Try", pygments_language: "Rust", url_template: "https://a.example/{code}" };
const gone: Difference = { section: "playgrounds", name: "Try (Rust)", id: 1, action: "remove", from: rust };
const python = update("settings", undefined, "settings", [
  { field: "default_code_block_language", from: "Rust", to: "Python" },
  { field: "name", from: "Zulip", to: "Ours" },
]);

const language = (of: string, name: string) => (state: State) => {
  state.organization.settings.default_code_block_language = of;
  state.organization.settings.name = name;
};
const known = { emptied: new Map([[0, "Rust"]]) };
const set = (from: string) => `update settings settings (undefined); default_code_block_language: ${from} → "Python"`;

test.each<[what: string, now: string, emptied: boolean, says: [string, string]]>([
  ["was taken along by a run that was over then", "", true, ["remove playgrounds Try (Rust) (1)", set('"Rust"')]],
  ["was put back", "Rust", true, ["done", set('"Rust"')]],
  ["changed meanwhile", "C", true, ["done", 'it now has another default_code_block_language: "C"']],
  ["was taken by somebody else", "", false, ["done", 'it now has another default_code_block_language: ""']],
  ["is as it was", "Rust", false, ["done", set('"Rust"')]],
])("the language %s", async (_, now, emptied, says) => {
  const meanwhile = { given: language(now, "Ours"), known: emptied ? known : {} };
  expect(await judged([gone, python], meanwhile)).toEqual(says);
});

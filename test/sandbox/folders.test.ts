import { expect, test } from "vitest";
import { ask, named, refusal, sandboxOf } from "./asking.ts";

async function created(name: string, description = "", as = "adam") {
  const sandbox = sandboxOf();
  const { status, body } = await ask(sandbox, "POST", "/channel_folders/create", { as, form: { name, description } });
  return { status, body, folder: sandbox.state.folders.get(3) };
}

test("a folder is kept as sent, sorts last and belongs to its maker", async () => {
  const { body, folder } = await created("  New  ", "Some *words*");
  expect(body).toEqual({ result: "success", msg: "", channel_folder_id: 3 });
  expect(folder).toMatchObject({ id: 3, name: "  New  ", description: "Some *words*", order: 3, is_archived: false });
});

test.each([
  ["", "", "Channel folder name can't be empty."],
  [" \u00a0", "", "Channel folder name can't be empty."],
  ["a\tb", "", "Invalid character in channel folder name, at position 2."],
  ["a\ufffe", "", "Invalid character in channel folder name, at position 2."],
  ["x".repeat(61), "", "name is too long (limit: 60 characters)"],
  ["x", "é".repeat(1025), "description is too long (limit: 1024 characters)"],
  ["x".repeat(61), "x".repeat(1025), "description is too long (limit: 1024 characters)"],
  ["PROJECTS", "", "Channel folder name already in use"],
])("%j with %.5j is refused", async (name, description, msg) => {
  expect((await created(name, description)).body).toEqual(refusal(msg));
});

test("the name of an archived folder may be used again", async () => {
  expect((await created("Past")).status).toBe(200);
});

test("archived folders are listed only when asked for", async () => {
  const sandbox = sandboxOf();
  const list = async (query: Record<string, string>) => {
    const { body } = await ask(sandbox, "GET", "/channel_folders", { as: "gwen", query });
    return body.channel_folders.map(({ name }: { name: string }) => name);
  };
  expect(await list({})).toEqual(["Projects"]);
  expect(await list({ include_archived: "true" })).toEqual(["Projects", "Past"]);
  const { body } = await ask(sandbox, "GET", "/channel_folders", { as: "gwen", query: { include_archived: "1" } });
  expect(body).toEqual(refusal("include_archived is not a boolean"));
  expect(named(sandbox.state.folders, "Past").is_archived).toBe(true);
});

test.each([
  ["ı", "I", [400, refusal("Channel folder name already in use")]],
  ["ſ", "s", [400, refusal("Channel folder name already in use")]],
  ["σ", "ς", [400, refusal("Channel folder name already in use")]],
  ["\u212a", "k", [500, { result: "error", msg: "Internal server error" }]],
  ["İ", "i", [500, { result: "error", msg: "Internal server error" }]],
  ["ẞ", "ß", [500, { result: "error", msg: "Internal server error" }]],
])("a folder %j beside %j is refused as the database compares them", async (name, beside, answer) => {
  const sandbox = sandboxOf();
  const create = (name: string) =>
    ask(sandbox, "POST", "/channel_folders/create", { as: "adam", form: { name, description: "" } });
  expect((await create(beside)).status).toBe(200);
  const { status, body } = await create(name);
  expect([status, body]).toEqual(answer);
});

test("a folder's own name in another case is taken, but while it is archived", async () => {
  const sandbox = sandboxOf();
  const rename = (of: string, name: string) =>
    ask(sandbox, "PATCH", `/channel_folders/${named(sandbox.state.folders, of).id}`, { as: "adam", form: { name } });
  expect((await rename("Projects", "PROJECTS")).body).toEqual(refusal("Channel folder name already in use"));
  expect((await rename("Past", "PAST")).status).toBe(200);
});

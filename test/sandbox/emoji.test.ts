import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { ask, sandboxOf } from "./asking.ts";
import { type Files, png, upload } from "./uploading.ts";

/** POST /realm/emoji/name. */
async function add(sandbox: Sandbox, name: string, as: string, files: Files) {
  const { status, result, code, msg } = await upload(sandbox, "POST", `/realm/emoji/${encodeURIComponent(name)}`, {
    as,
    files,
  });
  return result === "success" ? result : `${status} ${code} ${msg}`;
}

const list = async (sandbox: Sandbox) => {
  const { body } = await ask(sandbox, "GET", "/realm/emoji", { as: "iris" });
  return (Object.values(body.emoji) as { id: string; name: string; deactivated: boolean }[]).map(
    ({ id, name, deactivated }) => `${id} ${name}${deactivated ? ", deleted" : ""}`,
  );
};

test("a picture becomes an emoji; a deleted one stays in the list and leaves its name free", async () => {
  const sandbox = sandboxOf();
  const one: [string, Buffer][] = [["party.png", png]];
  expect(await add(sandbox, "party_blob", "adam", one)).toBe("success");
  expect(await add(sandbox, "party_blob", "adam", one)).toBe(
    "400 BAD_REQUEST A custom emoji with this name already exists.",
  );
  expect(await add(sandbox, "my emoji", "cora", one)).toBe("success");
  expect(await list(sandbox)).toEqual(["1 party_blob", "2 my_emoji"]);
  await ask(sandbox, "DELETE", "/realm/emoji/party_blob", { as: "adam" });
  expect(await add(sandbox, "party_blob", "cora", one)).toBe("success");
  expect(await list(sandbox)).toEqual(["1 party_blob, deleted", "2 my_emoji", "3 party_blob"]);
});

test.each<[string, string, [string, Buffer][], string]>([
  [
    "Party",
    "adam",
    [["a.png", png]],
    "BAD_REQUEST Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.",
  ],
  ["party_", "adam", [["a.png", png]], "BAD_REQUEST Emoji names must end with either a letter or digit."],
  ["none", "adam", [], "BAD_REQUEST You must upload exactly one file."],
  [
    "two",
    "adam",
    [
      ["a.png", png],
      ["b.png", png],
    ],
    "BAD_REQUEST You must upload exactly one file.",
  ],
  [
    "broken",
    "adam",
    [["a.png", png.subarray(0, 40)]],
    "BAD_IMAGE Could not decode image; did you upload an image file?",
  ],
  ["drawn", "adam", [["a.svg", Buffer.from("<svg/>")]], "BAD_IMAGE Invalid image format"],
  [
    "big",
    "adam",
    [["a.png", Buffer.alloc(6 * 1024 * 1024)]],
    "BAD_REQUEST Uploaded file is larger than the allowed limit of 5 MiB",
  ],
  ["party", "gwen", [["a.png", png]], "BAD_REQUEST Not allowed for guest users"],
])("an emoji %s by %s is refused", async (name, who, files, words) => {
  const sandbox = sandboxOf();
  expect(await add(sandbox, name, who, files)).toBe(`400 ${words}`);
  expect(await list(sandbox)).toEqual([]);
});

test("whoever is not in the group that may add emoji may not", async () => {
  const sandbox = sandboxOf();
  sandbox.state.organization.permissions.can_add_custom_emoji_group = 11;
  expect(await add(sandbox, "party", "cora", [["a.png", png]])).toBe("400 BAD_REQUEST Insufficient permission");
});

import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { ask, basic, person, sandboxOf, site } from "./asking.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** POST /realm/emoji/name with files as a browser sends them. */
async function upload(sandbox: Sandbox, name: string, who: string, files: [name: string, content: Buffer][]) {
  const form = new FormData();
  for (const [file, content] of files) form.append(file, new Blob([new Uint8Array(content)]), file);
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type")!;
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const answer = await sandbox.handle(
    {
      method: "POST",
      url: `${site}/api/v1/realm/emoji/${encodeURIComponent(name)}`,
      headers: { authorization: basic(person(sandbox, who)), "content-type": type },
      body: Buffer.from(bytes).toString("latin1"),
      timeout: 1000,
    },
    undefined,
    bytes,
  );
  const parts: Uint8Array[] = [];
  for await (const part of answer.body) parts.push(part);
  const { result, msg, code } = JSON.parse(Buffer.concat(parts).toString());
  return result === "success" ? result : `${answer.status} ${code} ${msg}`;
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
  expect(await upload(sandbox, "party_blob", "adam", one)).toBe("success");
  expect(await upload(sandbox, "party_blob", "adam", one)).toBe(
    "400 BAD_REQUEST A custom emoji with this name already exists.",
  );
  expect(await upload(sandbox, "my emoji", "cora", one)).toBe("success");
  expect(await list(sandbox)).toEqual(["1 party_blob", "2 my_emoji"]);
  await ask(sandbox, "DELETE", "/realm/emoji/party_blob", { as: "adam" });
  expect(await upload(sandbox, "party_blob", "cora", one)).toBe("success");
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
  expect(await upload(sandbox, name, who, files)).toBe(`400 ${words}`);
  expect(await list(sandbox)).toEqual([]);
});

test("whoever is not in the group that may add emoji may not", async () => {
  const sandbox = sandboxOf();
  sandbox.state.organization.permissions.can_add_custom_emoji_group = 11;
  expect(await upload(sandbox, "party", "cora", [["a.png", png]])).toBe("400 BAD_REQUEST Insufficient permission");
});

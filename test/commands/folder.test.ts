import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

test("folder create puts exactly this on the wire", async () => {
  const { sent } = await zulipctl(["folder", "create", "Projects & more", "--description", "Äll of them"]);
  expect(sent.map(({ method, url, body }) => `${method} ${url}\n${body}`)).toEqual([
    "POST https://chat.example/api/v1/channel_folders/create\nname=Projects+%26+more&description=%C3%84ll+of+them",
  ]);
});

import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

test("drafts add prints a note if the server cuts a long draft", async () => {
  const { code, err } = await zulipctl(["drafts", "add", "--content", "ä".repeat(10_001)]);
  expect({ code, err }).toEqual({
    code: 0,
    err: "zulipctl: the draft has 10,001 characters: the server keeps the first 10,000\n",
  });
  const { err: several } = await zulipctl(["drafts", "add", "--from", "-"], {
    input: ["x", "y".repeat(12_345)]
      .map((content) => JSON.stringify({ type: "", to: [], topic: "", content }))
      .join("\n"),
  });
  expect(several).toBe("zulipctl: draft 2 has 12,345 characters: the server keeps the first 10,000\n");
  expect((await zulipctl(["drafts", "add", "--content", "x".repeat(10_000)])).err).toBe("");
});

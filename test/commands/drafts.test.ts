import { describe, expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";

describe("drafts edit", () => {
  async function drafted() {
    const sandbox = fresh();
    const add = (...flags: string[]) => zulipctl(["drafts", "add", ...flags], { sandbox });
    await add("--channel", "general", "--topic", "x", "--content", "hi", "--timestamp", "1595479019");
    await add("--to", "cora@sandbox.example", "--content", "hi");
    return sandbox;
  }

  test.each([
    [["1", "--channel", "design"], { type: "stream", to: [1], topic: "x", content: "hi" }],
    [["1", "--timestamp", "9"], { type: "stream", to: [2], topic: "x", content: "hi", timestamp: 9 }],
    [["2", "--content", "-"], { type: "private", to: [11], topic: "", content: "from stdin" }],
    [["2", "--channel", "1", "--topic", "z"], { type: "stream", to: [1], topic: "z", content: "hi" }],
  ])("%j keeps what is not given", async (argv, meant) => {
    const options = { sandbox: await drafted(), input: "from stdin\n" };
    const { code, out, sent } = await zulipctl(["drafts", "edit", ...argv], options);
    expect({ code, out }).toEqual({ code: 0, out: `Updated draft ${argv[0]}.\n` });
    expect(JSON.parse(new URLSearchParams(sent.at(-1)!.body).get("draft")!)).toEqual(meant);
  });

  test("in a batch goes on from what earlier rows have made", async () => {
    const sandbox = await drafted();
    const rows = "drafts edit 1 --topic y\ndrafts edit 1 --content new\n";
    const { code, sent } = await zulipctl(["batch", "-", "--format", "lines"], { sandbox, input: rows });
    expect({ code, requests: sent.length }).toEqual({ code: 0, requests: 3 });
    expect(JSON.parse(new URLSearchParams(sent.at(-1)!.body).get("draft")!)).toMatchObject({
      topic: "y",
      content: "new",
    });
  });
});

describe("drafts rm", () => {
  test("asks with the contents, and gives an outcome for each", async () => {
    const sandbox = fresh();
    for (const content of ["one", "two\nlines", "\u001b[31mred"])
      await zulipctl(["drafts", "add", "--content", content], { sandbox });
    const options = { sandbox, terminal: true, confirm: [true] };
    const { code, out, sent, asked } = await zulipctlAsking(["drafts", "rm", "1", "2", "3", "9"], options);
    expect(asked).toEqual([
      'Delete 4 drafts on chat.example? 1 ("one"), 2 ("two lines"), 3 ("red"), 9 (not found). This cannot be undone.',
    ]);
    expect({ code, out }).toEqual({ code: 5, out: "Deleted draft 1.\nDeleted draft 2.\nDeleted draft 3.\n" });
    expect(sent.map(({ method, url }) => `${method} ${url.replace(/.*v1/, "")}`)).toEqual([
      "GET /drafts",
      ...[1, 2, 3, 9].map((id) => `DELETE /drafts/${id}`),
    ]);
  });
});

test("a note says that the server cuts a long draft", async () => {
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

import { describe, expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";

const agreeing = () => ({ terminal: true, confirm: [true] });

test("topic rename asks, and warns that it merges two topics", async () => {
  const sandbox = fresh();
  const { asked } = await zulipctlAsking(["topic", "rename", "design", "logo", "✔ colours"], {
    sandbox,
    ...agreeing(),
  });
  expect(asked).toEqual([
    'Rename topic "logo" (2 messages) of channel "design" to "✔ colours" on chat.example? Channel "design" has a topic "✔ colours" already: the two become one for good.',
  ]);
  expect(sandbox.state.messages.get(1)?.topic).toBe("✔ colours");
});

test("topic rename does not warn about merging if only the case changes", async () => {
  const { asked } = await zulipctlAsking(["topic", "rename", "design", "logo", "Logo"], agreeing());
  expect(asked).toEqual(['Rename topic "logo" (2 messages) of channel "design" to "Logo" on chat.example?']);
});

test("topic move names who can read it", async () => {
  const { asked } = await zulipctlAsking(["topic", "move", "design", "logo", "--to-channel", "general"], agreeing());
  expect(asked).toEqual([
    'Move topic "logo" (2 messages) of channel "design" to channel "general" on chat.example? Whoever may read channel "general" can read it.',
  ]);
});

describe("sends nothing if nothing changes:", () => {
  test.each([
    ["rename", ["design", "logo", "logo"]],
    ["move", ["design", "logo", "--to-channel", "design"]],
    ["resolve", ["design", "colours"]],
    ["unresolve", ["design", "logo"]],
  ])("topic %s", async (verb, words) => {
    const { code, out, sent } = await zulipctl(["topic", verb, ...words, "-q", "-y"]);
    expect({ code, out }).toEqual({ code: 0, out: "No changes.\n" });
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

test("topic delete keeps a copy once it is confirmed", async () => {
  const sandbox = fresh();
  const files = new Map<string, string>();
  const argv = ["topic", "delete", "design", "logo", "--keep", "logo.ndjson"];
  expect((await zulipctl(argv, { sandbox, files, terminal: true, confirm: [false] })).code).toBe(130);
  expect(files.get("logo.ndjson")).toBeUndefined();
  expect((await zulipctl(argv, { sandbox, files, ...agreeing() })).code).toBe(0);
  expect(files.get("logo.ndjson")?.trim().split("\n")).toHaveLength(2);
  expect([1, 2].some((id) => sandbox.state.messages.has(id))).toBe(false);
});

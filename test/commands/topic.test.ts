import { describe, expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";

const agreeing = () => ({ terminal: true, confirm: [true] });

test("topic rename asks, and says that it merges two topics", async () => {
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

test("topic rename changes the case of a name without a word about merging", async () => {
  const { asked } = await zulipctlAsking(["topic", "rename", "design", "logo", "Logo"], agreeing());
  expect(asked).toEqual(['Rename topic "logo" (2 messages) of channel "design" to "Logo" on chat.example?']);
});

test("topic move says who may read it, and whether it merges", async () => {
  const { asked } = await zulipctlAsking(["topic", "move", "design", "logo", "--to-channel", "general"], agreeing());
  expect(asked).toEqual([
    'Move topic "logo" (2 messages) of channel "design" to channel "general" on chat.example? Whoever may read channel "general" can read it.',
  ]);
});

describe("what is so already sends nothing:", () => {
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

test("a name that a server would cut when it is resolved is refused", async () => {
  const sandbox = fresh();
  sandbox.state.messages.get(1)!.topic = "t".repeat(59);
  const { code, err } = await zulipctl(["topic", "resolve", "design", "t".repeat(59)], { sandbox });
  expect({ code, err }).toEqual({
    code: 2,
    err: "zulipctl: <topic>: invalid topic: it has 61 characters, and at most 60 are allowed\n",
  });
});

test("a topic that is not there is refused with names like it", async () => {
  const { code, err } = await zulipctl(["topic", "delete", "general", "the release", "--yes"]);
  expect({ code, err }).toEqual({
    code: 2,
    err: 'zulipctl: <topic>: topic "the release" not found in channel "general", or not visible\nList topics with: zulipctl topic list general\n',
  });
  expect((await zulipctl(["topic", "delete", "general", "release", "--yes"])).err).toContain(
    "Did you mean: release plan?",
  );
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

test("only administrators delete topics", async () => {
  const { code, err } = await zulipctl(["topic", "delete", "design", "logo", "-y", "-q"], {
    as: "cora@sandbox.example",
  });
  expect(code).toBe(1);
  expect(err).toContain("Must be an organization administrator");
});

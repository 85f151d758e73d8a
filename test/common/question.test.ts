/** What questions say about effects. */
import { expect, test } from "vitest";
import { consequenceOf } from "../../src/common/question.ts";
import { fresh, zulipctl } from "../run.ts";

test.each([
  [["makes it public", "deletes messages"], "This makes it public, and deletes messages."],
  [["joins a with b; for good", "joins c with d; for good"], "This joins a with b, and joins c with d; for good."],
  [["joins a with b; for good", "opens it"], "This opens it. This joins a with b; for good."],
])("%j become sentences", (effects, text) => {
  expect(consequenceOf(effects)).toBe(text);
});

const move = ["messages", "move", "--ids", "1"];

test.each([
  ["once that messages are deleted", ["messages", "delete", "--ids", "1,2"], "? This cannot be undone. Pass --yes"],
  [
    "the topic without a name as people know it",
    [...move, "--to-topic", ""],
    'Move 1 message to topic "general chat" on',
  ],
  [
    "nobody more where only the internet gains",
    [...move, "--to-channel", "announcements"],
    "This lets everyone on the internet read 1 message in #announcements.",
  ],
])("a question says %s", async (_, words, text) => {
  const { code, err } = await zulipctl(words);
  expect([code, err]).toEqual([2, expect.stringContaining(text)]);
});

test("a question says that a playground is replaced", async () => {
  const add = (url: string) => ["playground", "add", "Python", "Try", `https://${url}.example/?c={code}`];
  const sandbox = fresh();
  expect((await zulipctl(add("p"), { sandbox })).code).toBe(0);
  const { err } = await zulipctl([...add("q"), "--or-update"], { sandbox });
  expect(err).toContain('Replace playground "Try" on chat.example?');
});

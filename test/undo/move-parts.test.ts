/** Where runs moved messages from and to, where the log does not have the ids of all. */
import { expect, test } from "vitest";
import { type MovePart, moveParts } from "../../src/undo/move-parts.ts";

/** The move of a topic of channel 2. `ids`: the messages that the log has. */
const move = (message: number, from: string, to: string, ids?: [number, number][]): MovePart => ({
  kind: "moved",
  position: message,
  entry: {
    time: "2026-01-15T10:00:00Z",
    site: "https://chat.example",
    run: "20260115-1",
    profile: undefined,
    account: "iris@sandbox.example",
    target: from,
    outcome: "done",
    operation: "messages.edit",
    thing: `message ${message}`,
    at: { message_id: message },
    from: { topic: from, stream_id: 2, ...(ids && { message_ids: ids }) },
    to: { topic: to, propagate_mode: "change_all" },
    command: "zulipctl topic rename",
  },
});

const shown = (parts: readonly MovePart[]) =>
  parts.map(({ kind, entry: { from, to } }) => `${kind} ${from?.topic} → ${to?.topic}`);

test("two topics without ids that became one cannot be told apart", () => {
  expect(shown(moveParts([move(1, "one", "both"), move(2, "two", "Both")]))).toEqual([
    "merged one → both",
    "merged two → Both",
  ]);
});

test("a topic with ids goes back out of another without", () => {
  expect(shown(moveParts([move(1, "one", "both"), move(2, "two", "both", [[2, 3]])]))).toEqual([
    "moved two → both",
    "merged one → both",
  ]);
});

test("a topic without ids that was moved twice goes back to its first place", () => {
  expect(shown(moveParts([move(1, "one", "two"), move(1, "two", "three")]))).toEqual(["moved one → three"]);
});

test("messages that went on with a topic go back to their own", () => {
  const parts = moveParts([move(1, "one", "two", [[1, 1]]), move(2, "two", "three", [[2, 2]])]);
  expect(shown(parts)).toEqual(["moved one → three", "moved two → three"]);
  expect(parts.map(({ entry }) => entry.from?.message_ids)).toEqual([[[1, 1]], [[2, 2]]]);
});

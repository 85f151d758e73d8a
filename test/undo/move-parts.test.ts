/** Where runs moved messages from and to. */
import { expect, test } from "vitest";
import { type MovePart, moveParts } from "../../src/undo/move-parts.ts";
import { whyNot } from "../../src/undo/undoable.ts";

/** The move of a topic of channel 2. */
const move = (message: number, from: string, to: string, ids: [number, number][]): MovePart => ({
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
    from: { topic: from, stream_id: 2, message_ids: ids },
    to: { topic: to, propagate_mode: "change_all" },
    command: "zulipctl topic rename",
  },
});

const shown = (parts: readonly MovePart[]) =>
  parts.map(({ kind, entry: { from, to } }) => `${kind} ${from?.topic} → ${to?.topic}`);

test("messages that went on with a topic go back to their own", () => {
  const parts = moveParts([move(1, "one", "two", [[1, 1]]), move(2, "two", "three", [[2, 2]])]);
  expect(shown(parts)).toEqual(["moved one → three", "moved two → three"]);
  expect(parts.map(({ entry }) => entry.from?.message_ids)).toEqual([[[1, 1]], [[2, 2]]]);
});

test("a topic whose messages the log does not have cannot be told from what came since", () => {
  const { entry } = move(1, "one", "two", [[1, 1]]);
  expect(whyNot(entry)).toBeUndefined();
  expect(whyNot({ ...entry, from: { topic: "one", stream_id: 2 } })).toBe(
    "the log does not have the ids of its messages",
  );
});

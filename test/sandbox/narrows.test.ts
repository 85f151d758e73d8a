import { describe, expect, test } from "vitest";
import { type SandboxState, topicKey } from "../../src/sandbox/state.ts";
import { compareCall, createState, organizations, type RecordedCall, readRecorded } from "./recorded.ts";

const { narrows: setup } = organizations;

/** The caller of most requests. */
const caller = 34;
const main = 143;

/** The ids of the recording's messages, by the names that it gives them. */
const ids = Object.fromEntries((setup.messages ?? []).map(({ name, id }) => [name, id]));

/** The organization of the recording. */
function organization(): SandboxState {
  const state = createState(setup);
  const { topic_policies } = state.users.get(caller)!;
  for (const { sender_id, stream_id, topic } of state.messages.values())
    if (sender_id === caller && stream_id !== null) topic_policies.set(topicKey(stream_id, topic), "followed");
  topic_policies.set(topicKey(main, "muted topic"), "muted");
  topic_policies.set(topicKey(main, "followed topic"), "followed");
  return state;
}

/** The sandbox renders no previews of pictures. */
const withoutPreviews = (text: string): string =>
  text.replace(/\\n<div class=\\"message_inline_image\\">.*?<\/div>/g, "");

const recorded = readRecorded("narrows")
  .filter(({ status }) => status !== 414)
  .map((row): RecordedCall => JSON.parse(withoutPreviews(JSON.stringify(row))));

describe("messages match narrows as they did on a server of level 371", () => {
  test("the recording has 296 requests", () => expect(recorded.length).toBe(296));

  test.each(recorded)("$case", async (row) => {
    const { _cut, messages: first } = Object(row.body) as { _cut?: string; messages?: object };
    const difference = await compareCall(row, organization());
    if (_cut === undefined) return expect(difference).toBeUndefined();
    // The recording has the first three messages of long answers, and the names of all.
    const { messages } = (difference!.here as { body: { messages: Record<string, object> } }).body;
    const names = _cut.replace(/^\d+ entries: /, "").split(", ");
    expect(Object.keys(messages).sort()).toEqual(names.map((name) => String(ids[name])).sort());
    expect(messages).toMatchObject(first!);
  });
});

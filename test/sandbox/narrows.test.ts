import { describe, expect, test } from "vitest";
import { addChannel } from "../../src/sandbox/organization.ts";
import { type Flag, type State, topicKey } from "../../src/sandbox/state.ts";
import { differs, type Recorded, readRecorded, setUp } from "./recorded.ts";

const [a, b, guest, c] = [34, 35, 36, 38];
const main = 143;

/** The messages of the recording, by the names that it gives them. */
const ids: Record<string, number> = {
  hello: 1342,
  b_mention: 1343,
  resolved: 1344,
  empty: 1345,
  gc: 1346,
  mypriv: 1349,
  dm_ab: 1350,
  dm_ba: 1351,
  dm_self: 1352,
  dm_grp: 1353,
  image: 1355,
  alert: 1356,
  muted: 1357,
  followed: 1358,
  wild: 1359,
  left: 1361,
  removed: 1363,
  hist2: 1367,
  arch: 1370,
};
const file = "/user_uploads/2/76/NPAjkfHy-ykvvAR6rt9oHeu1/i.png";

interface Said {
  sender: number;
  content: string;
  channel?: number;
  topic?: string;
  to?: number[];
  /** Of whom the recording asks. */
  flags?: Flag[];
}

const said: Record<string, Said> = {
  hello: {
    sender: a,
    channel: main,
    topic: "Lunch <b>&",
    content: "hello wonderful **world** [l](https://example.com)",
    flags: ["starred"],
  },
  b_mention: {
    sender: b,
    channel: main,
    topic: "Lunch <b>&",
    content: "@**membera p15hocf** are you here",
    flags: ["mentioned"],
  },
  resolved: { sender: b, channel: main, topic: "✔ done topic", content: "resolved message wonderful" },
  empty: { sender: a, channel: main, topic: "", content: "empty topic message" },
  gc: { sender: a, channel: main, topic: "", content: "general chat message" },
  mypriv: { sender: a, channel: 146, topic: "t", content: "in a private channel of A and B" },
  dm_ab: { sender: a, to: [a, b], content: "dm a to b" },
  dm_ba: { sender: b, to: [a, b], content: "dm b to a" },
  dm_self: { sender: a, to: [a], content: "dm self" },
  dm_grp: { sender: a, to: [a, b, c], content: "group dm wonderful" },
  image: { sender: a, channel: main, topic: "files", content: `[i.png](${file})` },
  alert: { sender: b, channel: main, topic: "alerts", content: "this has zyxalert inside", flags: ["has_alert_word"] },
  muted: { sender: b, channel: main, topic: "muted topic", content: "in muted topic" },
  followed: { sender: b, channel: main, topic: "followed topic", content: "in followed topic" },
  wild: { sender: b, channel: main, topic: "w", content: "@**all** wildcard", flags: ["wildcard_mentioned"] },
  left: { sender: b, channel: 147, topic: "t", content: "received then left", flags: ["read"] },
  removed: { sender: b, channel: 148, topic: "t", content: "received in private then left", flags: ["read"] },
  hist2: { sender: b, channel: 149, topic: "t", content: "after A joined" },
  arch: { sender: a, channel: 150, topic: "t", content: "in a channel archived since" },
};

/** What the recording was asked of. */
function organization(): State {
  const state = setUp({ users: { [a]: { full_name: "membera p15hocf" } } });
  const making = { site: "https://chat.example", now: 0, random: () => 0 };
  const channel = (stream_id: number, name: string, subscribers: number[], more = {}) =>
    addChannel(state, making, {
      stream_id,
      name,
      description: "",
      creator_id: a,
      subscribers: new Set(subscribers),
      ...more,
    });
  channel(1, "general", []);
  channel(main, "p15hocf 0dca7f62", [a, b, guest]);
  channel(144, "p15hocf 473b1428", [b]);
  channel(145, "p15hocf 199210d0", [b], { invite_only: true });
  channel(146, "p15hocf of two", [a, b], { invite_only: true });
  channel(147, "p15hocf 6ab9a9fc", [b]);
  channel(148, "p15hocf 6c683b3c", [b], { invite_only: true });
  channel(149, "p15hocf a0648021", [a, b], { invite_only: true, history_public_to_subscribers: true });
  channel(150, "p15hocf 604038f2", [a, b], { is_archived: true });
  for (const [name, { sender, content, channel: stream_id = null, topic = "", to = [], flags = [] }] of Object.entries(
    said,
  ))
    state.messages.set(ids[name]!, {
      id: ids[name]!,
      sender_id: sender,
      stream_id,
      recipients: to,
      topic,
      content,
      date_sent: 0,
      edit_history: [],
      reactions: name === "hello" ? [{ user_id: b, emoji_name: "tada" }] : [],
      received: new Map([[a, new Set(flags)], ...(stream_id === main ? [[guest, new Set<Flag>()] as const] : [])]),
    });
  // Sent before the account came, or where it never was.
  for (const [id, stream_id] of [
    [1347, 144],
    [1348, 145],
    [1365, 149],
  ] as const)
    state.messages.set(id, { ...state.messages.get(ids.hist2!)!, id, stream_id, received: new Map([[b, new Set()]]) });
  const { topic_policies } = state.users.get(a)!;
  for (const { sender, channel: id, topic } of Object.values(said))
    if (sender === a && id !== undefined) topic_policies.set(topicKey(id, topic!), "followed");
  topic_policies.set(topicKey(main, "muted topic"), "muted");
  topic_policies.set(topicKey(main, "followed topic"), "followed");
  state.attachments.set(1, {
    id: 1,
    owner_id: a,
    name: "i.png",
    path_id: "2/76/NPAjkfHy-ykvvAR6rt9oHeu1/i.png",
    size: 1,
    create_time: 0,
    message_ids: [ids.image!],
  });
  return state;
}

/** Previews of pictures are not made here. */
const withoutPreviews = (text: string): string =>
  text.replace(/\\n<div class=\\"message_inline_image\\">.*?<\/div>/g, "");

const recorded = readRecorded("narrows")
  .filter(({ status }) => status !== 414)
  .map((row): Recorded => JSON.parse(withoutPreviews(JSON.stringify(row))));

describe("messages match narrows as they did on a server of level 371", () => {
  test("almost three hundred questions are on file", () => expect(recorded.length).toBe(296));

  test.each(recorded)("$case", async (row) => {
    const { _cut, messages: first } = Object(row.body) as { _cut?: string; messages?: object };
    const difference = await differs(row, organization());
    if (_cut === undefined) return expect(difference).toBeUndefined();
    // Of long answers the first three messages are on file, and the names of all.
    const { messages } = (difference!.here as { body: { messages: Record<string, object> } }).body;
    const names = _cut.replace(/^\d+ entries: /, "").split(", ");
    expect(Object.keys(messages).sort()).toEqual(names.map((name) => String(ids[name])).sort());
    expect(messages).toMatchObject(first!);
  });
});

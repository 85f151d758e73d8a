/** Undo moves topics back only if nothing else goes with them. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { injectFaults, parseFault } from "../../src/sandbox/index.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

function organization(...faults: string[]) {
  const sandbox = fresh({ disturb: injectFaults(faults.map(parseFault), async () => undefined) });
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  const zulipctl = async (line: string, input = "") => {
    const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), input, logs, files });
    const code = await main([...line.split(" "), "--yes"], world);
    return { code, err: world.stderr.text, out: world.stdout.text };
  };
  /** The topics of texts. */
  const topics = () =>
    Object.fromEntries(
      [...sandbox.state.messages.values()].flatMap(({ content, topic, stream_id }) =>
        /^[a-z]$/.test(content) ? [[content, `${stream_id} ${topic}`]] : [],
      ),
    );
  const send = (channel: string, topic: string, content: string) =>
    zulipctl(`messages send --channel ${channel} --topic ${topic} --content ${content} --no-record`);
  const idOf = (text: string) => [...sandbox.state.messages.values()].find(({ content }) => content === text)?.id;
  return { zulipctl, topics, send, idOf };
}

test.each([["messages edit 7 --content x", "message 7: cannot be undone: the message has another text now"]])(
  "undo of %s says why it stays",
  async (line, why) => {
    const { zulipctl, send } = organization();
    for (const topic of ["one", "two"]) await send("general", topic, "a");
    const made = await zulipctl(line);
    expect(made.code, made.err).toBe(0);
    const { code, err } = await zulipctl("undo");
    expect(code).toBe(1);
    expect(err).toContain(why);
  },
);

test.each(["PLAN", "✔ plan"])("undo moves a topic back that the run renamed to %s", async (name) => {
  const { zulipctl, topics, send } = organization();
  await send("general", "plan", "a");
  const line = name === "PLAN" ? "topic rename general plan PLAN" : "topic resolve general plan";
  expect((await zulipctl(line)).code).toBe(0);
  expect(topics()).toEqual({ a: `2 ${name}` });
  const { code, err } = await zulipctl("undo");
  expect(code, err).toBe(0);
  expect(topics()).toEqual({ a: "2 plan" });
});

describe.each([
  ["rename general plan idea", "move general plan --to-channel design"],
  ["move general plan --to-channel design", "rename general plan idea"],
])("undo after %s and %s in one run", (...lines) => {
  const rows = lines.map((line) => `topic ${line}\n`).join("");

  test("moves the topic back", async () => {
    const { zulipctl, topics, send } = organization();
    await send("general", "plan", "a");
    expect((await zulipctl("batch - --format lines", rows)).code).toBe(0);
    expect(topics()).toEqual({ a: "1 idea" });
    const { code, err } = await zulipctl("undo");
    expect(code, err).toBe(0);
    expect(topics()).toEqual({ a: "2 plan" });
  });

  test("takes no other messages along", async () => {
    const { zulipctl, topics, send } = organization();
    await send("general", "plan", "a");
    await send("design", "Idea", "b");
    expect((await zulipctl("batch - --format lines", rows)).code).toBe(0);
    const { code, err } = await zulipctl("undo");
    expect([code, topics()], err).toEqual([0, { a: "2 plan", b: "1 Idea" }]);
  });
});

describe("undo of messages that the run put into one topic", () => {
  test.each([
    ["messages move --narrow channel:general --to-topic all", ""],
    ["messages move --narrow channel:general --to-channel design", ""],
    ["batch - --format lines", "topic rename general one both\ntopic rename general two Both\n"],
    ["batch - --format lines", "topic rename general one two\ntopic rename general two three\n"],
    ["batch - --format lines", "topic move general one --to-channel design\ntopic rename general two one\n"],
  ])("%s puts each back where it was", async (line, input) => {
    const { zulipctl, topics, send } = organization();
    for (const [topic, content] of Object.entries({ one: "abc", two: "de" }))
      for (const each of content) await send("general", topic, each);
    const before = topics();
    const done = await zulipctl(line, input);
    expect(done.code, done.err).toBe(0);
    expect(topics()).not.toEqual(before);
    const { code, err } = await zulipctl("undo");
    expect([code, topics()], err).toEqual([0, before]);
    expect(err).not.toContain("that came since");
  });

  test("leaves what came since, and counts it", async () => {
    const { zulipctl, topics, send } = organization();
    for (const content of ["a", "b"]) await send("general", "one", content);
    await zulipctl("messages move --narrow topic:one --to-topic two");
    await send("general", "two", "c");
    const { code, err } = await zulipctl("undo 20260115-3");
    expect([code, topics()], err).toEqual([0, { a: "2 one", b: "2 one", c: "2 two" }]);
    expect(err).toContain("    1 message that came since stays\n");
  });
});

test("undo of two runs moves messages back through the topic in between", async () => {
  const { zulipctl, topics, send } = organization();
  await send("general", "one", "a");
  await send("general", "two", "b");
  await zulipctl("topic rename general one two");
  await zulipctl("topic rename general two three");
  const { code, err } = await zulipctl("undo 20260115-3 20260115-4");
  expect([code, topics()], err).toEqual([0, { a: "2 one", b: "2 two" }]);
});

test.each([
  ["topic move general plan --to-channel design", "topic resolve general plan"],
  ["topic resolve general plan", "topic move general plan --to-channel design"],
  ["topic rename general plan other", "topic resolve general plan"],
])("undo takes a topic back that rows of one batch changed: %s, %s", async (...rows) => {
  const { zulipctl, topics, send } = organization();
  for (const text of ["a", "b"]) await send("general", "plan", text);
  const before = topics();
  const { code } = await zulipctl("batch - --format lines", `${rows.join("\n")}\n`);
  expect([code, topics()]).not.toEqual([0, before]);
  const undone = await zulipctl("undo");
  expect([undone.code, topics()], undone.err).toEqual([0, before]);
});

test.each<[rows: string[], code: number, says: string, topics: Record<string, string>]>([
  [["rename general plan other", "resolve general plan"], 0, "Resolved topic", { a: "2 ✔ other" }],
  [["resolve general plan", "resolve general plan"], 0, "1 unchanged", { a: "2 ✔ plan" }],
  [
    ["rename general plan other", "delete general plan"],
    2,
    'line 2: <topic>: an earlier row moves topic "plan"',
    { a: "2 plan" },
  ],
  [["delete general plan", "delete general Plan"], 0, 'Topic "Plan" is deleted already.', {}],
])("rows of one batch change one topic: %j", async (rows, code, says, left) => {
  const { zulipctl, topics, send } = organization();
  await send("general", "plan", "a");
  const ended = await zulipctl("batch - --format lines -y", rows.map((row) => `topic ${row}\n`).join(""));
  expect([ended.code, `${ended.out}${ended.err}`]).toEqual([code, expect.stringContaining(says)]);
  expect(topics()).toEqual(left);
});

test.each([
  ["messages.edit", ["resolve general plan", "resolve general plan"], "Resolved topic", { a: "2 ✔ plan" }],
  ["messages.edit", ["rename general plan b", "rename general plan b"], "Renamed topic", { a: "2 b" }],
  ["channel.topics.rm", ["delete general plan", "delete general plan"], "Deleted topic", {}],
])("a row is sent if the earlier row that makes it needless fails: %s, %j", async (name, rows, says, left) => {
  const { zulipctl, topics, send } = organization(`500:op=${name},nth=1`);
  await send("general", "plan", "a");
  const { code, out } = await zulipctl("batch - --format lines", rows.map((row) => `topic ${row}\n`).join(""));
  expect([code, out]).toEqual([
    7,
    expect.stringMatching(new RegExp(`\\n1\\tplan\\tunknown.*\\n2\\tplan\\tdone\\t${says}`)),
  ]);
  expect(topics()).toEqual(left);
});

test("undo names the messages of a topic that somebody deleted or moved on", async () => {
  const { zulipctl, topics, send, idOf } = organization();
  for (const content of ["a", "b", "c"]) await send("general", "one", content);
  await zulipctl("topic rename general one two");
  await zulipctl(`messages move --ids ${idOf("b")} --to-topic three --no-record`);
  const { code, err } = await zulipctl("undo 20260115-4");
  expect(err).toContain("    2 messages of 3\n");
  expect(err).toContain("✗ topic one: conflict: 1 message of it: gone, or in another topic now");
  expect([code, topics()], err).toEqual([6, { a: "2 one", b: "2 three", c: "2 one" }]);
});

test("undo shows the topic without a name as people know it", async () => {
  const { zulipctl, send } = organization();
  await send("design", "logo2", "a");
  const made = await zulipctl("messages move --narrow topic:logo2 --to-topic=");
  expect(made.code, made.err).toBe(0);
  const { err } = await zulipctl("undo");
  expect(err).toContain('topic: "general chat" → "logo2"');
});

test("undo of a part of a topic says once what it did", async () => {
  const { zulipctl, send } = organization();
  for (const content of ["a", "b"]) await send("general", "one", content);
  await zulipctl("topic rename general one two");
  await send("general", "two", "c");
  const { code, out, err } = await zulipctl("undo 20260115-3");
  expect([code, out], err).toEqual([0, 'ROW\tTARGET\tOUTCOME\tRESULT\n1\tone\tdone\tMoved topic "one" back.\n']);
});

/** Undo moves topics back only if nothing else goes with them. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

function organization() {
  const sandbox = fresh();
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  const zulipctl = async (line: string, input = "") => {
    const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), input, logs, files });
    const code = await main([...line.split(" "), "--yes"], world);
    return { code, err: world.stderr.text };
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
  return { zulipctl, topics, send };
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

/** One name in several spellings: accents, `#`, the topic without a name. */
import { expect, test } from "vitest";
import { batch } from "../batch/rows.ts";
import { fresh, type Options, zulipctl } from "../run.ts";

const composed = "caf\u00e9";
const decomposed = "cafe\u0301";

async function withCafe() {
  const sandbox = fresh();
  await zulipctl(["channel", "create", decomposed], { sandbox });
  return sandbox;
}

const json = async (argv: string[], options: Options) =>
  JSON.parse((await zulipctl([...argv, "-o", "json"], options)).out);

test("names are sent in NFC, and found in any spelling", async () => {
  const sandbox = await withCafe();
  const names = (await json(["channel", "list", "--match", decomposed], { sandbox })).map(
    ({ name }: { name: string }) => name,
  );
  expect(names).toEqual([composed]);
  expect(await json(["channel", "show", decomposed], { sandbox })).toMatchObject({ name: composed });
  const files = new Map([["org.yaml", `channels:\n  - name: ${decomposed}\n    description: Coffee\n`]]);
  expect((await zulipctl(["org", "plan", "org.yaml"], { sandbox, files })).out).toContain("1 to change. 1 request.");
  const rows = new Map([["a.csv", `Pr\u00e9nom\n${decomposed}\n`]]);
  const words = ["--", "channel", "subscribers", "{Pre\u0301nom}", "--add", "11"];
  expect((await batch(["a.csv", ...words], { sandbox, files: rows })).outcomes).toEqual(["1 done"]);
});

test("what exists keeps its spelling, and two names that look alike are refused", async () => {
  const sandbox = await withCafe();
  const [channel] = [...sandbox.state.channels.values()].filter(({ name }) => name === composed);
  channel!.name = decomposed;
  const files = new Map([["org.yaml", `channels:\n  - name: ${composed}\n`]]);
  expect((await zulipctl(["org", "plan", "org.yaml"], { sandbox, files })).out).toContain("matches the file");
  expect((await zulipctl(["channel", "create", composed], { sandbox })).code).toBe(0);
  expect([...sandbox.state.channels.values()].some(({ name }) => name === composed)).toBe(false);
  await zulipctl(["channel", "create", "tea"], { sandbox });
  [...sandbox.state.channels.values()].find(({ name }) => name === "tea")!.name = composed;
  const run = await zulipctl(["channel", "archive", composed, "--yes"], { sandbox });
  expect(run).toMatchObject({ code: 2 });
  expect(run.err).toContain("They look alike: only the spelling of accents differs.");
  expect(run.err).toMatch(/\(8\).*\(9\)/);
});

test("#design is the channel design everywhere, and name:#design has the sign", async () => {
  const sandbox = fresh();
  const files = new Map([["a.csv", "channel\n#apollo\n#general\n"]]);
  const created = await batch(["a.csv", "--", "channel", "create", "{channel}"], { sandbox, files });
  // #general is the channel general, which exists.
  expect(created.outcomes).toEqual(["1 done", "2 done"]);
  expect([...sandbox.state.channels.values()].map(({ name }) => name)).not.toContain("#general");
  expect(await json(["channel", "show", "#apollo"], { sandbox })).toMatchObject({ name: "apollo" });
  await zulipctl(["channel", "create", "name:#design"], { sandbox });
  expect(await json(["channel", "show", "name:#design"], { sandbox })).toMatchObject({ name: "#design" });
  const both = '"#design" is the name of channel 9, and means channel "design" (1) too';
  const lines = [
    ["channel", "archive", "#design", "--yes"],
    ["messages", "send", "--channel", "#design", "--topic", "x", "--content", "x"],
    ["messages", "delete", "--narrow", "channel:#design", "--yes"],
  ];
  for (const argv of lines)
    expect(await zulipctl(argv, { sandbox })).toMatchObject({ code: 2, err: expect.stringContaining(both) });
  const plan = new Map([["org.yaml", "channels:\n  - name: '#design'\n"]]);
  expect(await zulipctl(["org", "plan", "org.yaml"], { sandbox, files: plan })).toMatchObject({
    code: 2,
    err: expect.stringContaining("write name:#design or design"),
  });
  // An export can be read again.
  const { out } = await zulipctl(["org", "export"], { sandbox });
  expect(out).toContain("name: name:#design");
  const exported = new Map([["all.yaml", out]]);
  expect((await zulipctl(["org", "plan", "all.yaml"], { sandbox, files: exported })).out).toContain("matches the file");
});

test("a channel whose only name has the sign is suggested as it can be typed", async () => {
  const sandbox = fresh();
  await zulipctl(["channel", "create", "name:#apollo"], { sandbox });
  const run = await zulipctl(["channel", "show", "#apollo"], { sandbox });
  expect(run.err).toContain("Did you mean: name:#apollo (8)?");
});

test("the topic without a name is general chat where a topic is typed", async () => {
  for (const topic of ["", "General chat"]) {
    const run = await zulipctl(["messages", "send", "--channel", "design", "--topic", topic, "--content", "x", "-n"]);
    expect(run.out).toContain('topic = ""');
  }
});

test.each(["@channels.txt", "-"])("a line of a list that begins with # is a comment: %s", async (list) => {
  const sandbox = fresh();
  const lines = "# not yet\n#general\ndesign # since May\nname:C#\n";
  const files = new Map([["channels.txt", lines]]);
  await zulipctl(["channel", "create", "C#"], { sandbox });
  const words = ["channel", "archive", list, "--yes", ...(list === "-" ? [] : ["--no-input"])];
  expect(await zulipctl(words, { sandbox, files, input: lines })).toMatchObject({ code: 0 });
  const archived = [...sandbox.state.channels.values()].filter(({ is_archived }) => is_archived);
  expect(archived.map(({ name }) => name).sort()).toEqual(["C#", "attic", "design"]);
});

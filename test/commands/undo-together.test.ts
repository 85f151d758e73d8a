/** Undo of runs that are named together, with other runs between them, and what follows an undo of a part. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { answer, testWorld } from "../world.ts";

function organization() {
  const sandbox = fresh();
  const [files, logs] = [new Map([["none.txt", "\n"]]), new Map<string, string>()];
  let isLost = false;
  const run = async (words: string | readonly string[], lines: readonly string[] = []) => {
    if (lines.length) files.set("rows.txt", `${lines.join("\n")}\n`);
    const typed = typeof words === "string" ? words.split(" ") : words;
    const world = testWorld({
      env: credentials(sandbox),
      files,
      logs,
      http: async (request) => {
        const answered = await sandbox.handle(request);
        if (!isLost || request.method === "GET") return answered;
        isLost = false;
        return answer(502, "");
      },
    });
    const code = await main([...typed, "--yes"], world);
    return { code, err: world.stderr.text };
  };
  /** Somebody else, whose runs are not in this log. */
  const other = async (words: readonly string[]) => {
    const world = testWorld({ env: credentials(sandbox), http: sandbox.handle });
    expect(await main([...words, "--yes"], world), world.stderr.text).toBe(0);
  };
  const channel = (called: string) => [...sandbox.state.channels.values()].find(({ name }) => name === called);
  /** The next change is made, and its answer is lost. */
  const lose = () => {
    isLost = true;
  };
  return { state: sandbox.state, run, other, lose, channel };
}

const batch = "batch rows.txt --format lines";
const described = (text: string) => `channel update design --description ${text}`;
const first = "20260115-1";

test("undo takes back the rest after an undo of a part whose change had no answer", async () => {
  const { run, lose, channel } = organization();
  await run(batch, [described("x"), "channel update general --description y"]);
  lose();
  expect(await run("undo --only design")).toMatchObject({ code: 7 });
  const { code, err } = await run("undo");
  expect([code, channel("general")?.description === "y"], err).toEqual([0, false]);
  expect(err).toMatch(`zulipctl: the undo 20260115-2 took back a part of run ${first}: taking back the rest.`);
});

test("undo of runs together keeps the value that a run between them set", async () => {
  const { run, channel } = organization();
  for (const text of ["one", "two", "three"]) await run(described(text));
  const { code, err } = await run(`undo ${first} 20260115-3`);
  expect([code, channel("design")?.description], err).toEqual([6, "two"]);
  expect(err).toContain("channel design: conflict: description was changed by run 20260115-2 since");
});

test("undo of runs together forgets a run between them that was taken back", async () => {
  const { run, channel } = organization();
  const before = channel("design")?.description;
  for (const words of [described("one"), described("two"), "undo", described("three")]) await run(words);
  const { code, err } = await run(`undo ${first} 20260115-4`);
  expect([code, channel("design")?.description], err).toEqual([0, before]);
});

test("undo of runs together keeps the members that a run between them set", async () => {
  const { run } = organization();
  const members = (words: string) => run(`group members designers ${words} gwen@sandbox.example`);
  for (const words of ["--add", "--delete", "--add", "--delete"])
    expect(await members(words)).toMatchObject({ code: 0 });
  const { code, err } = await run(`undo ${first} 20260115-4`);
  expect(code, err).toBe(6);
  expect(err).toContain("members: + Gwen Guest");
  expect(err).toContain("group designers: conflict: Gwen Guest was added by run 20260115-3 since");
});

test("undo of runs together moves messages back to where a run between them moved them", async () => {
  const { state, run } = organization();
  const topics = ["release plan", "b", "c", "d"];
  for (const [n, to] of topics.slice(1).entries())
    expect(await run(["topic", "rename", "general", topics[n] ?? "", to])).toMatchObject({ code: 0 });
  const { code, err } = await run(`undo ${first} 20260115-3`);
  const left = new Set([...state.messages.values()].map((message) => ("topic" in message ? message.topic : "")));
  expect([code, left.has("c"), left.has("d"), left.has("release plan")], err).toEqual([6, true, false, false]);
  expect(err).toContain("moved by run 20260115-2 since");
});

test("undo of runs together makes a removed thing again as a run between them left it", async () => {
  const { state, run } = organization();
  const update = (host: string) => `linkifier update 1 --url-template https://${host}.example/{id} --skip-check`;
  for (const words of [update("one"), update("two"), "linkifier rm 1"])
    expect(await run(words), words).toMatchObject({ code: 0 });
  const { code, err } = await run(`undo ${first} 20260115-3`);
  expect(code, err).toBe(6);
  expect(JSON.stringify([...state.linkifiers.values()])).toContain("https://two.example");
  expect(err).toContain("was changed by run 20260115-2 since");
});

test("undo of runs together keeps what somebody else set between them", async () => {
  const { run, other, channel } = organization();
  await run(described("one"));
  await other(["channel", "update", "design", "--description", "theirs"]);
  await run(described("two"));
  const { code, err } = await run(`undo ${first} 20260115-2`);
  expect([code, channel("design")?.description], err).toEqual([6, "theirs"]);
  expect(err).toContain("channel design: conflict: description was changed by somebody else before a later run");
});

test("undo of runs together keeps what somebody else set between them, although a run had set it earlier", async () => {
  const { run, other, channel } = organization();
  await run(batch, [described("theirs"), described("one")]);
  await other(["channel", "update", "design", "--description", "theirs"]);
  await run(described("two"));
  const { code, err } = await run(`undo ${first} 20260115-2`);
  expect([code, channel("design")?.description], err).toEqual([6, "theirs"]);
});

test("undo of runs together moves messages back to where somebody else moved them between the runs", async () => {
  const { state, run, other } = organization();
  await run(["topic", "rename", "general", "release plan", "b"]);
  await other(["topic", "rename", "general", "b", "theirs"]);
  await run(["topic", "rename", "general", "theirs", "d"]);
  const { code, err } = await run(`undo ${first} 20260115-2`);
  const topics = new Set([...state.messages.values()].map((message) => ("topic" in message ? message.topic : "")));
  expect([code, topics.has("theirs"), topics.has("release plan")], err).toEqual([6, true, false]);
  expect(err).toContain("moved by somebody else before a later run");
});

test("undo of runs together makes a removed thing again as somebody else left it", async () => {
  const { state, run, other } = organization();
  await run("linkifier update 1 --url-template https://one.example/{id} --skip-check");
  await other(["linkifier", "update", "1", "--url-template", "https://theirs.example/{id}"]);
  await run("linkifier rm 1");
  const { code, err } = await run(`undo ${first} 20260115-2`);
  expect([code, JSON.stringify([...state.linkifiers.values()]).includes("https://theirs.example")], err).toEqual([
    6,
    true,
  ]);
});

test("undo of runs together goes on from where an undo of some of them left a value", async () => {
  const { run, channel } = organization();
  const before = channel("design")?.description;
  for (const text of ["one", "two", "three"]) await run(described(text));
  expect(await run(`undo ${first} 20260115-3`)).toMatchObject({ code: 6 });
  const { code, err } = await run(`undo ${first} 20260115-2 20260115-3`);
  expect([code, channel("design")?.description], err).toEqual([0, before]);
});

test("undo of runs together leaves a value alone that was changed after an undo of some of them", async () => {
  const { run, other, channel } = organization();
  for (const text of ["one", "two", "three"]) await run(described(text));
  expect(await run(`undo ${first} 20260115-3`)).toMatchObject({ code: 6 });
  await other(["channel", "update", "design", "--description", "one"]);
  const { code, err } = await run(`undo ${first} 20260115-2 20260115-3`);
  expect([code, channel("design")?.description], err).toEqual([6, "one"]);
  expect(err).toContain("was taken back already, and changed since");
});

test.each([
  ["channel update design --description one", "channel update design --description two"],
  ["group members writers --add-subgroups designers", "group members writers --delete-subgroups designers"],
])("undo of runs together leaves out a run that was taken back: %s", async (one, other) => {
  const { state, run } = organization();
  const now = () => JSON.stringify([...state.groups.values()].map((group) => [...group.subgroups]));
  const described = () => [...state.channels.values()].map(({ description }) => description);
  const before = [now(), described()];
  await run(one);
  await run(other);
  expect(await run("undo")).toMatchObject({ code: 0 });
  const { code, err } = await run(`undo ${first} 20260115-2`);
  expect([code, now(), described()], err).toEqual([0, ...before]);
  expect(err).toContain("taken back already: run 20260115-2");
});

test("undo of runs together makes a removed thing again once, if an undo between them made it again", async () => {
  const { state, run } = organization();
  const idOf = () => state.linkifiers.find(({ pattern }) => pattern.startsWith("#"))?.id;
  const before = state.linkifiers.map(({ pattern }) => pattern);
  await run(`linkifier rm ${idOf()}`);
  await run("undo");
  await run(`linkifier rm ${idOf()}`);
  const { code, err } = await run(`undo ${first} 20260115-3`);
  expect([code, state.linkifiers.map(({ pattern }) => pattern)], err).toEqual([0, before]);
});

test.each(["folder create 'folder 10'", "folder update 'folder 10' --description x"])(
  "undo of %s shows a name that begins with the kind whole",
  async (line) => {
    const { run } = organization();
    if (line.includes("update")) await run(["folder", "create", "folder 10"]);
    await run(batch, [line]);
    const { code, err } = await run("undo");
    expect(code, err).toBe(0);
    expect(err).toMatch(/folder folder 10(:|\n)/);
  },
);

test("undo of a plan shows the names of things without their kinds", async () => {
  const { run } = organization();
  await run("users offboard cora@sandbox.example --to otis@sandbox.example");
  const { err } = await run("undo");
  expect(err).not.toMatch(/(group group|channel channel|folder folder)/);
});

test.each(["@none.txt", "[]"])("undo --only %s is refused: the list is empty", async (only) => {
  const { run, channel } = organization();
  await run(described("x"));
  const { code, err } = await run(["undo", "--only", only]);
  expect([code, channel("design")?.description]).toEqual([2, "x"]);
  expect(err).toContain("--only");
});

test("undo ends with 6 if somebody changes something while it asks, and the rest goes back", async () => {
  const sandbox = fresh();
  const files = new Map([["rows.txt", `${described("x")}\nchannel update general --description y\n`]]);
  const setup = { env: credentials(sandbox), http: sandbox.handle, files, logs: new Map<string, string>() };
  expect(await main(batch.split(" "), testWorld(setup))).toBe(0);
  const { channels } = sandbox.state;
  const design = [...channels.values()].find(({ name }) => name === "design");
  const world = testWorld({ ...setup, terminal: true });
  world.prompts.confirm = async () => {
    if (design) design.description = "theirs";
    return true;
  };
  expect(await main(["undo"], world), world.stderr.text).toBe(6);
  expect([design?.description, channels.get(2)?.description]).toEqual(["theirs", "Everyone"]);
  expect(world.stderr.text).toContain("1 of 2 changes done, 1 conflict");
  expect(world.stderr.text).not.toContain("not back");
});

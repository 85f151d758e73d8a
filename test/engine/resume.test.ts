import { expect, test } from "vitest";
import { updateChannel } from "../../src/api/channels.ts";
import { type Change, change } from "../../src/engine/change.ts";
import type { Header } from "../../src/engine/journal.ts";
import { replayJournal } from "../../src/engine/journal-replay.ts";
import { JournaledRun } from "../../src/engine/journaled-run.ts";
import { Unreachable } from "../../src/errors.ts";
import { FakeServer, noAnswer, outcomes } from "./transport.ts";

const path = "/state/run.jsonl";
const journalFile = { run: "run", path, resumeName: "run", kind: "batch" } as const;
const header: Header = {
  journal: "zulipctl batch",
  version: 1,
  run: "run",
  site: "https://chat.example",
  account: "ada@chat.example",
  input: "a",
  words: "b",
  rows: 2,
  began: "2026-01-15T12:00:00.000Z",
};
const words = { target: "x", done: "Done.", verifyWith: "zulipctl folder list" };
const descriptionChange = (description: string): Change => change(updateChannel, { stream_id: 7, description }, words);

/** Runs changes with a journal, or resumes an existing one. */
async function run(fake: FakeServer, changes: readonly Change[], retryUnknown = false) {
  const openRun = await JournaledRun.open(fake.world, journalFile, fake.world.files.content.has(path));
  const rows = changes.map((each, n) => ({ row: n + 1, changes: [each] }));
  const engine = await openRun.begin(header, [], fake, { checkUnanswered: 60_000, retryUnknown });
  const results = [];
  for await (const finished of engine.run(rows)) results.push(finished.results[0]!);
  await openRun.close();
  return results;
}

test("an unknown change that was not sent again is still unknown", async () => {
  const fake = new FakeServer();
  fake.respond = () => noAnswer();
  const changes = [descriptionChange("a"), descriptionChange("b"), descriptionChange("c")];
  expect(outcomes(await run(fake, changes))).toEqual(["unknown", "unknown", "unknown"]);
  fake.respond = () => ({ outcome: "not_sent", failure: new Unreachable("refused", { outcome: "not_sent" }) });
  expect(outcomes(await run(fake, changes, true))).toEqual(["unknown", "unknown", "unknown"]);
  expect(fake.sent).toHaveLength(4);
});

const sent = (n: number) => `${JSON.stringify({ sent: n, rows: [n], operation: "folder.create", args: {} })}\n`;
const first = `${JSON.stringify(header)}\n`;
const replayOf = async (text: string) => {
  const { files } = new FakeServer().world;
  files.content.set(path, text);
  return replayJournal(files, path);
};

test.each([
  ["cut", sent(2).slice(0, 20)],
  ["of zeros", "\0".repeat(30)],
])("a journal ends before a last line that is %s", async (_, tail) => {
  const replay = await replayOf(first + sent(1) + tail);
  expect(replay.length).toBe(first.length + sent(1).length);
  expect(replay.lastNumber).toBe(1);
});

test.each([
  ["a line in the middle is not JSON", first + sent(1).slice(2) + sent(2), 2],
  ["a line with an unknown entry", `${first}{"reversed":1}\n`, 2],
  ["another file", "id,name\n1,Ada\n", 1],
  ["another file without a line end", "id,name", 1],
  ["another file with zeros", "PK\u0003\u0004\0\0\n\0", 1],
])("rejects a journal: %s", async (_, text, line) => {
  await expect(replayOf(text)).rejects.toThrow(`${path}, line ${line}: not a journal of zulipctl batch, or damaged`);
});

const ended = (counts: object) => ({ ended: "2026-01-15T12:00:00.000Z", counts });
test.each([
  { ...header, rows: -3 },
  { ...header, rows: "3" },
  { ...header, began: "soon" },
  { ...header, lines: [[1]] },
])("rejects the first line %j", async (line) => {
  await expect(replayOf(`${JSON.stringify(line)}\n`)).rejects.toThrow(`${path}, line 1: not a journal`);
});

test.each([
  ended({ done: "5" }),
  ended({ refused: -1 }),
  ended({ unknown: null }),
  ended({ not_sent: 1.5 }),
  { more: "2" },
  { sent: 1, rows: ["x"], operation: "folder.create", args: {} },
  { sent: 1, operation: "folder.create", args: {} },
  { answered: 1, outcome: "refused" },
  { answered: 1, outcome: "lost", answers: [] },
  { judged: 1, rows: [1], as: "refused" },
  { unanswered: 1, error: { message: 5 } },
  { name: "devs", is: "7", kind: "group" },
])("rejects the line %j", async (line) => {
  await expect(replayOf(`${first}${JSON.stringify(line)}\n`)).rejects.toThrow(`${path}, line 2: not a journal`);
});

test.each(["", "\0\0\0", first.slice(0, 12), `${first.slice(0, 5)}\0\0\0\0`])(
  "replaces a header that a crash has cut",
  async (text) => {
    const fake = new FakeServer();
    fake.world.files.content.set(path, text);
    fake.respond = () => undefined;
    expect(outcomes(await run(fake, []))).toEqual([]);
    expect(fake.world.files.content.get(path)).toBe(first);
  },
);

test("writes nothing to the journal after the lock is lost", async () => {
  const fake = new FakeServer();
  const { files, clock, signals } = fake.world;
  let held = true;
  const lock = async () => ({ isHeld: () => held, release: async () => undefined });
  const run = await JournaledRun.open({ files: { ...files, lock }, clock, signals }, journalFile, false);
  await run.begin(header, [], fake, {});
  const before = files.content.get(path);
  held = false;
  await expect(run.write({ returned: 1 })).rejects.toThrow("is no longer this run's");
  expect(files.content.get(path)).toBe(before);
});

test.each(["append", "sync"] as const)("writes nothing more to the journal after a failed %s", async (failing) => {
  const fake = new FakeServer();
  const { files, clock, signals } = fake.world;
  let calls = 0;
  const append = async (...file: Parameters<typeof files.append>) => ({
    ...(await files.append(...file)),
    [failing]: async () => {
      if (++calls === 2) throw new Error("EIO");
    },
  });
  const run = await JournaledRun.open({ files: { ...files, append }, clock, signals }, journalFile, false);
  await run.begin(header, [], fake, {});
  for (let times = 0; times < 2; times++)
    await expect(run.write({ returned: 1 })).rejects.toThrow(`cannot write the journal ${path}: EIO`);
  expect(calls).toBe(2);
});

import { describe, expect, test } from "vitest";
import { createGroup, updateGroup, updateMembers } from "../../src/api/groups.ts";
import { addLinkifier } from "../../src/api/linkifiers.ts";
import { type Change, change } from "../../src/engine/change.ts";
import type { Header } from "../../src/engine/journal.ts";
import { provisional } from "../../src/engine/provisional-ids.ts";
import { Run } from "../../src/engine/run.ts";
import type { Key } from "../../src/engine/task.ts";
import { Conflict, Unreachable } from "../../src/errors.ts";
import { done, Fake, outcomes, refusal, silence } from "./transport.ts";

const crew = provisional(1);
const words = (target: string) => ({ target, done: "Done.", verifyWith: "zulipctl group list" });

const created = (name: string, after: Key[] = [], makes = crew): Change => ({
  ...change(
    createGroup,
    { name, description: "", members: [] },
    { ...words(`group ${name}`), ids: "group_id", makes, after },
  ),
});
const described = (user_group_id: number, description: string, after: Key[]): Change =>
  change(updateGroup, { user_group_id, description }, { ...words(`group ${user_group_id}`), after });
const linked = (pattern: string, after?: Key[]): Change =>
  change(addLinkifier, { pattern, url_template: "https://x" }, { ...words(pattern), ...(after && { after }) });

/** Gives 7 for what is created. */
function fakeGroups(): Fake {
  const fake = new Fake();
  fake.disturb = ({ operation }) => (operation === "group.create" ? done({ group_id: 7 }) : done());
  return fake;
}
const sentBy = ({ sent }: Fake) => sent.map(({ operation, args }) => `${operation} ${JSON.stringify(args)}`);

describe("changes that wait for others", () => {
  test("one is sent when all that it needs is done, others go side by side meanwhile", async () => {
    const fake = new Fake();
    const ends: string[] = [];
    fake.disturb = async ({ args }) => {
      if (args.name === "slow") for (let turn = 0; turn < 8; turn++) await new Promise(setImmediate);
      ends.push(String(args.name ?? args.pattern));
      return done({ group_id: 1, id: 1 });
    };
    await fake.run([
      created("slow", [], provisional(1)),
      created("quick", [], provisional(2)),
      linked("waits", [1, 2]),
      created("beside", [2], provisional(3)),
    ]);
    expect(ends).toEqual(["quick", "beside", "slow", "waits"]);
  });

  test("a row may wait for a later one, and a part of a row for another part", async () => {
    const fake = fakeGroups();
    const results = await fake.rows([
      { row: 1, changes: [created("crew"), described(crew, "closes a circle", [1, 2])] },
      { row: 2, changes: [described(9, "first", ["1"])].map((each) => ({ ...each, after: [1] })) },
    ]);
    expect(results.flatMap(({ results }) => outcomes(results))).toEqual(["done", "done", "done"]);
    expect(sentBy(fake).map((each) => /description":"([^"]*)/.exec(each)![1])).toEqual([
      "",
      "first",
      "closes a circle",
    ]);
  });

  test("ids stand in later changes as the answers before them told", async () => {
    const fake = fakeGroups();
    await fake.run([
      created("crew"),
      change(
        updateGroup,
        { user_group_id: crew, can_manage_group: { new: { direct_members: [3], direct_subgroups: [crew] } } },
        { ...words("group crew"), after: [1] },
      ),
      change(updateMembers, { user_group_id: 4, add_subgroups: [crew] }, { ...words("group all"), after: [1] }),
    ]);
    expect(sentBy(fake).slice(1).sort()).toEqual([
      'group.members {"user_group_id":4,"add_subgroups":[7]}',
      'group.update {"user_group_id":7,"can_manage_group":{"new":{"direct_members":[3],"direct_subgroups":[7]}}}',
    ]);
  });

  test("what the server does not tell is not guessed", async () => {
    const fake = new Fake();
    fake.disturb = () => done({});
    const results = await fake.run([created("crew"), described(crew, "x", [1])]);
    expect(results).toMatchObject([
      { outcome: "done" },
      {
        outcome: "not_sent",
        failure: { message: `group ${crew}: the id of something that was made before was not told` },
      },
    ]);
    expect(fake.sent).toHaveLength(1);
  });

  test("what depends on a failure is not sent, and names what failed first", async () => {
    const fake = new Fake();
    fake.disturb = ({ operation }) =>
      operation === "group.create" ? refusal("Must be an organization administrator") : done();
    const results = await fake.run([
      created("crew"),
      created("second", [1], provisional(2)),
      described(provisional(2), "third", [2]),
      described(9, "beside", []),
    ]);
    const because = "it needs group crew, which was refused: Must be an organization administrator";
    expect(results).toMatchObject([
      { outcome: "refused" },
      { outcome: "not_sent", failure: { message: because, details: { outcome: "not_sent" } } },
      { outcome: "not_sent", failure: { message: because } },
      { outcome: "done" },
    ]);
    expect(fake.sent).toHaveLength(2);
  });

  test("what only comes after something goes whatever became of that", async () => {
    const fake = new Fake();
    fake.disturb = ({ args }) => (args.description === "first" ? refusal("No") : done());
    const results = await fake.run([
      described(1, "first", []),
      { ...described(2, "later", []), follows: [1] },
      { ...described(3, "never", [1]), follows: [2] },
    ]);
    expect(outcomes(results)).toEqual(["refused", "done", "not_sent"]);
    expect(fake.sent.map(({ args }) => args.description)).toEqual(["first", "later"]);
  });

  test("what depends on something unknown is not sent", async () => {
    const fake = new Fake();
    fake.disturb = () => silence();
    const results = await fake.run([created("crew"), described(crew, "x", [1])]);
    expect(outcomes(results)).toEqual(["unknown", "not_sent"]);
    expect(results[1]).toMatchObject({
      failure: {
        message:
          "it needs group crew, which is not known to be done: no answer from chat.example: timeout; it may or may not have happened",
      },
    });
  });

  test("nothing new is sent once the run has stopped, whatever it waits for", async () => {
    const fake = new Fake();
    fake.disturb = () => ({ outcome: "not_sent", failure: new Unreachable("connection refused") });
    const results = await fake.run([created("crew"), described(crew, "x", [1]), described(9, "y", [1])]);
    expect(results.map((each) => each.outcome !== "done" && each.failure.message)).toEqual([
      "connection refused",
      "connection refused",
      "connection refused",
    ]);
  });

  test("changes that wait for each other are a mistake and no endless run", async () => {
    const fake = fakeGroups();
    await expect(fake.run([described(1, "a", [2]), described(2, "b", [1])])).rejects.toThrow(
      "changes wait for each other",
    );
  });
});

describe("what reading has told", () => {
  test("is not sent, gives its id to others, and a conflict goes on to what depends on it", async () => {
    const fake = fakeGroups();
    const conflict = { outcome: "refused", failure: new Conflict('it is "x", not "y"') } as const;
    const results = await fake.rows([
      { row: 1, changes: [created("crew")], verdicts: [done({ group_id: 5 })] },
      { row: 2, changes: [described(crew, "x", [1])] },
      { row: 3, changes: [described(8, "a", [])], verdicts: [conflict] },
      { row: 4, changes: [described(9, "b", [3])] },
    ]);
    expect(results.map(({ results: [result] }) => result)).toMatchObject([
      { outcome: "done", answer: { group_id: 5 } },
      { outcome: "done" },
      { outcome: "refused" },
      {
        outcome: "not_sent",
        failure: {
          kind: "conflict",
          message: 'it needs group 8, which was changed by somebody else: it is "x", not "y"',
        },
      },
    ]);
    expect(sentBy(fake)).toEqual(['group.update {"user_group_id":5,"description":"x"}']);
  });
});

describe("a journal", () => {
  const header: Header = {
    journal: "zulipctl batch",
    version: 1,
    run: "run",
    site: "https://chat.example",
    account: "ada@chat.example",
    input: "a",
    words: "b",
    rows: 3,
    began: "2026-01-15T12:00:00Z",
  };
  async function run(fake: Fake, changes: readonly Change[], verdicts: Record<number, ReturnType<typeof done>> = {}) {
    const path = "/state/run.jsonl";
    const taken = await Run.open(fake.world, path, fake.world.files.content.has(path));
    const rows = changes.map((each, n) => ({ row: n + 1, changes: [each], verdicts: [verdicts[n + 1]] }));
    const engine = await taken.begin(header, [], new Map(), fake, { concurrency: 1, settle: 60_000 });
    const results = [];
    for await (const finished of engine.run(rows)) results.push(finished.results[0]!);
    await taken.close();
    return results;
  }
  const changes = [created("crew"), described(crew, "x", [1]), described(crew, "y", [2])];

  test("keeps the ids that answers told, for a run that is resumed", async () => {
    const fake = new Fake();
    fake.disturb = ({ operation }) =>
      operation === "group.create"
        ? done({ group_id: 7 })
        : { outcome: "not_sent", failure: new Unreachable("connection refused") };
    expect(outcomes(await run(fake, changes))).toEqual(["done", "not_sent", "not_sent"]);
    fake.sent.length = 0;
    fake.disturb = () => done();
    expect(outcomes(await run(fake, changes))).toEqual(["done", "done", "done"]);
    expect(sentBy(fake)).toEqual([
      'group.update {"user_group_id":7,"description":"x"}',
      'group.update {"user_group_id":7,"description":"y"}',
    ]);
  });

  test("what got no answer stays unknown when it is resumed, unless reading tells that it is done", async () => {
    const fake = new Fake();
    fake.disturb = () => silence();
    expect(outcomes(await run(fake, changes))).toEqual(["unknown", "not_sent", "not_sent"]);
    fake.disturb = () => done();
    expect(outcomes(await run(fake, changes))).toEqual(["unknown", "not_sent", "not_sent"]);
    expect(fake.sent).toHaveLength(1);
    expect(outcomes(await run(fake, changes, { 1: done({ group_id: 6 }) }))).toEqual(["done", "done", "done"]);
    expect(sentBy(fake)[1]).toBe('group.update {"user_group_id":6,"description":"x"}');
  });
});

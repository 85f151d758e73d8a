import { describe, expect, test } from "vitest";
import { createDrafts } from "../../src/api/drafts.ts";
import { change } from "../../src/engine/change.ts";
import { Engine } from "../../src/engine/engine.ts";
import { done, FakeServer, members, noAnswer, outcomes, removal } from "./transport.ts";

const count = (n: number) => Array.from({ length: n }, (_, index) => index);
const adds = ({ args }: { args: Record<string, unknown> }) => (args.add as number[]).length;

describe("order", () => {
  test("reports rows in their order, even if merging sends a later one first", async () => {
    const fake = new FakeServer();
    const adding = (group: number, id: number) => members(group, { add: [id] });
    const changes = [adding(1, 1), adding(2, 1), adding(1, 2), removal(7), adding(2, 2)];
    const results = await fake.rows(changes.map((change, n) => ({ row: n + 1, changes: [change] })));
    expect(results.map(({ row }) => row.row)).toEqual([1, 2, 3, 4, 5]);
    expect(fake.sent.map(({ args }) => args)).toEqual([
      { user_group_id: 1, add: [1, 2] },
      { user_group_id: 2, add: [1, 2] },
      { attachment_id: 7 },
    ]);
  });

  test("sends changes one at a time, in the order of their rows", async () => {
    const fake = new FakeServer();
    await fake.run(count(50).map(removal));
    expect(fake.mostUnderway).toBe(1);
    expect(fake.sent.map(({ args }) => args.attachment_id)).toEqual(count(50));
  });
});

describe("merging", () => {
  test("starts with 100 rows and doubles while answers are quick", async () => {
    const fake = new FakeServer();
    await fake.run(count(1800).map((n) => members(1, { add: [n] })));
    expect(fake.sent.map(adds)).toEqual([100, 200, 400, 500, 500, 100]);
  });

  test("does not grow while an answer takes ten seconds", async () => {
    const fake = new FakeServer();
    fake.respond = async (sent) => {
      if (adds(sent) > 100) await fake.world.clock.sleep(10_000);
      return undefined;
    };
    await fake.run(count(900).map((n) => members(1, { add: [n] })));
    expect(fake.sent.map(adds)).toEqual([100, 200, 200, 200, 200]);
  });

  test("sends additions and removals of one group together", async () => {
    const fake = new FakeServer();
    fake.members(1).add(7);
    await fake.run([members(1, { add: [1] }), members(1, { delete: [7] }), members(1, { add: [2, 3] })]);
    expect(fake.sent).toEqual([
      { operation: "group.members", args: { user_group_id: 1, add: [1, 2, 3], delete: [7] } },
    ]);
  });

  test("sends a hundred drafts together, and gives each row its ids", async () => {
    const fake = new FakeServer();
    fake.respond = ({ args }) =>
      done({ ids: (args.drafts as { content: string }[]).map(({ content }) => Number(content)) });
    const draft = (content: string) => ({ type: "" as const, to: [], topic: "", content });
    const results = await fake.run(
      count(150).map((n) =>
        change(
          createDrafts,
          { drafts: n === 1 ? [draft("1"), draft("1000")] : [draft(String(n))] },
          { target: "drafts", done: "", verifyWith: "" },
        ),
      ),
    );
    expect(fake.sent.map(({ args }) => (args.drafts as unknown[]).length)).toEqual([100, 51]);
    expect(results.slice(0, 3)).toEqual([done({ ids: [0] }), done({ ids: [1, 1000] }), done({ ids: [2] })]);
    expect(results[149]).toEqual(done({ ids: [149] }));
  });
});

describe("splitting", () => {
  test.each([
    [1, 400],
    [16, 400],
  ])("finds %i bad rows among %i in k log n requests, and applies the others", async (k, n) => {
    const fake = new FakeServer((id) => id % Math.floor(n / k) === 7);
    const results = await fake.run(count(n).map((id) => members(1, { add: [id] })));
    expect(results.filter(({ outcome }) => outcome === "refused")).toHaveLength(k);
    expect(fake.members(1).size).toBe(n - k);
    expect(fake.sent.length).toBeLessThanOrEqual(2 * k * Math.ceil(Math.log2(n / k)) + 2 * k + 4);
  });
});

describe("stopping", () => {
  test("stops after twenty requests in a row without an answer", async () => {
    const fake = new FakeServer();
    fake.respond = () => noAnswer();
    const results = await fake.run(count(100).map(removal));
    expect(outcomes(results)).toEqual([...Array(20).fill("unknown"), ...Array(80).fill("not_sent")]);
  });

  test("throws bugs as they are", async () => {
    const fake = new FakeServer();
    fake.respond = () => {
      throw new TypeError("boom");
    };
    await expect(fake.run(count(3).map(removal))).rejects.toThrow("boom");
  });
});

describe("a run whose results are not read to the end", () => {
  test("sends nothing more", async () => {
    const fake = new FakeServer();
    const rows = count(50).map((n) => ({ row: n + 1, changes: [removal(n)] }));
    const { clock, signals } = fake.world;
    for await (const { row } of new Engine(fake, { clock, signals }).run(rows)) if (row.row === 3) break;
    expect(fake.underway).toBe(0);
    expect(fake.sent.length).toBeLessThan(15);
  });
});

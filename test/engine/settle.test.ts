import { describe, expect, test } from "vitest";
import { Interrupted, Unreachable } from "../../src/errors.ts";
import { Fake, members, outcomes, removal, silence } from "./transport.ts";

const rows = [1, 2, 3, 4, 5].map((n) => members(1, { add: [n] }));
const all = (outcome: string) => Array(5).fill(outcome);
const settle = 60_000;

test("a request without an answer is done if one read shows it", async () => {
  const fake = new Fake();
  fake.disturb = (_, serve) => {
    serve();
    return silence();
  };
  expect(outcomes(await fake.run(rows, { settle }))).toEqual(all("done"));
  expect(fake.sent).toHaveLength(1);
  expect(fake.reads).toEqual([
    { operation: "group.members.list", args: { user_group_id: 1, direct_member_only: true } },
  ]);
});

test("a request without an answer is sent again if nothing is applied for a minute", async () => {
  const fake = new Fake();
  const began = fake.world.clock.monotonic();
  fake.disturb = () => (fake.sent.length === 1 ? silence() : undefined);
  expect(outcomes(await fake.run(rows, { settle }))).toEqual(all("done"));
  expect(fake.sent).toHaveLength(2);
  expect(fake.sent[1]).toEqual(fake.sent[0]);
  expect(fake.world.clock.monotonic() - began).toBe(60_000);
});

test("waits for a request that is applied late", async () => {
  const fake = new Fake();
  fake.disturb = () => silence();
  const read = fake.read.bind(fake);
  fake.read = async (operation, args) => {
    if (fake.reads.length === 3) for (const n of [1, 2, 3, 4, 5]) fake.members(1).add(n);
    return read(operation, args);
  };
  expect(outcomes(await fake.run(rows, { settle }))).toEqual(all("done"));
  expect(fake.sent).toHaveLength(1);
});

test("is unknown if somebody else applied a part of it", async () => {
  const fake = new Fake();
  fake.disturb = () => {
    fake.members(1).add(3);
    return silence();
  };
  expect(outcomes(await fake.run(rows, { settle }))).toEqual(all("unknown"));
  expect(fake.sent).toHaveLength(1);
});

test("removals count as applied if nobody is a member any more", async () => {
  const fake = new Fake();
  for (const n of [1, 2]) fake.members(1).add(n);
  fake.disturb = (_, serve) => {
    serve();
    return silence();
  };
  const both = [members(1, { delete: [1] }), members(1, { delete: [2], add: [9] })];
  expect(outcomes(await fake.run(both, { settle }))).toEqual(["done", "done"]);
});

describe("a repetition that is refused", () => {
  test("is done if another read shows that the first request was applied", async () => {
    const fake = new Fake();
    fake.disturb = (_, serve) => {
      if (fake.sent.length === 1) return silence();
      // The first request has come through only now.
      serve();
      return serve();
    };
    expect(outcomes(await fake.run(rows, { settle }))).toEqual(all("done"));
    expect(fake.sent).toHaveLength(2);
  });

  test("is split, and a row is refused only after another read", async () => {
    const fake = new Fake((id) => id === 4);
    fake.disturb = () => (fake.sent.length === 1 ? silence() : undefined);
    expect(outcomes(await fake.run(rows, { settle }))).toEqual(["done", "done", "done", "refused", "done"]);
    expect(fake.members(1)).toEqual(new Set([1, 2, 3, 5]));
  });
});

test("a request without an answer is unknown at once without --settle", async () => {
  const fake = new Fake();
  fake.disturb = () => silence();
  expect(outcomes(await fake.run(rows))).toEqual(all("unknown"));
  expect(fake.reads).toEqual([]);
});

test("changes that no read can settle are unknown", async () => {
  const fake = new Fake();
  fake.disturb = () => silence();
  expect(outcomes(await fake.run([removal(1)], { settle }))).toEqual(["unknown"]);
  expect(fake.reads).toEqual([]);
});

test("is unknown if reads fail for a minute", async () => {
  const fake = new Fake();
  fake.disturb = () => silence();
  fake.read = async () => Promise.reject(new Unreachable("502"));
  const began = fake.world.clock.monotonic();
  expect(outcomes(await fake.run(rows, { settle }))).toEqual(all("unknown"));
  expect(fake.world.clock.monotonic() - began).toBe(60_000);
});

test("is unknown after a signal", async () => {
  const fake = new Fake();
  fake.disturb = () => silence();
  const read = fake.read.bind(fake);
  fake.read = async (operation, args) => {
    if (fake.reads.length === 2) fake.world.interrupt(new Interrupted("SIGINT"));
    return read(operation, args);
  };
  expect(outcomes(await fake.run(rows, { settle }))).toEqual(all("unknown"));
  expect(fake.world.signals.unansweredChanges).toBe(1);
});

test("stops after five requests that were not applied", async () => {
  const fake = new Fake();
  fake.disturb = () => silence();
  const results = await fake.run(rows, { settle });
  expect(outcomes(results)).toEqual(all("not_sent"));
  expect(fake.sent).toHaveLength(5);
});

import { describe, expect, test } from "vitest";
import { Interrupted, Unreachable } from "../../src/errors.ts";
import { FakeServer, members, noAnswer, outcomes, removal } from "./transport.ts";

const ids = [1, 2, 3, 4, 5];
const rows = ids.map((n) => members(1, { add: [n] }));
const allWith = (outcome: string) => Array(5).fill(outcome);
const checkUnanswered = 60_000;

/** `respond` answers the first request, or all. */
function serverWith(respond: FakeServer["respond"], { onlyFirst = false } = {}): FakeServer {
  const server = new FakeServer();
  server.respond = (sent, serve) => (onlyFirst && server.sent.length > 1 ? undefined : respond?.(sent, serve));
  return server;
}

/** Calls `work` before the read with this number. */
function beforeRead(server: FakeServer, number: number, work: () => void): void {
  const read = server.read.bind(server);
  server.read = async (operation, args) => {
    if (server.reads.length === number - 1) work();
    return read(operation, args);
  };
}

const servedWithoutAnswer: FakeServer["respond"] = (_, serve) => {
  serve();
  return noAnswer();
};

describe("a request without an answer", () => {
  test("is done if one read shows it", async () => {
    const server = serverWith(servedWithoutAnswer);
    expect(outcomes(await server.run(rows, { checkUnanswered }))).toEqual(allWith("done"));
    expect(server.sent).toHaveLength(1);
    expect(server.reads).toEqual([
      { operation: "group.members.list", args: { user_group_id: 1, direct_member_only: true } },
    ]);
  });

  test("is sent again if nothing is applied for a minute", async () => {
    const server = serverWith(noAnswer, { onlyFirst: true });
    const began = server.world.clock.monotonic();
    expect(outcomes(await server.run(rows, { checkUnanswered }))).toEqual(allWith("done"));
    expect(server.sent).toHaveLength(2);
    expect(server.sent[1]).toEqual(server.sent[0]);
    expect(server.world.clock.monotonic() - began).toBe(60_000);
  });

  test("is done if it is applied late", async () => {
    const server = serverWith(noAnswer);
    beforeRead(server, 4, () => {
      for (const id of ids) server.members(1).add(id);
    });
    expect(outcomes(await server.run(rows, { checkUnanswered }))).toEqual(allWith("done"));
    expect(server.sent).toHaveLength(1);
  });

  test("counts as applied if the removed people are no members any more", async () => {
    const server = serverWith(servedWithoutAnswer);
    for (const n of [1, 2]) server.members(1).add(n);
    const both = [members(1, { delete: [1] }), members(1, { delete: [2], add: [9] })];
    expect(outcomes(await server.run(both, { checkUnanswered }))).toEqual(["done", "done"]);
  });

  test("is unknown if somebody else applied a part of it", async () => {
    const server = serverWith(() => {
      server.members(1).add(3);
      return noAnswer();
    });
    expect(outcomes(await server.run(rows, { checkUnanswered }))).toEqual(allWith("unknown"));
    expect(server.sent).toHaveLength(1);
  });

  test.each([
    ["without --settle", rows, {}],
    ["if no read can find out", [removal(1)], { checkUnanswered }],
  ])("is unknown at once %s", async (_, changes, options) => {
    const server = serverWith(noAnswer);
    expect(outcomes(await server.run(changes, options))).toEqual(changes.map(() => "unknown"));
    expect(server.reads).toEqual([]);
  });

  test("is unknown if reads fail for a minute", async () => {
    const server = serverWith(noAnswer);
    server.read = async () => Promise.reject(new Unreachable("502"));
    const began = server.world.clock.monotonic();
    expect(outcomes(await server.run(rows, { checkUnanswered }))).toEqual(allWith("unknown"));
    expect(server.world.clock.monotonic() - began).toBe(60_000);
  });

  test("is unknown after a signal", async () => {
    const server = serverWith(noAnswer);
    beforeRead(server, 3, () => server.world.interrupt(new Interrupted("SIGINT")));
    expect(outcomes(await server.run(rows, { checkUnanswered }))).toEqual(allWith("unknown"));
    expect(server.world.signals.unansweredChanges).toBe(1);
  });

  test("is not counted as unanswered after a bug in a read", async () => {
    const server = serverWith(noAnswer);
    server.read = async () => Promise.reject(new TypeError("a bug"));
    await expect(server.run(rows, { checkUnanswered })).rejects.toThrow("a bug");
    expect(server.world.signals.unansweredChanges).toBe(0);
  });

  test("stops the run if it was not applied five times", async () => {
    const server = serverWith(noAnswer);
    expect(outcomes(await server.run(rows, { checkUnanswered }))).toEqual(allWith("not_sent"));
    expect(server.sent).toHaveLength(5);
  });
});

describe("a repetition that is refused", () => {
  test("is done if another read shows that the first request was applied", async () => {
    const server = new FakeServer();
    server.respond = (_, serve) => {
      if (server.sent.length === 1) return noAnswer();
      // The first request arrives only now.
      serve();
      return serve();
    };
    expect(outcomes(await server.run(rows, { checkUnanswered }))).toEqual(allWith("done"));
    expect(server.sent).toHaveLength(2);
  });

  test("is split, and a row is refused only after another read", async () => {
    const server = new FakeServer((id) => id === 4);
    server.respond = () => (server.sent.length === 1 ? noAnswer() : undefined);
    expect(outcomes(await server.run(rows, { checkUnanswered }))).toEqual(["done", "done", "done", "refused", "done"]);
    expect(server.members(1)).toEqual(new Set([1, 2, 3, 5]));
  });
});

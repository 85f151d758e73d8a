import { describe, expect, test } from "vitest";
import { getUsers } from "../../src/api/users.ts";
import type { ServerOptions } from "../../src/client/sending-types.ts";
import { Failure, Interrupted } from "../../src/errors.ts";
import { type HttpResponse, NoAnswer } from "../../src/world/world.ts";
import { answer } from "../world.ts";
import { refusal, scripted, success } from "./scripted.ts";

const user = (user_id: number) => ({ user_id, email: `u${user_id}@x`, full_name: "Ada", is_bot: false, role: 400 });
const connectionLost = new NoAnswer("the connection was closed", "cut", true);

/** An answer in chunks. An error among them ends it. */
function chunked(parts: (string | Error)[], onEnd?: () => void): HttpResponse {
  async function* body() {
    try {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield Buffer.from(part);
      }
    } finally {
      onEnd?.();
    }
  }
  return { status: 200, headers: {}, body: body() };
}

function listing(answers: (HttpResponse | NoAnswer)[], options: Partial<ServerOptions> = {}) {
  const { server, world } = scripted(answers, { level: 442, ...options });
  const list = async (whole = false, acceptsUnparsed = false) => {
    const ids: number[] = [];
    try {
      for await (const batch of server.list(getUsers, {}, "members", { whole }).batches(acceptsUnparsed))
        for (const { user_id } of batch) ids.push(user_id);
      return { ids };
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      const { exitCode, message } = failure;
      return { ids, exitCode, message };
    }
  };
  return { world, server, list };
}

const brokenChunks = [
  `{"result":"success","msg":"","members":[${JSON.stringify(user(1))},`,
  JSON.stringify(user(2)),
  connectionLost,
];
const usersAnswer = (count: number) =>
  answer(200, { ...success, members: Array.from({ length: count }, (_, n) => user(n + 1)) });

describe("a list", () => {
  test("yields records as they arrive", async () => {
    const begun = `{"result":"success","members":[${JSON.stringify(user(1))},{`;
    const { server } = listing([chunked([begun, new Error("not to be read")])]);
    const batches = server.list(getUsers, {}, "members").batches(true)[Symbol.asyncIterator]();
    const { done, value } = await batches.next();
    expect({ done, records: [...value] }).toEqual({ done: false, records: [user(1)] });
  });

  test("closes the answer if the caller stops early", async () => {
    let ended = false;
    const { server } = listing([
      chunked([brokenChunks[0]!, brokenChunks[1]!, "{}"], () => {
        ended = true;
      }),
    ]);
    for await (const _ of server.list(getUsers, {}, "members")) break;
    expect(ended).toBe(true);
  });

  test("scans records, and parses them if somebody reads them", async () => {
    const { server } = listing([usersAnswer(4)]);
    const got: unknown[] = [];
    for await (const batch of server.list(getUsers, {}, "members").batches(true))
      got.push([batch.unparsed !== undefined, ...[...batch].map(({ user_id }) => user_id)]);
    expect(got).toEqual([[false, 1], [true, 2, 3], [false, 4], [false]]);
  });

  test.each([
    ["a complete list", 3, true, [[user(1), user(2), user(3)]]],
    ["an empty list", 0, true, [[]]],
    ["no list that is printed as it arrives", 2, false, []],
    ["no list of many thousands", 12_000, true, []],
  ])("gives completion %s", async (_, count, whole, expected) => {
    const read: unknown[] = [];
    const { list } = listing([usersAnswer(count)], { onRead: (_, { members }) => read.push(members) });
    await list(whole);
    expect(read).toEqual(expected);
  });
});

describe.each([
  ["parsed", false],
  ["unparsed", true],
])("an answer with %s records", (_, acceptsUnparsed) => {
  test("is requested again if it breaks off before the first record", async () => {
    const { list, world } = listing([
      chunked(['{"result":"success","members":[{"user_', connectionLost]),
      usersAnswer(3),
    ]);
    expect(await list(false, acceptsUnparsed)).toEqual({ ids: [1, 2, 3] });
    expect(world.slept).toEqual([500]);
  });

  test("ends the list if it breaks off later", async () => {
    const { list, world } = listing([chunked(brokenChunks), usersAnswer(3)]);
    const message = expect.stringContaining("the connection was closed");
    expect(await list(false, acceptsUnparsed)).toEqual({ ids: [1], exitCode: 4, message });
    expect(world.slept).toEqual([]);
  });

  test("is requested again wherever it breaks off, if the complete list is needed", async () => {
    expect(await listing([chunked(brokenChunks), usersAnswer(3)]).list(true, acceptsUnparsed)).toEqual({
      ids: [1, 2, 3],
    });
  });

  test("reports a refusal, and waits for a rate limit", async () => {
    const refused = answer(400, refusal("Not yours", "UNAUTHORIZED_PRINCIPAL"));
    expect(await listing([refused]).list(false, acceptsUnparsed)).toEqual({
      ids: [],
      exitCode: 1,
      message: "Not yours",
    });
    const slow = answer(429, refusal("Slow down", "RATE_LIMIT_HIT", { "retry-after": 2 }));
    const { list, world } = listing([slow, answer(502, "<html>"), usersAnswer(3)]);
    expect(await list(false, acceptsUnparsed)).toEqual({ ids: [1, 2, 3] });
    expect(world.slept).toEqual([2150, 1000]);
  });

  test.each([
    ["<title>Log in</title>", 'chat.example answered 200 with "Log in"'],
    [{ result: "error", msg: "Oh", members: [user(1)] }, "Oh"],
    [success, "another shape (members: is missing)"],
    [{ ...success, members: { 1: user(1) } }, "another shape (members: must be a list)"],
    [{ result: "partly", members: [user(1)] }, "JSON that is not this API's"],
  ])("is evaluated as a whole: %j", async (body, message) => {
    expect((await listing([answer(200, body)]).list(false, acceptsUnparsed)).message).toContain(message);
  });

  test("yields the records before the first of another shape", async () => {
    const members = [user(1), user(2), { ...user(3), user_id: "3" }, user(4)];
    expect(await listing([answer(200, { ...success, members })]).list(false, acceptsUnparsed)).toEqual({
      ids: [1, 2],
      exitCode: 4,
      message: "chat.example answered 200 with an answer of another shape (members[2].user_id: must be a whole number)",
    });
  });
});

test("an interrupt ends a list", async () => {
  const { server, world } = listing([
    chunked([brokenChunks[0]!, brokenChunks[1]!, new NoAnswer("stopped", "stopped", true)]),
  ]);
  const ids: number[] = [];
  const read = async () => {
    for await (const { user_id } of server.list(getUsers, {}, "members")) {
      ids.push(user_id);
      world.interrupt(new Interrupted("SIGTERM"));
    }
  };
  await expect(read()).rejects.toMatchObject({ exitCode: 143, kind: "cancelled" });
  expect(ids).toEqual([1]);
});

import { describe, expect, test } from "vitest";
import { getUsers } from "../../src/api/users.ts";
import { RetryBudget } from "../../src/client/retry.ts";
import type { ServerOptions } from "../../src/client/sending.ts";
import { Server } from "../../src/client/server.ts";
import { type Failure, Interrupted } from "../../src/errors.ts";
import { type HttpResponse, NoAnswer, Secret } from "../../src/world.ts";
import { answer, testWorld } from "../world.ts";

const user = (user_id: number) => ({ user_id, email: `u${user_id}@x`, full_name: "Ada", is_bot: false, role: 400 });
const ok = { result: "success", msg: "" };
const cut = new NoAnswer("the connection was closed", "cut", true);

/** An answer that comes in pieces; an error among them ends it. */
function pieces(parts: (string | Error)[], ended?: () => void): HttpResponse {
  async function* body() {
    try {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield Buffer.from(part);
      }
    } finally {
      ended?.();
    }
  }
  return { status: 200, headers: {}, body: body() };
}

function asking(answers: (HttpResponse | NoAnswer)[], manner: Partial<ServerOptions> = {}) {
  const world = testWorld({
    http: async () => {
      const next = answers.shift();
      if (!next || next instanceof NoAnswer) throw next ?? new Error("no answer left");
      return next;
    },
  });
  const account = { site: "https://chat.example", email: "a@b", tls: {}, key: async () => new Secret("k") };
  const retryBudget = new RetryBudget(120_000);
  const made = { timeout: 30_000, retryBudget, allowIgnored: false, grace: 2000, level: 442, ...manner };
  const server = new Server(world, account, made);
  const list = async (whole = false, skim = false) => {
    const ids: number[] = [];
    try {
      for await (const batch of server.list(getUsers, {}, "members", { whole }).batches(skim))
        for (const { user_id } of batch) ids.push(user_id);
      return { ids };
    } catch (failure) {
      if (!(failure instanceof Error) || !("exitCode" in failure)) throw failure;
      const { exitCode, message } = failure as Failure;
      return { ids, exitCode, message };
    }
  };
  return { world, server, list };
}

const half = [`{"result":"success","msg":"","members":[${JSON.stringify(user(1))},`, JSON.stringify(user(2)), cut];
const all = () => answer(200, { ...ok, members: [user(1), user(2), user(3)] });

describe("records of a list", () => {
  test("come as they arrive", async () => {
    const { server } = asking([
      pieces([`{"result":"success","members":[${JSON.stringify(user(1))},{`, new Error("not to be read")]),
    ]);
    const batches = server.list(getUsers, {}, "members").batches(true)[Symbol.asyncIterator]();
    const { done, value } = await batches.next();
    expect({ done, records: [...value] }).toEqual({ done: false, records: [user(1)] });
  });

  test("end the connection's answer where nobody wants the rest", async () => {
    let ended = false;
    const { server } = asking([
      pieces([half[0]!, half[1]!, JSON.stringify({})], () => {
        ended = true;
      }),
    ]);
    for await (const _ of server.list(getUsers, {}, "members")) break;
    expect(ended).toBe(true);
  });
});

test("records that need not have been read are skimmed, and there where they are wanted after all", async () => {
  const { server } = asking([answer(200, { ...ok, members: [user(1), user(2), user(3), user(4)] })]);
  const got: unknown[] = [];
  for await (const batch of server.list(getUsers, {}, "members").batches(true))
    got.push([batch.skimmed !== undefined, ...[...batch].map(({ user_id }) => user_id)]);
  expect(got).toEqual([[false, 1], [true, 2, 3], [false, 4], [false]]);
});

describe("what is kept for completion", () => {
  const kept = async (members: unknown[], whole: boolean) => {
    const read: unknown[] = [];
    const { list } = asking([answer(200, { ...ok, members })], { onRead: (_, { members }) => read.push(members) });
    await list(whole);
    return read;
  };

  test("is told all records of a list that is wanted whole", async () => {
    expect(await kept([user(1), user(2), user(3)], true)).toEqual([[user(1), user(2), user(3)]]);
    expect(await kept([], true)).toEqual([[]]);
  });

  test("is told nothing of one that is printed as it arrives, nor of one of many thousands", async () => {
    expect(await kept([user(1), user(2)], false)).toEqual([]);
    expect(
      await kept(
        Array.from({ length: 12_000 }, (_, at) => user(at)),
        true,
      ),
    ).toEqual([]);
  });
});

const ways: [string, boolean][] = [
  ["read", false],
  ["skimmed", true],
];

describe.each(ways)("an answer of which records are %s and that breaks off", (_, skim) => {
  test("before the first record is asked for again", async () => {
    const { list, world } = asking([pieces(['{"result":"success","members":[{"user_', cut]), all()]);
    expect(await list(false, skim)).toEqual({ ids: [1, 2, 3] });
    expect(world.slept).toEqual([500]);
  });

  test("after it ends the list", async () => {
    const { list, world } = asking([pieces(half), all()]);
    expect(await list(false, skim)).toEqual({
      ids: [1],
      exitCode: 4,
      message: expect.stringContaining("the connection was closed"),
    });
    expect(world.slept).toEqual([]);
  });

  test("is asked for again wherever it breaks, where the whole is wanted", async () => {
    expect(await asking([pieces(half), all()]).list(true, skim)).toEqual({ ids: [1, 2, 3] });
  });
});

describe.each(ways)("an answer of which records are %s and that is not what was asked for", (_, skim) => {
  test("tells what the server says, and waits where it says to", async () => {
    const no = { result: "error", msg: "Not yours", code: "UNAUTHORIZED_PRINCIPAL" };
    expect(await asking([answer(400, no)]).list(false, skim)).toEqual({ ids: [], exitCode: 1, message: "Not yours" });
    const slow = { result: "error", msg: "Slow down", code: "RATE_LIMIT_HIT", "retry-after": 2 };
    const { list, world } = asking([answer(429, slow), answer(502, "<html>"), all()]);
    expect(await list(false, skim)).toEqual({ ids: [1, 2, 3] });
    expect(world.slept).toEqual([2150, 1000]);
  });

  test("with status 200 is judged as a whole", async () => {
    const message = async (body: unknown) => (await asking([answer(200, body)]).list(false, skim)).message;
    expect(await message("<title>Log in</title>")).toBe('chat.example answered 200 with "Log in"');
    expect(await message({ result: "error", msg: "Oh", members: [user(1)] })).toContain("Oh");
    expect(await message({ ...ok })).toContain("another shape (members: is missing)");
    expect(await message({ ...ok, members: { 1: user(1) } })).toContain("another shape (members: must be a list)");
    expect(await message({ result: "partly", members: [user(1)] })).toContain("JSON that is not this API's");
  });

  test("gives the records before the first of another shape", async () => {
    const members = [user(1), user(2), { ...user(3), user_id: "3" }, user(4)];
    expect(await asking([answer(200, { ...ok, members })]).list(false, skim)).toEqual({
      ids: [1, 2],
      exitCode: 4,
      message: "chat.example answered 200 with an answer of another shape (members[2].user_id: must be a whole number)",
    });
  });
});

test("an interruption ends a list that is being read", async () => {
  const { server, world } = asking([pieces([half[0]!, half[1]!, new NoAnswer("stopped", "stopped", true)])]);
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

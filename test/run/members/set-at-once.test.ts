import { describe, expect, test } from "vitest";
import { main } from "../../../src/main.ts";
import type { Http } from "../../../src/world/world.ts";
import { inEveryOrder } from "../../interleavings.ts";
import { credentials, fresh, zulipctl } from "../../run.ts";
import { testWorld } from "../../world.ts";

type Sandbox = ReturnType<typeof fresh>;

/** Reads and changes of lists. Everything else does not depend on the other run. */
const concernsList = ({ method, url }: { method: string; url: string }): boolean =>
  /\/streams\/\d+\/members$/.test(url) || (url.includes("/users/me/subscriptions") && method !== "GET");

interface Scene {
  /** Who is in the channel. */
  readonly members: readonly string[];
  /** By run, the account and whom it sets. */
  readonly runs: readonly (readonly [account: string, people: string])[];
}

const addresses = (names: string) => names.split(" ").map((name) => `${name}@sandbox.example`);

async function sandboxWith(members: readonly string[], more: readonly string[] = []): Promise<Sandbox> {
  const sandbox = fresh();
  const people = addresses(members.join(" ")).join(",");
  const words = ["channel", "create", "board", "--private", "--subscribe", people, ...more, "--yes"];
  const { code, err } = await zulipctl(words, { sandbox });
  if (code) throw new Error(err);
  return sandbox;
}

function subscribersOf({ state, info }: Sandbox): string {
  const channel = [...state.channels.values()].find(({ name }) => name === "board");
  const names = new Map(info().users.map(({ user_id, email }) => [user_id, email.split("@")[0]]));
  return [...(channel?.subscribers ?? [])]
    .map((id) => names.get(id))
    .sort()
    .join(" ");
}

const set = (people: string, ...more: string[]) => [
  ...["channel", "subscribers", "board", "--set", addresses(people).join(",")],
  ...more,
  "--yes",
];

/** Runs a scene in every order of requests, on machines with a state directory each. Both have read the list before. */
async function endingsOf({ members, runs }: Scene) {
  const endings: { codes: number[]; left: string }[] = [];
  const { state } = await sandboxWith(members);
  // Of each run: a look, a removal, a look, a removal.
  const ordered = { runs: runs.length, matches: concernsList, from: 1, to: 5 };
  const orders = await inEveryOrder(ordered, async (start) => {
    const sandbox = fresh({ state: structuredClone(state) });
    const codes: number[] = [];
    for (const [n, [account, people]] of runs.entries())
      start(n, async (scheduled) => {
        const env = credentials(sandbox, `${account}@sandbox.example`);
        codes[n] = (await zulipctl(set(people), { sandbox, env, http: scheduled(sandbox.handle) })).code;
      });
    return () => void endings.push({ codes, left: subscribersOf(sandbox) });
  });
  return { orders, endings };
}

describe("two runs set a private channel at once, and somebody is left in every order of their requests", () => {
  test.each<[string, Scene]>([
    [
      "as people who are not in it",
      {
        members: ["adam", "mona", "cora", "otis"],
        runs: [
          ["iris", "adam mona"],
          ["iris", "cora otis"],
        ],
      },
    ],
    [
      "as somebody whom one of them takes out",
      {
        members: ["iris", "adam", "mona", "cora"],
        runs: [
          ["iris", "mona cora"],
          ["iris", "iris adam"],
        ],
      },
    ],
    [
      "as two people who take each other out",
      {
        members: ["iris", "adam", "mona", "cora"],
        runs: [
          ["iris", "iris mona"],
          ["adam", "adam cora"],
        ],
      },
    ],
  ])("%s", async (_, scene) => {
    const { orders, endings } = await endingsOf(scene);
    expect(orders).toBeGreaterThan(50);
    expect(endings.filter(({ left }) => !left)).toEqual([]);
  });
});

/** Lets another run change the board before the nth of the requests about it. */
function meanwhile(sandbox: Sandbox, nth: number, change: (subscribers: Set<number>) => void): Http {
  let seen = 0;
  return async (request) => {
    const channel = [...sandbox.state.channels.values()].find(({ name }) => name === "board");
    if (concernsList(request) && seen++ === nth && channel) change(channel.subscribers);
    return sandbox.handle(request);
  };
}

describe("another run changes a private channel", () => {
  const [iris, mona, cora] = [8, 10, 11];

  test("which was set to one person, and takes that one out: says that nobody could be added again", async () => {
    const sandbox = await sandboxWith(["iris", "mona"]);
    const http = meanwhile(sandbox, 3, (all) => all.clear());
    const { code, err } = await zulipctl(set("iris"), { sandbox, http });
    expect([code, err]).toEqual([
      5,
      'zulipctl: channel "board" is not as --set says: 1 subscriber missing (Iris Owner); they could not be added again: Unable to access channel (board).\nSomebody else changed the list meanwhile. Run the command again.\n',
    ]);
  });

  test("before anything is sent: nothing is sent", async () => {
    const sandbox = await sandboxWith(["iris", "mona", "cora"]);
    const http = meanwhile(sandbox, 1, (all) => all.delete(mona));
    const { code, err, sent } = await zulipctl(set("iris mona"), { sandbox, http });
    expect([code, err]).toEqual([
      6,
      "zulipctl: nobody was taken out: 1 subscriber who shall stay left channel 8 after zulipctl had read the list\nSomebody else changes the list, too. Run the command again.\n",
    ]);
    expect(sent.every(({ method }) => method === "GET")).toBe(true);
    expect(subscribersOf(sandbox)).toBe("cora iris");
  });

  test("after the removal: who was taken out is added again", async () => {
    const sandbox = await sandboxWith(["iris", "mona", "cora"]);
    const http = meanwhile(sandbox, 3, (all) => all.delete(mona));
    const { code, err } = await zulipctl(set("iris mona"), { sandbox, http });
    expect([code, subscribersOf(sandbox)]).toEqual([0, "iris mona"]);
    expect(err).toBe('zulipctl: Added 1 subscriber who had been taken out meanwhile to channel "board" again.\n');
  });

  test("after the removal, and this account cannot add anybody: says so", async () => {
    const sandbox = await sandboxWith(["iris", "mona", "cora"]);
    const http = meanwhile(sandbox, 3, (all) => {
      all.delete(mona);
      all.delete(iris);
    });
    const { code, err } = await zulipctl(set("iris mona"), { sandbox, http });
    expect([code, err]).toEqual([
      5,
      'zulipctl: channel "board" is not as --set says: 2 subscribers missing (Iris Owner, Mona Moderator); they could not be added again: Unable to access channel (board).\nSomebody else changed the list meanwhile. Run the command again.\n',
    ]);
  });

  test("in a batch, a row that sets it is checked and mended after the run", async () => {
    const sandbox = await sandboxWith(["iris", "mona", "cora"]);
    const files = new Map([["rows.txt", `${set("iris mona").slice(0, -1).join(" ")}\n`]]);
    const http = meanwhile(sandbox, 3, (all) => {
      all.delete(mona);
      all.add(cora);
    });
    const { code, err } = await zulipctl(["batch", "rows.txt", "--format", "lines", "--yes"], { sandbox, http, files });
    expect([code, subscribersOf(sandbox)]).toEqual([5, "cora iris mona"]);
    expect(err).toContain("Added 1 subscriber who had been taken out meanwhile");
    expect(err).toContain('channel "board" is not as --set says: 1 too many (Cora Member)');
  });
});

test("lists of groups are read again: who is missing or too many is named", async () => {
  const sandbox = fresh();
  const writers = [...sandbox.state.groups.values()].find(({ name }) => name === "writers")!;
  const http: Http = async (request) => {
    const response = await sandbox.handle(request);
    if (request.method === "POST") writers.members.add(10);
    if (request.method === "POST") writers.subgroups.delete(17);
    return response;
  };
  const words = ["group", "members", "writers", "--set", "12", "--set-subgroups", "17", "--yes"];
  const { code, err } = await zulipctl(words, { sandbox, http });
  expect([code, err]).toEqual([
    5,
    'zulipctl: group "writers" is not as --set says: 1 too many (Mona Moderator); group "writers" is not as --set-subgroups says: 1 subgroup missing (designers)\nSomebody else changed the list meanwhile. Run the command again.\n',
  ]);
});

test("a list that cannot be locked is not set", async () => {
  const sandbox = await sandboxWith(["iris"]);
  const before = subscribersOf(sandbox);
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox) });
  world.files.lock = async () => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  expect(await main(set("adam"), world)).toBe(2);
  expect(world.stderr.text).toMatch(/^zulipctl: cannot lock \S+: ENOSPC: no space left on device, write\n/);
  expect(subscribersOf(sandbox)).toBe(before);
});

/** A hundred organizations, many of which fail in different ways. */
import { expect, test } from "vitest";
import { type Http, NoAnswer } from "../../src/world/world.ts";
import { each, fleet, newFolders } from "../fleet.ts";
import { answer } from "../world.ts";

type Handle = Http;

/** Kinds of organizations: the exit code, and whether the change is made. */
const behaviors: Record<string, { code: number; isChanged: boolean; wrap: (handle: Handle) => Handle }> = {
  healthy: { code: 0, isChanged: true, wrap: (handle) => handle },
  down: {
    code: 4,
    isChanged: false,
    wrap: () => async () => Promise.reject(new NoAnswer("connection refused", "refused", false)),
  },
  silent: {
    ...{ code: 7, isChanged: true },
    wrap: (handle) => async (request) => {
      if (request.method === "GET") return handle(request);
      await handle(request);
      throw new NoAnswer("no answer in time", "timeout", true);
    },
  },
  refusing: {
    ...{ code: 1, isChanged: false },
    wrap: (handle) => async (request) =>
      request.method === "GET" ? handle(request) : answer(400, { result: "error", msg: "No", code: "BAD_REQUEST" }),
  },
  locked: {
    ...{ code: 3, isChanged: false },
    wrap: (handle) => async (request) =>
      request.method === "GET"
        ? handle(request)
        : answer(401, { result: "error", msg: "Invalid API key", code: "INVALID_API_KEY" }),
  },
  rubbish: { code: 4, isChanged: false, wrap: () => async () => answer(200, "<html>It works!</html>") },
  garbled: {
    ...{ code: 7, isChanged: true },
    wrap: (handle) => async (request) => {
      const response = await handle(request);
      return request.method === "GET" ? response : answer(200, "{");
    },
  },
  busy: {
    ...{ code: 0, isChanged: true },
    wrap: (handle) => {
      let times = 0;
      return async (request) =>
        request.method !== "GET" && times++ < 2
          ? answer(429, { result: "error", msg: "Slow down", code: "RATE_LIMIT_HIT", "retry-after": 2 })
          : handle(request);
    },
  },
};

/** Returns the same random numbers for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

test.each([1, 2, 3, 4])(
  "makes the change in each organization that works, and reports each failure (seed %i)",
  async (seed) => {
    const next = randomNumbers(seed);
    const kinds = Object.keys(behaviors);
    const names = Array.from({ length: 100 }, (_, n) => `org${n}`);
    const kindOf = new Map(names.map((name) => [name, next(3) ? "healthy" : kinds[next(kinds.length)]!]));
    const some = fleet(names);
    const log: { name: string; method: string }[] = [];
    const busy = new Map<string, number>();
    let maxBusy = 0;
    const handles = new Map(
      names.map((name) => [name, behaviors[kindOf.get(name)!]!.wrap(some.sandboxes.get(name)!.handle)]),
    );
    const http: Http = async (request) => {
      const name = new URL(request.url).hostname.replace(".example", "");
      log.push({ name, method: request.method });
      busy.set(name, (busy.get(name) ?? 0) + 1);
      maxBusy = Math.max(maxBusy, busy.size);
      try {
        // Other requests interleave.
        for (let turns = next(4); turns >= 0; turns--) await new Promise(setImmediate);
        return await handles.get(name)!(request);
      } finally {
        const remaining = busy.get(name)! - 1;
        if (remaining) busy.set(name, remaining);
        else busy.delete(name);
      }
    };

    const argv = ["--yes", "--json", "--", "folder", "create", "Work"];
    const { code, out, err } = await each({ ...some, setup: { ...some.setup, http } }, argv);

    const expected = (name: string) => behaviors[kindOf.get(name)!]!;
    const folders = newFolders(some);
    expect(names.filter((name) => (folders[name]!.length === 1) !== expected(name).isChanged)).toEqual([]);
    const { error } = JSON.parse(err.trim().split("\n").at(-1)!);
    const exitCodes = new Map<string, number>(
      error.organizations.map((one: { profile: string; exit_code: number }) => [one.profile, one.exit_code]),
    );
    expect(names.filter((name) => (exitCodes.get(name) ?? 0) !== expected(name).code)).toEqual([]);
    const records: { profile: string; outcome: string }[] = JSON.parse(out);
    expect(records.map(({ profile }) => profile)).toEqual(names);
    const outcomes: Record<number, string> = { 0: "done", 1: "refused", 3: "refused", 4: "not_sent", 7: "unknown" };
    expect(records.filter(({ profile, outcome }) => outcome !== outcomes[expected(profile).code])).toEqual([]);
    const codes = new Set(exitCodes.values());
    expect(code).toBe([7, 3, 4, 1].find((one) => codes.has(one)));
    // Every organization is examined before anything is sent, and no more than eight are at work at once.
    // After a refusal, zulipctl reads whether the folder exists already.
    const first = log.findIndex(({ method }) => method === "POST");
    const later = log.slice(first).filter(({ method }) => method === "GET");
    const refused = names.filter((name) => kindOf.get(name) === "refusing");
    expect(later.map(({ name }) => name).sort()).toEqual(refused.sort());
    expect(maxBusy).toBeGreaterThan(1);
    expect(maxBusy).toBeLessThanOrEqual(8);
  },
);

import { describe, expect, test } from "vitest";
import { injectFaults } from "../../src/sandbox/fault-injection.ts";
import { parseFault } from "../../src/sandbox/faults.ts";
import { NoAnswer } from "../../src/world/world.ts";
import { type RequestOptions, sandboxOf, sendRequest } from "./client.ts";

test("parses the kind and the settings of a fault", () => {
  expect(parseFault("drop-after:op=group.members,p=0.1,seed=7")).toMatchObject({
    kind: "drop-after",
    p: 0.1,
    seed: 7,
    applied: false,
  });
  expect(parseFault("drip:ms=5,bytes=10")).toMatchObject({ kind: "drip", ms: 5, bytes: 10, p: 1 });
  expect(parseFault("429:after=none").after).toBeUndefined();
  expect(parseFault("ignore:param=topics_policy+folder_id").params).toEqual(["topics_policy", "folder_id"]);
  expect(parseFault("redirect:to=https://a.example:1/?x=1").to).toBe("https://a.example:1/?x=1");
});

test("selects operations by name, or all reads, or all changes", () => {
  const selected = (spec: string) => {
    const { appliesTo } = parseFault(spec);
    return ["folder.create", "folder.list", "fetch-key", undefined].map(appliesTo);
  };
  expect(selected("500")).toEqual([true, true, true, true]);
  expect(selected("500:op=changes")).toEqual([true, false, true, false]);
  expect(selected("500:op=reads")).toEqual([false, true, false, false]);
  expect(selected("500:op=folder.create+fetch-key")).toEqual([true, false, true, false]);
});

test("lists the known operations for an unknown one", () => {
  const hint = expect.stringMatching(/^Available: reads, changes, apns/);
  expect(() => parseFault("500:op=folder")).toThrow(expect.objectContaining({ details: { hint } }));
});

describe("a fault", () => {
  const slept: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    slept.push(ms);
  };

  function faulty(...specs: string[]) {
    slept.length = 0;
    const sandbox = sandboxOf({ disturb: injectFaults(specs.map(parseFault), sleep) });
    const before = sandbox.state.folders.size;
    let count = 0;
    const ask = async (options: Partial<RequestOptions> = {}) => {
      const form = { name: `Folder ${++count}`, description: "" };
      const request = sendRequest(sandbox, "POST", "/channel_folders/create", { as: "iris", form, ...options });
      const answer = await request.catch((error) => {
        if (error instanceof NoAnswer) return `${error.why} ${error.maybeSent}`;
        throw error;
      });
      if (typeof answer === "string") return answer;
      const { status, body } = answer;
      return `${status} ${typeof body === "string" ? body.split(/[\r\n]/)[0] : JSON.stringify(body)}`;
    };
    return { ask, applied: () => sandbox.state.folders.size - before };
  }

  const done = '200 {"result":"success","msg":"","channel_folder_id":';

  test.each([
    ["latency:ms=700", new RegExp(`^${done}`), 1],
    ["latency:ms=6000", /^timeout true$/, 1],
    [
      "429:after=0.5",
      /^429 {"result":"error","msg":"API usage exceeded rate limit","retry-after":0.5,"code":"RATE_LIMIT_HIT"}$/,
      0,
    ],
    ["429:after=none", /^429 <html>$/, 0],
    ["500", /^500 {"result":"error","msg":"Internal server error"}$/, 0],
    ["500:applied=yes", /^500 {"result":"error","msg":"Internal server error"}$/, 1],
    ["502", /^502 <html>$/, 0],
    ["503", /^503 <html>$/, 0],
    ["504:applied=yes", /^504 <html>$/, 1],
    ["drop-before", /^reset true$/, 0],
    ["drop-after", /^reset true$/, 1],
    ["cut", /^cut true$/, 1],
    ["drip:bytes=10,ms=5", new RegExp(`^${done}`), 1],
    ["drip:ms=500", /^timeout true$/, 1],
    ["ignore:param=description", /^400 .*"code":"REQUEST_VARIABLE_MISSING"/, 0],
    ["ignore:param=stray", new RegExp(`^${done}`), 1],
    ["page", /^200 <!DOCTYPE html>$/, 0],
    ["empty", /^200 $/, 0],
    ["redirect", /^302 $/, 0],
    ["hang", /^timeout true$/, 0],
    ["hang:applied=yes", /^timeout true$/, 1],
  ])("%s has its effect", async (spec, answer, times) => {
    const { ask, applied } = faulty(spec);
    expect([await ask(), applied()]).toEqual([expect.stringMatching(answer), times]);
  });

  test("does not apply to other operations", async () => {
    const { ask, applied } = faulty("500:op=group.members");
    expect([await ask(), applied()]).toEqual([expect.stringContaining(done), 1]);
  });

  test.each([
    ["500:nth=2", ["200", "500", "200"]],
    ["502:times=2", ["502", "502", "200"]],
  ])("%s applies to some of three requests", async (spec, statuses) => {
    const { ask } = faulty(spec);
    const answers = [await ask(), await ask(), await ask()];
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(statuses);
  });

  test("selects the same requests for the same seed, by its probability", async () => {
    const pattern = async (spec: string) => {
      const { ask } = faulty(spec);
      let results = "";
      for (let n = 0; n < 150; n++) results += (await ask()).startsWith("500") ? "x" : ".";
      return results;
    };
    const first = await pattern("500:p=0.2,seed=7");
    expect(await pattern("500:p=0.2,seed=7")).toBe(first);
    expect(await pattern("500:p=0.2,seed=8")).not.toBe(first);
    expect(first.replaceAll(".", "").length).toBe(32);
    expect(await pattern("500:p=0")).toBe(".".repeat(150));
  });

  test("combines with others, the first nearest to the caller", async () => {
    const late = faulty("latency:ms=100", "502:applied=yes");
    expect([await late.ask(), late.applied(), slept]).toEqual(["502 <html>", 1, [100]]);
    const cut = faulty("cut:at=4,nth=1", "429");
    expect([await cut.ask(), cut.applied(), (await cut.ask()).slice(0, 3)]).toEqual(["cut true", 0, "429"]);
  });

  test("does not wait for a caller that gives up", async () => {
    const { ask, applied } = faulty("hang:applied=yes");
    expect([await ask({ signal: AbortSignal.abort() }), applied(), slept]).toEqual(["stopped true", 1, []]);
  });
});

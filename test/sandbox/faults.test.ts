import { describe, expect, test } from "vitest";
import { createFolder } from "../../src/api/folders.ts";
import type { Failure } from "../../src/errors.ts";
import { injectFaults } from "../../src/sandbox/disturb.ts";
import { parseFault } from "../../src/sandbox/faults.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { call } from "../../src/wire/call.ts";
import { encode } from "../../src/wire/encode.ts";
import { type HttpRequest, NoAnswer } from "../../src/world.ts";
import { person, site } from "../run.ts";

const refusal = (spec: string): string => {
  try {
    parseFault(spec);
  } catch (error) {
    const { message, exitCode, details } = error as Failure;
    return [exitCode, message, details.hint].filter((part) => part !== undefined).join(" | ");
  }
  throw new Error(`${spec} was taken`);
};

test("a fault is a kind and settings", () => {
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

test("operations are named, or all that read, or all that change something", () => {
  const struck = (spec: string) => {
    const { appliesTo } = parseFault(spec);
    return ["folder.create", "folder.list", "fetch-key", undefined].map(appliesTo);
  };
  expect(struck("500")).toEqual([true, true, true, true]);
  expect(struck("500:op=changes")).toEqual([true, false, true, false]);
  expect(struck("500:op=reads")).toEqual([false, true, false, false]);
  expect(struck("500:op=folder.create+fetch-key")).toEqual([true, false, true, false]);
});

test.each([
  [
    "flood",
    '2 | --fault flood: unknown fault "flood" | Available: 429, 500, 502, 503, 504, latency, drop-before, drop-after, cut, drip, ignore, page, empty, redirect, hang.',
  ],
  ["__proto__", expect.stringMatching(/unknown fault "__proto__"/)],
  ["", expect.stringMatching(/unknown fault ""/)],
  ["cut:ms=1", '2 | --fault cut:ms=1: cut has no setting "ms" | It has: at, op, p, seed, nth, times'],
  ["500:p=2", "2 | --fault 500:p=2: p must be a number from 0 to 1"],
  ["500:p=-1", "2 | --fault 500:p=-1: p must be a number from 0 to 1"],
  ["500:nth=0", "2 | --fault 500:nth=0: nth must be a whole number from 1 to 1000000000"],
  ["500:nth=1.5", "2 | --fault 500:nth=1.5: nth must be a whole number from 1 to 1000000000"],
  ["500:p", "2 | --fault 500:p: the setting p needs a value: p=…"],
  ["500:p=1,p=0", "2 | --fault 500:p=1,p=0: the setting p is given twice"],
  ["500:applied=true", "2 | --fault 500:applied=true: applied must be yes or no"],
  ["ignore", "2 | --fault ignore: it needs param=<name>"],
  ["500:op=folder", expect.stringMatching(/the sandbox has no operation "folder" \| Available: reads, changes, apns/)],
])("--fault %s is a usage error", (spec, words) => {
  expect(refusal(spec)).toEqual(words);
});

describe("what a fault does", () => {
  const slept: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    slept.push(ms);
  };

  function broken(...specs: string[]) {
    slept.length = 0;
    const sandbox = createSandbox({
      site,
      clock: { now: () => 0 },
      random: () => 0.5,
      disturb: injectFaults(specs.map(parseFault), sleep),
    });
    const { email, api_key } = person(sandbox, 100);
    const before = sandbox.state.folders.size;
    let made = 0;
    const ask = async (more: Partial<HttpRequest> = {}) => {
      const { method, target, body } = encode(call(createFolder, { name: `Folder ${++made}`, description: "" }));
      const headers = {
        authorization: `Basic ${btoa(`${email}:${api_key}`)}`,
        "content-type": "application/x-www-form-urlencoded",
      };
      const request = { method, url: site + target, headers, body, timeout: 5000, ...more };
      try {
        const answer = await sandbox.handle(request);
        let text = "";
        for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
        return `${answer.status} ${text.split(/[\r\n]/)[0]}`;
      } catch (error) {
        if (error instanceof NoAnswer) return `${error.why} ${error.maybeSent}`;
        throw error;
      }
    };
    return { ask, applied: () => sandbox.state.folders.size - before, state: sandbox.state };
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
  ])("%s", async (spec, words, times) => {
    const { ask, applied } = broken(spec);
    expect([await ask(), applied()]).toEqual([expect.stringMatching(words), times]);
  });

  test("a fault of one operation leaves the others alone", async () => {
    const { ask, applied } = broken("500:op=group.members");
    expect([await ask(), applied()]).toEqual([expect.stringContaining(done), 1]);
  });

  test("the nth request, or so many of them", async () => {
    const nth = broken("500:nth=2");
    expect([await nth.ask(), await nth.ask(), await nth.ask()].map((said) => said.slice(0, 3))).toEqual([
      "200",
      "500",
      "200",
    ]);
    const times = broken("502:times=2");
    expect([await times.ask(), await times.ask(), await times.ask()].map((said) => said.slice(0, 3))).toEqual([
      "502",
      "502",
      "200",
    ]);
  });

  test("chance is the same for the same seed and keeps to its probability", async () => {
    const course = async (spec: string) => {
      const { ask } = broken(spec);
      let said = "";
      for (let n = 0; n < 150; n++) said += (await ask()).startsWith("500") ? "x" : ".";
      return said;
    };
    const first = await course("500:p=0.2,seed=7");
    expect(await course("500:p=0.2,seed=7")).toBe(first);
    expect(await course("500:p=0.2,seed=8")).not.toBe(first);
    expect(first.replaceAll(".", "").length).toBe(32);
    expect(await course("500:p=0")).toBe(".".repeat(150));
  });

  test("several faults have their effect together, the first nearest to the caller", async () => {
    const late = broken("latency:ms=100", "502:applied=yes");
    expect([await late.ask(), late.applied(), slept]).toEqual(["502 <html>", 1, [100]]);
    const cut = broken("cut:at=4,nth=1", "429");
    expect([await cut.ask(), cut.applied(), (await cut.ask()).slice(0, 3)]).toEqual(["cut true", 0, "429"]);
  });

  test("a caller that gives up is not waited for", async () => {
    const { ask, applied } = broken("hang:applied=yes");
    expect([await ask({ signal: AbortSignal.abort() }), applied(), slept]).toEqual(["stopped true", 1, []]);
  });
});

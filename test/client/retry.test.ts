import { expect, test } from "vitest";
import { removeAttachment } from "../../src/api/attachments.ts";
import { getLinkifiers } from "../../src/api/linkifiers.ts";
import { fetchKey } from "../../src/api/server.ts";
import { Resumptions } from "../../src/client/download-answer.ts";
import { pauseBefore, RetryBudget } from "../../src/client/retry.ts";
import type { Verdict } from "../../src/client/verdict.ts";
import { type Cause, NoAnswer } from "../../src/world/world.ts";

const none = (why: Cause, left: boolean): Verdict => ({ kind: "none", failure: new NoAnswer("x", why, left) });
const foreign = (status: number): Verdict => ({ kind: "foreign", status, what: "x", retryAfter: undefined });
const error = (status: number, retryAfter?: number): Verdict => ({
  kind: "error",
  status,
  msg: "x",
  fields: {},
  retryAfter,
});

const tries = (verdict: Verdict) =>
  [getLinkifiers, removeAttachment, fetchKey].map((operation) => pauseBefore(operation, verdict, 1, 0.5) !== undefined);

test.each<[string, Verdict, [read: boolean, change: boolean, login: boolean]]>([
  ["an unknown host name", none("dns", false), [true, true, true]],
  ["a refused connection", none("refused", false), [true, true, true]],
  ["no network", none("network", false), [true, true, true]],
  ["a proxy that closes the connection", none("reset", false), [true, true, true]],
  ["a certificate", none("tls", false), [false, false, false]],
  ["a timeout while connecting", none("timeout", false), [false, false, false]],
  ["an interrupt", none("stopped", false), [false, false, false]],
  ["a reset", none("reset", true), [true, false, false]],
  ["an answer cut short", none("cut", true), [true, false, false]],
  ["a timeout", none("timeout", true), [false, false, false]],
  ["an interrupt after sending", none("stopped", true), [false, false, false]],
  ["an answer that is not HTTP", none("protocol", true), [false, false, false]],
  ["429", error(429, 1), [true, true, false]],
  ["429 of a CDN", foreign(429), [true, true, false]],
  ["502", foreign(502), [true, false, false]],
  ["503", foreign(503), [true, false, false]],
  ["504", foreign(504), [true, false, false]],
  ["500", error(500), [true, false, false]],
  ["520", foreign(520), [true, false, false]],
  ["a refusal of a proxy", none("proxy", false), [false, false, false]],
  ["400", error(400), [false, false, false]],
  ["401", error(401), [false, false, false]],
  ["302", foreign(302), [false, false, false]],
  ["a page", foreign(200), [false, false, false]],
])("%s makes a read, a change and a login retry: %j", (_, verdict, again) => {
  expect(tries(verdict)).toEqual(again);
});

test("tries four times, with growing random pauses", () => {
  const pauses = (random: number) =>
    [1, 2, 3, 4].map((attempt) => pauseBefore(getLinkifiers, foreign(502), attempt, random)?.ms);
  expect(pauses(0)).toEqual([250, 500, 1000, undefined]);
  expect(pauses(0.999)).toEqual([749.5, 1499, 2998, undefined]);
});

test("waits after a 429 as long as the server says, and at least a growing time", () => {
  const waits = (seconds: number | undefined, attempts: number[]) =>
    attempts.map((attempt) => pauseBefore(removeAttachment, error(429, seconds), attempt, 0)?.counted);
  expect(waits(0.5, [1, 2, 3, 4, 5])).toEqual([500, 500, 500, 500, 800]);
  expect(waits(28.7, [1, 9])).toEqual([28700, 28700]);
  expect(waits(undefined, [1, 2, 3, 6, 20])).toEqual([1000, 2000, 4000, 30_000, 30_000]);
});

test("the retry budget ends with a wait that is too long, and counts overlapping waits once", () => {
  const spent = (...waits: [ms: number, now: number][]) => {
    const budget = new RetryBudget(1000);
    return waits.map(([ms, now]) => budget.spend(ms, now));
  };
  expect(spent([600, 0], [500, 600], [400, 600], [1, 1000])).toEqual([true, false, true, false]);
  expect(spent([900, 0], [900, 50], [100, 500], [101, 900])).toEqual([true, true, true, false]);
});

test("resumes a download three times in a minute, with growing pauses", () => {
  const resumptions = new Resumptions();
  expect([0.5, 0.5, 0.5, 0.5].map((random) => resumptions.take(random))).toEqual([500, 1000, 2000, undefined]);
});

test("counts only minutes with progress for resumptions", () => {
  const resumptions = new Resumptions();
  let now = 0;
  const come = (seconds: number) => {
    for (let n = 0; n <= seconds; n++) resumptions.progress(now + n * 1000);
    now += seconds * 1000;
  };
  for (const pause of [500, 1000, 2000]) {
    come(10);
    expect(resumptions.take(0.5)).toBe(pause);
    now += 120_000;
  }
  come(29);
  expect(resumptions.take(0.5)).toBeUndefined();
  come(11);
  expect(resumptions.take(0.5)).toBe(2000);
});

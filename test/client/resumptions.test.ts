import { expect, test } from "vitest";
import { Resumptions } from "../../src/client/download-answer.ts";

test("three breaks in any minute in which something comes, with growing pauses", () => {
  const resumptions = new Resumptions();
  expect([0.5, 0.5, 0.5, 0.5].map((random) => resumptions.take(random))).toEqual([500, 1000, 2000, undefined]);
});

test("a minute of progress makes room again, and one of silence does not", () => {
  const resumptions = new Resumptions();
  let now = 0;
  const come = (seconds: number) => {
    for (let n = 0; n <= seconds; n++) resumptions.came(now + n * 1000);
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

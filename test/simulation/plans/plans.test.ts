import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// In a process of its own, from one file: the program loads parts of itself while a story goes on, and where that takes
// time, a seed is not always the same story.
const simulate = async (...words: string[]) => {
  const made = await promisify(execFile)(process.execPath, ["scripts/simulate.mjs", ...words], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error) => error as { stdout: string; stderr: string });
  return { out: made.stdout, err: made.stderr };
};

/** On one core. A slow machine needs a quarter of it. */
const stories = { timeout: 600_000 };

test("keeps all rules in two hundred stories of org apply, while others change things", stories, async () => {
  const { out, err } = await simulate("--organization", "--seeds", "200", "--jobs", "1");
  expect(err).toBe("");
  expect(out).toMatch(/^200 seeds from 1 on in [^\n]*: none failed\n$/);
});

test("offboards people despite faults as without faults", stories, async () => {
  const { out, err } = await simulate("--offboarding", "--seeds", "200", "--jobs", "1");
  expect(err).toBe("");
  expect(out).toMatch(/^200 seeds from 1 on in [^\n]*: none failed\n$/);
});

test("deletes and sends each message once, despite faults", stories, async () => {
  const { out, err } = await simulate("--messages", "--seeds", "200", "--jobs", "1");
  expect(err).toBe("");
  expect(out).toMatch(/^200 seeds from 1 on in [^\n]*: none failed\n$/);
});

test("plays the same story for the same seed", { timeout: 60_000 }, async () => {
  const [one, other] = await Promise.all([1, 2].map(() => simulate("--organization", "--seed", "3")));
  expect(one?.out).toContain("Nothing is wrong.");
  expect(other).toEqual(one);
});

/** What questions about many changes say: the first effects of them, whatever command asks. */
import { expect, test } from "vitest";
import { firstEffects } from "../../src/effects/policy.ts";
import { main } from "../../src/main.ts";
import type { ChangeEffect } from "../../src/model/effect.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

const removed = (n: number): { title: string; effects: ChangeEffect[] } => ({
  title: `emoji e${n}`,
  effects: [{ kind: "removed", text: "removes it", ...(n === 7 && { irreversible: true }) }],
});

const closed = (n: number): { title: string; effects: ChangeEffect[] } => ({
  title: `channel c${n}`,
  effects: [{ kind: "last_reader", text: "takes the last", irreversible: true }],
});

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test("what nothing brings back comes first, and the others are counted", () => {
  const text = firstEffects([{ title: "channel a" }, ...numbers(8).map(removed)]);
  expect(text).toBe(
    "emoji e7: removes it. emoji e0: removes it. emoji e1: removes it. emoji e2: removes it. emoji e3: removes it. And 3 more.",
  );
});

test("every channel that nobody can read any more is named", () => {
  const text = firstEffects([...numbers(7).map(removed), ...numbers(7).map(closed)]);
  for (const n of numbers(7)) expect(text).toContain(`channel c${n}: takes the last.`);
  expect(text).toMatch(/takes the last\. And 7 more\.$/);
});

test("nothing is said of changes without effects", () => expect(firstEffects([{ title: "channel a" }])).toBe(""));

test("users offboard and users deactivate name the private channel in the same words", async () => {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox) });
  const person = "cora@sandbox.example";
  await main(["channel", "create", "lonely", "--private", "--subscribe", person, "--yes"], world);
  for (const words of [
    ["users", "offboard", person, "--to", "otis@sandbox.example"],
    ["users", "offboard", person, "--to", "otis@sandbox.example", "--quiet"],
    ["users", "deactivate", person],
  ]) {
    const before = world.stderr.text.length;
    expect(await main(words, world), words.join(" ")).toBe(2);
    const question = world.stderr.text
      .slice(before)
      .split("\n")
      .find((line) => line.includes("confirmation required"));
    expect(question).toContain('takes the last subscriber of the private channel "lonely": nobody can get in again');
  }
});

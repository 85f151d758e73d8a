import { expect, test } from "vitest";
import { program } from "../binary/program.ts";
import { kill } from "./kill.ts";

/** `KILLS=200 npx vitest run test/kill` and `npm run simulate -- --kill 200` take long. */
const kills = Number(process.env.KILLS ?? 30);

test(`a batch killed at ${kills} random moments and resumed loses no change and repeats none`, async () => {
  const { violations: breaches, killed, outcomes, killedAfter: before, ...tally } = await kill(program, kills, 1);
  console.log({ killed, outcomes, before, ...tally });
  expect(breaches).toEqual([]);
  expect(killed).toBeGreaterThanOrEqual(kills);
  // Most kills come after a request.
  expect(before.end).toBeGreaterThan(kills / 2);
  expect(Object.keys(outcomes).sort()).toEqual(["done", "refused", "unknown"]);
}, 1_200_000);

/** Messages as a real server of level 371 took, changed, moved and deleted them. */
import { expect, test } from "vitest";
import { type Difference, differs, readRecorded, setUp } from "./recorded.ts";
import { inWorld, leftOut } from "./recorded-messages.ts";

test("the sandbox answers about messages as a server of level 371 did", async () => {
  const differences: Difference[] = [];
  for (const recorded of readRecorded("messages")) {
    if (leftOut.some(([, cases]) => cases.test(recorded.case))) continue;
    const difference = await differs(recorded, setUp(inWorld(recorded.given)));
    if (difference) differences.push(difference);
  }
  expect(differences).toEqual([]);
});

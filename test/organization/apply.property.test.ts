/** Applies random files in both directions, and compares the result with the plan. */
import { describe, expect, test } from "vitest";
import { compare } from "../../src/organization/compare.ts";
import type { Content } from "../../src/organization/content.ts";
import type { Difference } from "../../src/organization/difference.ts";
import { exportContent } from "../../src/organization/export.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import { completable } from "../../src/organization/section-registry.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { type Applied, activeContent, applied, type Pair, pairOf } from "./pairs.ts";
import { failureTexts, TestOrganization } from "./test-organization.ts";

const size = { people: 0, kinds: 3 };
const pairsPerTest = 5;
const starts = Array.from({ length: 24 }, (_, test) => test * pairsPerTest);

/** Returns a line for each error. */
function wrongIn({ errors, remaining, requests, fewest }: Applied): string[] {
  const differ = remaining.map((one) => `differs still: ${JSON.stringify(one)}`);
  return [...errors, ...differ, ...(requests === fewest ? [] : [`${requests} requests where ${fewest} would do`])];
}

const messageIfDifferent = (one: unknown, other: unknown, says: string): string[] =>
  JSON.stringify(one) === JSON.stringify(other) ? [] : [says];

/** Checks that an export equals its organization. */
function wrongInExport(snapshot: Snapshot): string[] {
  const file = JSON.parse(JSON.stringify(exportContent(snapshot, { subscribers: true }).value)) as Content;
  const { differences, problems, refused } = compare(
    groupMembershipIn(snapshot),
    { ...file, complete: completable },
    { prune: true },
  );
  return messageIfDifferent([differences, problems, refused], [[], [], []], "its own export differs");
}

async function applyForward({ one, content, after }: Pair): Promise<{ refused: boolean; wrong: string[] }> {
  const done = await applied(one, content);
  const wrong = wrongIn(done);
  if (done.refused.length) return { refused: true, wrong };
  const now = await one.snapshot();
  return {
    refused: false,
    wrong: [
      ...wrong,
      ...wrongInExport(now),
      ...messageIfDifferent(activeContent(now, done.used), activeContent(after), "it is not as the other one"),
    ],
  };
}

async function applyBackward({ one, back, before }: Pair): Promise<{ refused: boolean; wrong: string[] }> {
  const done = await applied(one, back);
  const wrong = wrongIn(done);
  if (done.refused.length) return { refused: true, wrong };
  const now = await one.snapshot();
  return {
    refused: false,
    wrong: [
      ...wrong,
      ...messageIfDifferent(activeContent(now, done.used), activeContent(before), "it is not as it was"),
    ],
  };
}

test.each(starts)("applies a random file and back with the fewest requests, from seed %i on", async (start) => {
  const wrong: unknown[] = [];
  let refusals = 0;
  for (let seed = start; seed < start + pairsPerTest; seed++) {
    const pair = await pairOf(seed, size);
    const forward = await applyForward(pair);
    wrong.push(...forward.wrong.map((each) => `${seed}: ${each}`));
    const backward = forward.refused || seed % 3 ? undefined : await applyBackward(pair);
    wrong.push(...(backward?.wrong ?? []).map((each) => `${seed}, back: ${each}`));
    if (forward.refused || backward?.refused) refusals++;
  }
  expect(wrong).toEqual([]);
  // A few plans are refused because the server allows nobody to make the change.
  expect(refusals).toBeLessThan(4);
});

describe("the number of requests", () => {
  const creation = (section: "channels" | "groups" | "folders", name: string, to: object): Difference =>
    ({ section, name, action: "create", to: { name, ...to } }) as Difference;

  test("is one for each new thing", async () => {
    const org = new TestOrganization();
    const count = (n: number) => Array.from({ length: n }, (_, each) => each);
    const all = [
      ...count(5).map((n) => creation("folders", `folder ${n}`, { description: "" })),
      ...count(30).map((n) =>
        creation("groups", `group ${n}`, {
          description: "",
          members: [8],
          subgroups: n ? [{ new: `group ${n - 1}` }] : [],
          can_mention_group: { users: [], groups: [{ new: `group ${n ? n - 1 : 0}` }] },
        }),
      ),
      ...count(50).map((n) =>
        creation("channels", `channel ${n}`, {
          description: "x",
          is_private: n % 2 === 0,
          folder: { new: `folder ${n % 5}` },
          subscribers: [8, 9],
          can_send_message_group: { users: [], groups: [{ new: `group ${n % 30}` }] },
        }),
      ),
    ];
    const steps = await org.steps(all);
    // One group names itself.
    expect(steps).toHaveLength(all.length + 1);
    expect(failureTexts(await org.send(steps))).toEqual([]);
  });

  test("is one for each 500 people of a list", async () => {
    const org = new TestOrganization();
    const people = Array.from({ length: 1200 }, (_, n) => 1000 + n);
    const members = { field: "members", from: [9, 10], to: people };
    const subscribers = { field: "subscribers", from: people, to: [8] };
    const steps = await org.steps([
      { section: "groups", name: "designers", id: 17, action: "update", fields: [members] },
      { section: "channels", name: "design", id: 1, action: "update", fields: [subscribers] },
    ]);
    const sizes = steps.map(({ change: { args, operation } }) => [
      operation.name,
      ((args.add ?? args.delete ?? args.principals) as number[]).length,
    ]);
    expect(sizes.sort()).toEqual([
      ["channel.subscribe", 1],
      ["channel.unsubscribe", 200],
      ["channel.unsubscribe", 500],
      ["channel.unsubscribe", 500],
      ["group.members", 2],
      ["group.members", 200],
      ["group.members", 500],
      ["group.members", 500],
    ]);
  });
});

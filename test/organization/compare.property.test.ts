/** Compares random organizations: the differences turn one into the other. */
import { expect, test } from "vitest";
import { compare } from "../../src/organization/compare.ts";
import type { Content, FileEntry } from "../../src/organization/content.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import { applyTo } from "../../src/organization/prediction.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { Chance } from "../simulation/chance.ts";
import { activeContent, asComplete } from "./pairs.ts";
import { fileOf, randomOrganization, shuffled } from "./random.ts";
import { snapshotIn } from "./snapshots.ts";

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

const pair = async (seed: number): Promise<[Snapshot, Snapshot]> => {
  const level = new Chance(seed).of([500, 500, 442, 415]);
  const [one, other] = [seed, seed + 10_000].map((each) => randomOrganization(new Chance(each), { level }));
  return [await snapshotIn(one!), await snapshotIn(other!)];
};

test.each(seeds)("seed %i: done, nothing differs, and all matches the file", async (seed) => {
  const [now, then] = await pair(seed);
  const content = asComplete(fileOf(then));
  const { differences, problems, refused, used } = compare(groupMembershipIn(now), content, { prune: true });
  expect({ problems, refused }).toEqual({ problems: [], refused: [] });
  // Archived channels stay in their folders, and new groups can be circular.
  const inUse = new Set(used.map(({ section, name }) => `${section} ${name}`));
  const result = applyTo(now, differences);
  expect(compare(groupMembershipIn(result), content, { prune: true })).toMatchObject({
    differences: [],
    onlyWithPrune: [],
    problems: [],
  });
  expect(activeContent(result, inUse)).toEqual(activeContent(then));
  expect(JSON.parse(JSON.stringify(differences))).toEqual(differences);
});

test.each(seeds.slice(0, 15))(
  "seed %i: the order of a file means nothing but where things have an order",
  async (seed) => {
    const [now, then] = await pair(seed);
    const content = fileOf(then) as Record<string, unknown>;
    const chance = new Chance(seed);
    const turned = Object.fromEntries(
      shuffled(chance, Object.entries(content)).map(([name, value]) => [
        name,
        ["people", "groups", "channels", "domains", "playgrounds"].includes(name)
          ? shuffled(chance, value as FileEntry[])
          : value,
      ]),
    );
    const sorted = (value: Content) =>
      compare(groupMembershipIn(now), value)
        .differences.map((one) => JSON.stringify(one))
        .sort();
    expect(sorted(turned as Content)).toEqual(sorted(content as Content));
  },
);

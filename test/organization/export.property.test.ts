/** Exports of random organizations are valid files without changes to plan, even with references to archived things. */
import { expect, test } from "vitest";
import { compare } from "../../src/organization/compare.ts";
import { exportContent, organizationYaml } from "../../src/organization/export.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { Chance } from "../simulation/chance.ts";
import { documentOf, problemsIn } from "./documents.ts";
import { randomOrganization } from "./random.ts";
import { snapshotIn } from "./snapshots.ts";

/** Deactivates people and archives things that are in use, as older servers and imports do. */
function disturb({ organization, channel_folders }: Snapshot, chance: Chance): void {
  const { realm_users, realm_non_active_users, realm_user_groups } = organization;
  for (const person of [...realm_users])
    if (person.user_id !== organization.user_id && chance.hits(0.3)) {
      realm_users.splice(realm_users.indexOf(person), 1);
      realm_non_active_users.push(person);
    }
  for (const group of realm_user_groups) if (!group.is_system_group && chance.hits(0.2)) group.deactivated = true;
  for (const folder of channel_folders ?? []) if (chance.hits(0.3)) folder.is_archived = true;
  for (const channel of [organization.subscriptions, organization.unsubscribed, organization.never_subscribed].flat())
    if (chance.hits(0.2)) channel.is_archived = true;
  for (const person of realm_users) {
    if (chance.hits(0.2)) person.full_name = chance.of(["", "id:7", "@all", "yes", "Iris Owner"]);
    if (chance.hits(0.2)) (person as { delivery_email: unknown }).delivery_email = null;
  }
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

test.each(seeds)("seed %i: is read back without problems, and nothing is planned", async (seed) => {
  const chance = new Chance(seed);
  const level = chance.of([507, 500, 442, 416, 371, 300]);
  const snapshot = await snapshotIn(randomOrganization(chance, { level, people: 10 }));
  if (seed % 4) disturb(snapshot, chance);
  const wanted = chance.of([
    {},
    { subscribers: true },
    { without: ["members"] as const },
    { without: ["people"] as const },
  ]);
  const { value, omitted } = exportContent(snapshot, wanted);
  expect(omitted).toEqual([]);
  const read = await documentOf({ "a.yaml": organizationYaml(value) });
  expect(problemsIn(read)).toEqual([]);
  const { differences, problems, refused } = compare(groupMembershipIn(snapshot), read.value, { prune: true });
  expect({ problems, refused, differences }).toEqual({ problems: [], refused: [], differences: [] });
});

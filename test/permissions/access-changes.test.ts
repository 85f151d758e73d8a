/** Who gains and who loses permissions by a plan: as if everything were evaluated, and nothing that cannot differ is. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { unchangeable } from "../../src/model/organization.ts";
import { compare } from "../../src/organization/compare.ts";
import type { Difference, Update } from "../../src/organization/difference.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import type { AccessChange } from "../../src/organization/plan/access-change.ts";
import { applyTo } from "../../src/organization/prediction.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { accessChanges } from "../../src/permissions/access-changes.ts";
import { Evaluation, evaluateBoth } from "../../src/permissions/evaluation.ts";
import { fileOf, randomOrganization } from "../organization/random.ts";
import { snapshotIn } from "../organization/snapshots.ts";
import { Chance } from "../simulation/chance.ts";
import { type Small, small } from "./organizations.ts";

/** The same by an evaluation of everything. */
function changesByEverything(before: Snapshot, after: Snapshot): string[] {
  const [one, other] = evaluateBoth(before, after);
  const active = new Set(after.organization.realm_users.map(({ user_id }) => user_id));
  return [...other.cells()].flatMap((cell) => {
    const old = one.findCell(cell.scope, cell.target_id, cell.permission);
    if (!old || cell.rule.term.kind === "permission" || cell.permission === unchangeable) return [];
    const [was, is] = [one.holderSets(old), other.holderSets(cell)];
    const ids = (all: { user_id: number }[]) => all.map(({ user_id }) => user_id).filter((id) => active.has(id));
    const gain = ids(other.facts.people(is.sure.without(was.possible)));
    const lose = cell.isInactive ? [] : ids(other.facts.people(was.sure.without(is.possible)));
    return gain.length || lose.length ? [`${cell.scope} ${cell.target_id} ${cell.permission} +${gain} -${lose}`] : [];
  });
}

const textOf = ({ scope, target_id, permission, gain, lose }: AccessChange): string =>
  `${scope} ${target_id} ${permission} +${gain.map(({ user_id }) => user_id)} -${lose.map(({ user_id }) => user_id)}`;

test.each(Array.from({ length: 30 }, (_, seed) => seed))("seed %i: is what a full evaluation gives", async (seed) => {
  const chance = new Chance(seed);
  const level = chance.of([507, 442, 371]);
  const snapshot = await snapshotIn(randomOrganization(chance, { level, people: 10 }));
  const content = fileOf(await snapshotIn(randomOrganization(chance, { level, people: 10 })));
  const { differences } = compare(groupMembershipIn(snapshot), content, { partial: true });
  for (const share of [0.1, 0.3, 1]) {
    // Others may name what is created.
    const some = differences.filter((one) => one.action === "create" || ("fields" in one && chance.hits(share)));
    const after = applyTo(snapshot, some);
    expect(accessChanges(snapshot, after, some).map(textOf)).toEqual(changesByEverything(snapshot, after));
  }
});

describe("evaluates", () => {
  const before: Small = {
    people: [{ id: 50 }, { id: 51 }, { id: 52 }],
    groups: [
      { id: 20, name: "designers", members: [50] },
      { id: 21, name: "everybody", subgroups: [20] },
    ],
    channels: [
      { id: 1, name: "design", private: true, subscribers: [50], can_administer_channel_group: 21 },
      { id: 2, name: "general", subscribers: [50, 51], can_send_message_group: 6 },
    ],
    organization: { realm_can_create_groups: 20 },
  };

  /** Returns the permissions that are evaluated. */
  function evaluated(changes: readonly Difference[]): string[] {
    const holderSets = vi.spyOn(Evaluation.prototype, "holderSets");
    onTestFinished(() => holderSets.mockRestore());
    const snapshot = small(before);
    accessChanges(snapshot, applyTo(snapshot, changes), changes);
    const cells = holderSets.mock.calls.map(([{ scope, name, permission }]) => `${name ?? scope} ${permission}`);
    return [...new Set(cells)].sort();
  }

  const update = (one: Omit<Update, "action" | "name"> & { action?: Update["action"] }): Update => ({
    action: "update",
    name: "x",
    ...one,
  });

  test("nothing for texts, other settings, and people who are deactivated", () => {
    expect(
      evaluated([
        update({ section: "channels", id: 1, fields: [{ field: "description", to: "x" }] }),
        update({ section: "channels", id: 2, fields: [{ field: "name", to: "y" }] }),
        update({ section: "settings", fields: [{ field: "description", to: "x" }] }),
        update({ section: "people", id: 50, fields: [{ field: "full_name", to: "x" }] }),
        update({ section: "people", id: 52, action: "deactivate", fields: [] }),
      ]),
    ).toEqual([]);
  });

  test("what looks at a changed field of a channel, for this channel", () => {
    const change = update({ section: "channels", id: 2, fields: [{ field: "subscribers", to: [50] }] });
    const all = evaluated([change]);
    expect(all).toContain("general see");
    expect(all.filter((each) => !each.startsWith("general "))).toEqual([]);
  });

  test("what a changed setting gives", () => {
    const to = { users: [51], groups: [] };
    expect(evaluated([update({ section: "settings", fields: [{ field: "can_create_groups", to }] })])).toEqual([
      "organization can_create_groups",
    ]);
  });

  test("what a group with other members gives, itself or through another group", () => {
    const all = evaluated([update({ section: "groups", id: 20, fields: [{ field: "members", to: [50, 52] }] })]);
    expect(all).toContain("organization can_create_groups");
    expect(all).toContain("design administer");
    expect(all.filter((each) => each.startsWith("general "))).toEqual([]);
  });
});

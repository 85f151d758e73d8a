import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { type Evaluation, evaluate } from "../../src/permissions/evaluation.ts";
import { describeChanges, permissionChanges, statedChanges } from "../../src/permissions/permission-changes.ts";
import { members, nobody, type Small, small } from "./organizations.ts";
import { readRecording, recordings } from "./recordings.ts";

/** Who may, by permission. */
const holdersByPermission = (evaluation: Evaluation): Map<string, Set<number>> =>
  new Map(
    [...evaluation.cells()].map((cell) => [
      `${cell.scope} ${cell.target_id} ${cell.permission}`,
      new Set(evaluation.holders(cell).map(({ user_id }) => user_id)),
    ]),
  );

describe("permissionChanges", () => {
  test.each(recordings)("finds no difference between equal organizations (%s)", (number) => {
    const read = () => readRecording(number).snapshot;
    expect(permissionChanges(read(), read())).toEqual({ changes: [], undecided: [] });
  });

  test("finds the differences of two full lists, with new and removed things and people", () => {
    const [before, after] = [1, 2].map((number) => readRecording(number).snapshot) as [Snapshot, Snapshot];
    const actual = new Map(
      permissionChanges(before, after).changes.map(({ cell, gain, lose }) => [
        `${cell.scope} ${cell.target_id} ${cell.permission}`,
        { gain: gain.map(({ user_id }) => user_id).sort(), lose: lose.map(({ user_id }) => user_id).sort() },
      ]),
    );
    const [one, other] = [holdersByPermission(evaluate(before)), holdersByPermission(evaluate(after))];
    let differences = 0;
    for (const key of new Set([...one.keys(), ...other.keys()])) {
      const [was, is] = [one.get(key) ?? new Set(), other.get(key) ?? new Set()];
      const gain = [...is].filter((id) => !was.has(id)).sort();
      const lose = [...was].filter((id) => !is.has(id)).sort();
      if (gain.length || lose.length) differences++;
      expect(actual.get(key) ?? { gain: [], lose: [] }).toEqual({ gain, lose });
    }
    expect(differences).toBe(actual.size);
  });
});

describe("describeChanges", () => {
  const people = Array.from({ length: 14 }, (_, n) => ({ id: 50 + n }));
  const organization = (subscribers: number[], more: object = {}): Small => ({
    people,
    channels: [{ id: 1, name: "design", private: true, subscribers, ...more }],
  });
  const describeBetween = (before: Small, after: Small) =>
    describeChanges(statedChanges(permissionChanges(small(before), small(after)).changes));

  test("counts and names people, and shows a permission with two names once", () => {
    const all = people.map(({ id }) => id);
    const names = "14 people (Person 50, Person 51, Person 52, Person 53, Person 54 and 9 more)";
    expect(describeBetween(organization(all), organization([]))).toEqual([
      `${names} can no longer see, read and subscribe themselves to #design`,
    ]);
    expect(describeBetween(organization([]), organization([], { can_administer_channel_group: members }))).toEqual([
      `${names} can now see, administer and unsubscribe others from #design`,
    ]);
  });

  test("joins channels whose changes concern the same people", () => {
    const channels = (subscribers: number[]): Small => ({
      people: [{ id: 50 }],
      channels: [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, name: `c${id}`, private: true as const, subscribers })),
    });
    expect(describeBetween(channels([]), channels([50]))).toEqual([
      "Person 50 can now see, read and subscribe themselves to #c1, #c2, #c3, #c4, #c5 and 2 more",
    ]);
  });

  test("says everything that one person loses in one sentence", () => {
    const role = (value: number): Small => ({
      people: [{ id: 50, role: value }, { id: 51 }],
      channels: [
        { id: 1, name: "design", subscribers: [51] },
        { id: 2, name: "general", subscribers: [50, 51] },
      ],
    });
    expect(describeBetween(role(400), role(600))).toEqual([
      "Person 50 can no longer see all people; see, read and read the history of #design; subscribe themselves to #design, #general",
    ]);
  });

  test("says nothing of the group of all users, which nobody can change", () => {
    const users = (realm_workplace_users_group: number): Small => ({
      people,
      organization: { realm_workplace_users_group },
      level: 500,
    });
    const [before, after] = [small(users(nobody)), small(users(members))];
    expect(permissionChanges(before, after).changes).toHaveLength(1);
    expect(describeBetween(users(nobody), users(members))).toEqual([]);
  });

  test("counts one person in the singular, and bots apart", () => {
    const bots = (subscribers: number[]): Small => ({
      people: [{ id: 50 }, { id: 51, bot_type: 1, bot_owner_id: 50 }],
      channels: [{ id: 1, name: "design", private: true, subscribers }],
    });
    expect(describeBetween(bots([50, 51]), bots([]))).toEqual([
      "1 person and 1 bot (Person 50, Person 51) can no longer see, read and subscribe themselves to #design",
    ]);
  });
});

/** Properties of every organization, checked with the recorded ones. */
import { describe, expect, test } from "vitest";
import { type Evaluation, evaluate } from "../../src/permissions/evaluation.ts";
import { changed } from "./organizations.ts";
import { readRecording, recordings } from "./recordings.ts";

/** Returns all permissions of all accounts: `user scope target permission`. */
const permissionsOf = (evaluation: Evaluation): Set<string> =>
  new Set(
    [...evaluation.cells()].flatMap((cell) =>
      evaluation.holders(cell).map(({ user_id }) => `${user_id} ${cell.scope} ${cell.target_id} ${cell.permission}`),
    ),
  );

describe.each(recordings)("in organization %s", (number) => {
  const { snapshot } = readRecording(number);
  const { realm_users: people, realm_user_groups: groups } = snapshot.organization;
  const evaluation = evaluate(snapshot);

  test("joining a group takes no permission from anybody, and gives some only to the member and their bots", () => {
    const before = permissionsOf(evaluation);
    for (const [n, group] of groups.filter(({ is_system_group }) => !is_system_group).entries()) {
      const { user_id } = people[(n * 3) % people.length]!;
      const members = [...new Set([...group.members, user_id])];
      const joined = changed(number, () => ({
        realm_user_groups: groups.map((other) => (other === group ? { ...group, members } : other)),
      }));
      const after = permissionsOf(evaluate(joined));
      const gained = [...after].filter((permission) => !before.has(permission));
      const theirs = [user_id, ...people.flatMap((bot) => (bot.bot_owner_id === user_id ? bot.user_id : []))];
      expect([...before].filter((permission) => !after.has(permission))).toEqual([]);
      expect(gained.filter((permission) => !theirs.includes(Number.parseInt(permission, 10)))).toEqual([]);
    }
  });
});

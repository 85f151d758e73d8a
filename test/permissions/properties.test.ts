/** Properties of every organization, tested with the recorded ones. */
import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { type Cell, type Evaluation, evaluate } from "../../src/permissions/evaluation.ts";
import { changed } from "./organizations.ts";
import { type Recording, readRecording, recordings } from "./recordings.ts";

const key = ({ scope, target_id, permission }: Cell) => `${scope} ${target_id} ${permission}`;

/** Every permission of every account: `user scope target permission`. */
const all = (evaluation: Evaluation): Set<string> =>
  new Set(
    [...evaluation.cells()].flatMap((cell) => evaluation.who(cell).map(({ user_id }) => `${user_id} ${key(cell)}`)),
  );

type Group = Snapshot["organization"]["realm_user_groups"][number];

const joined = (number: Recording, group: Group, user: number): Snapshot =>
  changed(number, ({ realm_user_groups }) => ({
    realm_user_groups: realm_user_groups.map((one) =>
      one.id === group.id && !one.members.includes(user) ? { ...one, members: [...one.members, user] } : one,
    ),
  }));

describe.each(recordings)("organization %s", (number) => {
  const { snapshot } = readRecording(number);
  const evaluation = evaluate(snapshot);
  const before = all(evaluation);

  // No rule takes a permission from members of a group.
  test("joining a group takes no permission away, and changes only that account and its bots", () => {
    const people = snapshot.organization.realm_users;
    const groups = snapshot.organization.realm_user_groups.filter(({ is_system_group }) => !is_system_group);
    for (const [at, group] of groups.entries())
      for (const { user_id } of [0, 1, 2].map((n) => people[(at * 3 + n) % people.length]!)) {
        const after = all(evaluate(joined(number, group, user_id)));
        const theirs = new Set([
          user_id,
          ...people.filter(({ bot_owner_id }) => bot_owner_id === user_id).map((bot) => bot.user_id),
        ]);
        for (const one of before) if (!after.has(one)) throw new Error(`${user_id} into ${group.name} loses ${one}`);
        for (const one of after)
          if (!before.has(one) && !theirs.has(Number(one.split(" ", 1)[0])))
            throw new Error(`${user_id} into ${group.name} gives ${one}`);
      }
  });

  test("counts, lists and single answers agree", () => {
    for (const cell of evaluation.cells()) {
      const who = evaluation.who(cell);
      const humans = who.filter(({ is_bot }) => !is_bot);
      expect(evaluation.counts(cell)).toEqual({
        people: humans.length,
        guests: humans.filter(({ role }) => role === 600).length,
        bots: who.length - humans.length,
      });
      const may = evaluation.accounts.filter(({ user_id }) => evaluation.may(user_id, cell));
      expect(may).toEqual(who);
    }
  });
});

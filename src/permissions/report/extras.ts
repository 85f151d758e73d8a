/** Finds permissions that people have beyond others of their role, through groups and subscriptions. */
import { counted } from "../../counted.ts";
import { groupBy } from "../../group-by.ts";
import type { Cell, Evaluation, Scope } from "../evaluation.ts";
import { bareOf } from "../extra.ts";
import { lower, permissionTitle } from "./words.ts";

/** A permission, and the number of things somebody has it for. */
export interface Extra {
  readonly scope: Scope;
  readonly permission: string;
  readonly count: number;
}

/** By index of each active account, in one order for all. */
export function extrasOf(evaluation: Evaluation, cells: readonly Cell[]): Extra[][] {
  const { facts, snapshot } = evaluation;
  const accounts = snapshot.organization.realm_users;
  const bare = bareOf(evaluation);
  const alike = new Map(
    [...groupBy(accounts, bare.like)].map(([like, those]) => [like, facts.set(those.map(({ user_id }) => user_id))]),
  );
  const extras = accounts.map((): Extra[] => []);
  for (const column of groupBy(cells, ({ scope, permission }) => `${scope} ${permission}`).values()) {
    const [{ scope, permission }] = column as [Cell];
    const counts = new Map<number, number>();
    for (const cell of column) {
      const usual = bare.evaluation
        .who(bare.evaluation.cell(scope, cell.target_id, permission))
        .reduce((all, { user_id }) => all.or(alike.get(user_id) ?? facts.nobody), facts.nobody);
      for (const place of evaluation.verdict(cell).sure.without(usual)) counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    for (const [place, count] of counts) extras[place]?.push({ scope, permission, count });
  }
  return extras;
}

/** Permissions that are listed first. Others follow only if somebody has them for more things. */
const leading = ["read", "post", "administer", "can_manage_group"];

function things(extras: readonly Extra[], scope: "channel" | "group"): string[] {
  const those = extras.filter((each) => each.scope === scope);
  const first = leading.flatMap((name) => those.find(({ permission }) => permission === name) ?? []);
  const most = Math.max(0, ...first.map(({ count }) => count));
  const others = those.filter((each) => !first.includes(each) && each.count > most);
  return [...groupBy([...first, ...others], ({ count }) => count)].map(
    ([count, each]) =>
      `${counted(count, scope)}: ${each.map(({ permission }) => lower(permissionTitle(permission))).join(", ")}`,
  );
}

export function extrasText(extras: readonly Extra[]): string {
  const own = extras
    .filter(({ scope }) => scope === "organization")
    .map(({ permission }) => permissionTitle(permission));
  return [...own, ...things(extras, "channel"), ...things(extras, "group")].join("; ");
}

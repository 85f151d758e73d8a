/** What people may beyond others of their role, by their groups and subscriptions. */
import { counted } from "../../counted.ts";
import type { Bits } from "../bits.ts";
import type { Cell, Evaluation, Scope } from "../evaluation.ts";
import { bareOf } from "../extra.ts";
import { permissionTitle } from "./words.ts";

export const noExtras = { organization: new Map(), channel: new Map(), group: new Map() };

/** For each account by its number: of how many things of a kind each permission is one that it has so. */
export type Extras = readonly Readonly<Record<Scope, ReadonlyMap<string, number>>>[];

export function extrasOf(evaluation: Evaluation, cells: readonly Cell[]): Extras {
  const { facts, snapshot } = evaluation;
  const accounts = snapshot.organization.realm_users;
  const bare = bareOf(evaluation);
  const alike = new Map<number, number[]>();
  for (const account of accounts) {
    const like = bare.like(account);
    if (like === undefined) continue;
    const those = alike.get(like);
    if (those) those.push(account.user_id);
    else alike.set(like, [account.user_id]);
  }
  const covered = new Map<string, Bits>();
  /** All accounts that are like these. */
  const cover = (likes: readonly number[]): Bits => {
    const key = likes.join();
    const found = covered.get(key) ?? facts.set(likes.flatMap((like) => alike.get(like) ?? []));
    covered.set(key, found);
    return found;
  };
  const found = accounts.map(() => ({
    organization: new Map<string, number>(),
    channel: new Map<string, number>(),
    group: new Map<string, number>(),
  }));
  // Permission by permission, so that everybody has them in one order.
  const columns = new Map<string, { scope: Scope; permission: string; cells: Cell[] }>();
  for (const cell of cells) {
    const { scope, permission } = cell;
    const column = columns.get(`${scope} ${permission}`);
    if (column) column.cells.push(cell);
    else columns.set(`${scope} ${permission}`, { scope, permission, cells: [cell] });
  }
  for (const { scope, permission, cells } of columns.values()) {
    const counts = new Uint32Array(accounts.length);
    for (const cell of cells) {
      const same = bare.evaluation.cell(scope, cell.target_id, permission);
      const usual = cover(same ? bare.evaluation.who(same).map(({ user_id }) => user_id) : []);
      for (const number of evaluation.verdict(cell).sure.without(usual)) counts[number] = (counts[number] ?? 0) + 1;
    }
    for (const [number, count] of counts.entries()) if (count > 0) found[number]?.[scope].set(permission, count);
  }
  return found;
}

/** What is told first, and what goes without saying for whoever has it for as many. */
const leading: Readonly<Record<"channel" | "group", readonly string[]>> = {
  channel: ["read", "post", "administer"],
  group: ["can_manage_group"],
};

const lower = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

function things(counts: ReadonlyMap<string, number>, scope: "channel" | "group"): string[] {
  const first = leading[scope].filter((permission) => counts.has(permission));
  const countOf = (permission: string) => counts.get(permission) ?? 0;
  const most = Math.max(0, ...first.map(countOf));
  const others = [...counts].filter(([permission, count]) => !first.includes(permission) && count > most);
  const byCount = new Map<number, string[]>();
  for (const [permission, count] of [...first.map((each) => [each, countOf(each)] as const), ...others])
    byCount.set(count, [...(byCount.get(count) ?? []), lower(permissionTitle(permission))]);
  return [...byCount].map(([count, permissions]) => `${counted(count, scope)}: ${permissions.join(", ")}`);
}

export const extrasText = ({ organization, channel, group }: Extras[number]): string =>
  [...[...organization.keys()].map(permissionTitle), ...things(channel, "channel"), ...things(group, "group")].join(
    "; ",
  );

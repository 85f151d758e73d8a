/** Finds the people of `group:<name>`, which stands in lists of people. */

import type { User } from "../api/users.ts";
import { keyBy } from "../common/group-by.ts";
import { reachableFrom } from "../common/reachable.ts";
import { Usage } from "../errors.ts";
import { trimmed } from "../notation/blanks.ts";
import { groupPrefix, type Naming } from "../notation/id.ts";
import type { NameResolver } from "./resolver.ts";

export const namesGroup = ({ text }: Naming): boolean => trimmed(text).startsWith(groupPrefix);

/** Returns the group that `group:writers` names. */
export const groupNaming = ({ text, origin }: Naming): Naming => ({
  text: trimmed(text).slice(groupPrefix.length),
  origin,
});

/**
 * Returns the active accounts in the group and its subgroups, in a resumed run those of its beginning. Throws `Usage` for
 * a deactivated group.
 */
export async function activePeopleOf(names: NameResolver, typed: Naming, flag: string): Promise<User[]> {
  // The names are known, so digits may be one.
  await names.nameLookup("group");
  const id = await names.group(groupNaming(typed), flag);
  const ids = await names.peopleOf(id, () => activeIdsOf(names, id, flag));
  return accountsOf(names, ids);
}

async function accountsOf(names: NameResolver, ids: readonly number[]): Promise<User[]> {
  const found = await Promise.all(ids.map((id) => names.person(id, { many: true })));
  return found.filter((account) => account !== undefined);
}

async function activeIdsOf(names: NameResolver, id: number, flag: string): Promise<number[]> {
  const groups = keyBy(await names.groups(), ({ id }) => id);
  const group = groups.get(id);
  if (!group) throw new Usage(`${flag}: group ${id} not found, or not visible to this account`);
  if (group.deactivated)
    throw new Usage(`${flag}: group "${group.name}" is deactivated`, {
      hint: `Reactivate with: zulipctl group reactivate ${id}`,
    });
  const all = reachableFrom([id], (each) => groups.get(each)?.direct_subgroup_ids);
  const members = new Set([...all].flatMap((each) => groups.get(each)?.members ?? []));
  const accounts = await accountsOf(
    names,
    [...members].sort((one, other) => one - other),
  );
  return accounts.flatMap(({ user_id, is_active }) => (is_active === false ? [] : user_id));
}

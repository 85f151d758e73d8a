/** Takes back changes of lists, such as members of groups and subscribers of channels. */
import { operationNamed } from "../api/registry.ts";
import { counted } from "../common/counted.ts";
import { peopleOf } from "../effects/group-people.ts";
import { kindNamed } from "../model/kinds/index.ts";
import type { KindListCall } from "../model/kinds/kind.ts";
import { type ListName, listArguments, listKey, listNamed, portions } from "../model/kinds/lists.ts";
import { whoIn } from "../model/permission.ts";
import { type BackValue, changeOf, type Item, left, type Thing } from "./item.ts";
import { memberKey } from "./later.ts";
import type { ListPart } from "./parts.ts";
import { gone } from "./reasons.ts";
import type { State } from "./state.ts";
import type { Args } from "./things.ts";

const cannotSubscribe =
  "this account does not read the private channel, and servers let it subscribe nobody there; somebody who reads it can";

/** By list, what keeps this account from adding members. */
const obstacles: {
  readonly [N in ListName]?: (
    state: State,
    record: Args,
    members: ReadonlySet<number> | undefined,
  ) => Promise<string | undefined>;
} = {
  /** Servers let only those subscribe others to a private channel who can read it, or have a permission of it. */
  async "channel subscribers"(state, record, members) {
    const me = await state.ownId();
    if (!record.invite_only || members?.has(me)) return undefined;
    const people = peopleOf([...(await state.groups()).values()]);
    const permissions = ["can_add_subscribers_group", "can_subscribe_group"];
    return permissions.some((name) => people(whoIn(record[name])).has(me)) ? undefined : cannotSubscribe;
  },
};

/** Returns how a list gets back the members that the runs removed, and loses those that they added. */
export async function membershipItems(
  state: State,
  /** Accounts and groups that come back. */
  returning: ReadonlySet<string>,
  thing: Thing,
  { entry, list, owner, added, removed }: ListPart,
): Promise<Item[]> {
  const { kind, of, one, plural, add, remove } = listNamed(list);
  const members = await state.members(list, owner);
  const users = of === "user" ? await state.users() : undefined;
  const isThere = (id: number) => members?.has(id) ?? added.includes(id);
  const key = listKey({ kind, plural }, owner);
  const since = (id: number) => state.logged.later.of(memberKey(key, id));
  const isChanged = (id: number) => since(id).run !== undefined || since(id).isBack;
  const leaving = added.filter((id) => isThere(id) && !isChanged(id));
  const back = removed.filter((id) => !isThere(id) && !isChanged(id));
  const nameOf = async (id: number) =>
    of === "user" ? (users?.get(id)?.full_name ?? `user ${id}`) : `group ${(await state.groups()).get(id)?.name ?? id}`;
  const changed = [...added.filter(isThere), ...removed.filter((id) => !isThere(id))].filter(isChanged);
  const conflicts = await Promise.all(
    changed.map(async (id) => {
      const did = added.includes(id) ? "added" : "removed";
      const { run } = since(id);
      const why = run === undefined ? `was ${did} again since` : `was ${did} by run ${run} since`;
      return left(thing, entry, "conflict", `${await nameOf(id)} ${why}`);
    }),
  );
  const absent = (id: number) => users?.get(id)?.is_active === false && !returning.has(`user ${id}`);
  const joining = back.filter((id) => !absent(id));
  // The plan deactivates people after it takes them out of lists. Lists have no deactivated people, so nobody can tell whether they are still in it.
  const hidden = state.logged.isSent ? [] : added.filter((id) => !isThere(id) && absent(id));
  const items = [...conflicts];
  items.push(
    ...[...back.filter(absent), ...hidden].map((id) =>
      left(thing, entry, "conflict", `${users?.get(id)?.full_name ?? `user ${id}`} is deactivated`),
    ),
  );
  if (!leaving.length && !joining.length) return items;
  const record = await state.record(kind, owner);
  if (!record) return [left(thing, entry, "conflict", gone)];
  const obstacle = joining.length ? await obstacles[list]?.(state, record, members) : undefined;
  if (obstacle !== undefined) {
    items.push(left(thing, entry, "impossible", obstacle));
    joining.length = 0;
    if (!leaving.length) return items;
  }
  const name = String(record[kindNamed(kind).title ?? "name"]);
  const changes = (call: KindListCall, ids: readonly number[], does: string) => {
    const operation = operationNamed(call.operation);
    if (!operation) throw new Error(`list ${list} names an operation that does not exist: ${call.operation}`);
    return portions(ids).map((some) => {
      const args = listArguments(call, { id: owner, name }, some);
      return changeOf(thing, { operation, args, says: "updated", what: `${counted(some.length, one)} ${does}` });
    });
  };
  const value: BackValue = { name: plural, of, now: leaving, back: joining };
  const item: Item = {
    ...{ ...thing, sign: "~", values: [value] },
    changes: [...changes(add, joining, "added"), ...changes(remove, leaving, "removed")],
  };
  return [...items, item];
}

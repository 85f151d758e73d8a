/** Takes back changes of lists, such as members of groups and subscribers of channels. */
import { counted } from "../common/counted.ts";
import { kindNamed } from "../model/kinds/index.ts";
import type { KindListCall } from "../model/kinds/kind.ts";
import { listKey, listNamed, portions } from "../model/kinds/lists.ts";
import { listRequest } from "../organization/sections/member-lists.ts";
import { type BackValue, changeOf, type Item, left } from "./item.ts";
import { memberKey } from "./later-changes.ts";
import type { ListPart } from "./part.ts";
import type { Planning } from "./planning.ts";
import { gone } from "./reasons.ts";
import type { Thing } from "./thing.ts";

/** Returns how a list gets back the members that the runs removed, and loses those that they added. */
export async function membershipItems(
  { state, refusals, reactivated }: Planning,
  thing: Thing,
  { entry, list, owner, added, removed, restored, overtaken }: ListPart,
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
  // Lists have no deactivated people.
  const isSeen = (id: number) => members !== undefined && users?.get(id)?.is_active !== false;
  for (const [id, wasThere] of restored) if (isSeen(id) && members?.has(id) !== wasThere) changed.push(id);
  const conflicts = await Promise.all(
    changed.map(async (id) => {
      const did = isThere(id) ? "added" : "removed";
      const { run } = since(id);
      const why = run === undefined ? `was ${did} again since` : `was ${did} by run ${run} since`;
      return left(thing, entry, "conflict", `${await nameOf(id)} ${why}`);
    }),
  );
  const absent = (id: number) => users?.get(id)?.is_active === false && !reactivated.has(`user ${id}`);
  const joining = back.filter((id) => !absent(id));
  // The plan deactivates people after it takes them out of lists. Lists have no deactivated people, so nobody can tell whether they are still in it.
  const hidden = state.logged.isSent ? [] : added.filter((id) => !isThere(id) && absent(id));
  const items = [...conflicts];
  for (const [id, { by, isAdded }] of overtaken)
    items.push(
      left(thing, entry, "conflict", `${await nameOf(id)} was ${isAdded ? "added" : "removed"} by run ${by} since`),
    );
  items.push(
    ...[...back.filter(absent), ...hidden].map((id) =>
      left(thing, entry, "conflict", `${users?.get(id)?.full_name ?? `user ${id}`} is deactivated`),
    ),
  );
  if (!leaving.length && !joining.length) return items;
  const record = await state.record(kind, owner);
  if (!record) return [left(thing, entry, "conflict", gone)];
  const name = String(record[kindNamed(kind).title ?? "name"]);
  const request = (call: KindListCall, ids: readonly number[]) => listRequest(call, { id: owner, name }, ids);
  // Servers can let this account take people out, and not put them back.
  for (const [call, ids] of [
    [add, joining],
    [remove, leaving],
  ] as const) {
    const refusal = ids.length ? refusals.of(thing, request(call, ids).operation, call.members) : undefined;
    if (!refusal) continue;
    items.push(left(thing, entry, refusal.kind, refusal.says));
    ids.length = 0;
  }
  if (!leaving.length && !joining.length) return items;
  const changes = (call: KindListCall, ids: readonly number[], does: string) =>
    portions(ids).map((some) => {
      const what = `${counted(some.length, one)} ${does}`;
      return changeOf(thing, { ...request(call, some), says: "updated", what });
    });
  const value: BackValue = { name: plural, of, now: leaving, back: joining };
  const item: Item = {
    ...{ ...thing, sign: "~", values: [value] },
    changes: [...changes(add, joining, "added"), ...changes(remove, leaving, "removed")],
  };
  return [...items, item];
}

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

interface Compared {
  /** Members that go, and those that come back. */
  readonly leaving: readonly number[];
  readonly joining: readonly number[];
  /** Why others stay as they are. */
  readonly conflicts: readonly string[];
}

async function compare({ state, reactivated }: Planning, part: ListPart): Promise<Compared> {
  const { list, owner, added, removed, restored, overtaken } = part;
  const { kind, of, plural } = listNamed(list);
  const members = await state.members(list, owner);
  const users = of === "user" ? await state.users() : undefined;
  const isThere = (id: number) => members?.has(id) ?? added.includes(id);
  const key = listKey({ kind, plural }, owner);
  const since = (id: number) => state.logged.later.of(memberKey(key, id));
  const isChanged = (id: number) => since(id).run !== undefined || since(id).isBack;
  // Lists have no deactivated people.
  const isSeen = (id: number) => members !== undefined && users?.get(id)?.is_active !== false;
  const isAbsent = (id: number) => users?.get(id)?.is_active === false && !reactivated.has(`user ${id}`);
  const nameOf = async (id: number) =>
    of === "user" ? (users?.get(id)?.full_name ?? `user ${id}`) : `group ${(await state.groups()).get(id)?.name ?? id}`;

  const toRemove = added.filter(isThere);
  const toAdd = removed.filter((id) => !isThere(id));
  const back = toAdd.filter((id) => !isChanged(id));
  const changed = [...toRemove, ...toAdd].filter(isChanged);
  for (const [id, wasThere] of restored) if (isSeen(id) && members?.has(id) !== wasThere) changed.push(id);
  // The plan deactivates people after it takes them out of lists, so nobody can tell then whether they are still in it.
  const hidden = state.logged.isSent ? [] : added.filter((id) => !isThere(id) && isAbsent(id));

  const conflicts: string[] = [];
  for (const id of changed) {
    const did = isThere(id) ? "added" : "removed";
    const { run } = since(id);
    conflicts.push(`${await nameOf(id)} was ${did} ${run === undefined ? "again" : `by run ${run}`} since`);
  }
  for (const [id, { by, isAdded }] of overtaken)
    conflicts.push(`${await nameOf(id)} was ${isAdded ? "added" : "removed"} by run ${by} since`);
  for (const id of [...back.filter(isAbsent), ...hidden]) conflicts.push(`${await nameOf(id)} is deactivated`);
  return {
    leaving: toRemove.filter((id) => !isChanged(id)),
    joining: back.filter((id) => !isAbsent(id)),
    conflicts,
  };
}

/** Returns how a list gets back the members that the runs removed, and loses those that they added. */
export async function membershipItems(planning: Planning, thing: Thing, part: ListPart): Promise<Item[]> {
  const { state, refusals } = planning;
  const { entry, list, owner } = part;
  const { kind, of, one, plural, add, remove } = listNamed(list);
  const { leaving, joining, conflicts } = await compare(planning, part);
  const items = conflicts.map((says) => left(thing, entry, "conflict", says));
  if (!leaving.length && !joining.length) return items;
  const record = await state.record(kind, owner);
  if (!record) return [left(thing, entry, "conflict", gone)];
  const name = String(record[kindNamed(kind).title ?? "name"]);
  const request = (call: KindListCall, ids: readonly number[]) => listRequest(call, { id: owner, name }, ids);
  // Servers can let this account take people out, and not put them back.
  const unlessRefused = (call: KindListCall, ids: readonly number[]) => {
    const refusal = ids.length ? refusals.of(thing, request(call, ids).operation, call.members) : undefined;
    if (refusal) items.push(left(thing, entry, refusal.kind, refusal.says));
    return refusal ? [] : ids;
  };
  const back = unlessRefused(add, joining);
  const now = unlessRefused(remove, leaving);
  const changes = (call: KindListCall, ids: readonly number[], does: string) =>
    portions(ids).map((some) => {
      const what = `${counted(some.length, one)} ${does}`;
      return changeOf(thing, { ...request(call, some), says: "updated", what });
    });
  const sent = [...changes(add, back, "added"), ...changes(remove, now, "removed")];
  const value: BackValue = { name: plural, of, now, back };
  return sent.length ? [...items, { ...thing, sign: "~", values: [value], changes: sent }] : items;
}

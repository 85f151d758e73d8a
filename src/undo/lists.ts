/** Takes back changes of lists: members and subgroups of groups, subscribers of channels. */
import type { getChannels } from "../api/channels.ts";
import { updateMembers } from "../api/groups.ts";
import { neverCreates, subscribe, unsubscribe } from "../api/subscriptions.ts";
import type { ItemOf } from "../client/sending.ts";
import { counted } from "../common/counted.ts";
import { peopleOf } from "../effects/group-people.ts";
import { whoIn } from "../model/permission.ts";
import { largestPortion, portions } from "../organization/sections/requests.ts";
import type { AnswerOf, AnyOperation } from "../wire/operation.ts";
import { type BackValue, changeOf, type Item, left, type Thing } from "./item.ts";
import { memberKey } from "./later.ts";
import type { ListPart } from "./parts.ts";
import { gone } from "./reasons.ts";
import type { State } from "./state.ts";
import type { Args } from "./things.ts";

const cannotSubscribe =
  "this account does not read the private channel, and servers let it subscribe nobody there; somebody who reads it can";

type Channel = ItemOf<AnswerOf<typeof getChannels>["streams"]>;

/** Servers let only those subscribe others to a private channel who can read it, or have a permission of it. */
async function maySubscribe(
  state: State,
  channel: Channel,
  members: ReadonlySet<number> | undefined,
): Promise<boolean> {
  const me = await state.ownId();
  if (!channel.invite_only || members?.has(me)) return true;
  const people = peopleOf([...(await state.groups()).values()]);
  const record: Readonly<Record<string, unknown>> = channel;
  return ["can_add_subscribers_group", "can_subscribe_group"].some((name) => people(whoIn(record[name])).has(me));
}

/** Returns how a list gets back the members that the runs removed, and loses those that they added. */
export async function membershipItems(
  state: State,
  /** Accounts and groups that come back. */
  returning: ReadonlySet<string>,
  thing: Thing,
  { entry, of, added, removed }: ListPart,
): Promise<Item[]> {
  const at = entry.at ?? {};
  const isChannel = at.stream_id !== undefined;
  const members = await state.members(of, at);
  const users = of === "user" ? await state.users() : undefined;
  const isThere = (id: number) => members?.has(id) ?? added.includes(id);
  const since = (id: number) => state.logged.later.of(memberKey(entry.thing, of, id));
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
  const channel = isChannel ? (await state.channels()).get(Number(at.stream_id)) : undefined;
  const name = channel?.name;
  if (isChannel && name === undefined) return [left(thing, entry, "conflict", gone)];
  if (channel && joining.length && !(await maySubscribe(state, channel, members))) {
    items.push(left(thing, entry, "impossible", cannotSubscribe));
    joining.length = 0;
    if (!leaving.length) return items;
  }
  const what = isChannel ? "subscribers" : of === "group" ? "subgroups" : "members";
  const suffix = of === "group" ? "_subgroups" : "";
  const changes = (operation: AnyOperation, ids: readonly number[], does: string, args: (ids: number[]) => Args) =>
    portions({ portion: largestPortion }, ids).map((some) => {
      const step = { operation, args: { ...at, ...args(some) }, says: "updated" };
      return changeOf(thing, { ...step, what: `${counted(some.length, what.slice(0, -1))} ${does}` });
    });
  const adds = (ids: number[]) =>
    isChannel ? { subscriptions: [{ name }], principals: ids, ...neverCreates } : { [`add${suffix}`]: ids };
  const removes = (ids: number[]) =>
    isChannel ? { subscriptions: [name], principals: ids } : { [`delete${suffix}`]: ids };
  const value: BackValue = { name: what, of, now: leaving, back: joining };
  const item: Item = {
    ...{ ...thing, sign: "~", values: [value] },
    changes: [
      ...changes(isChannel ? subscribe : updateMembers, joining, "added", adds),
      ...changes(isChannel ? unsubscribe : updateMembers, leaving, "removed", removes),
    ],
  };
  return [...items, item];
}

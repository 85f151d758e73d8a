/** Judges who leaves lists: subscribers of channels, members and subgroups of groups. */
import { counted } from "../common/counted.ts";
import { fewRemovals } from "../common/removal-limit.ts";
import type { ListOf } from "../wire/impact.ts";
import type { Judging, Occurrence } from "./judging.ts";

type Movement = Occurrence<"leave" | "join">;

interface List {
  readonly list: ListOf["list"];
  readonly id: number;
  readonly all: (Movement & { readonly who: readonly number[] })[];
}

const words = {
  subscribers: { one: "subscriber", owner: "channel", path: "streams" },
  members: { one: "member", owner: "group", path: "user_groups" },
  subgroups: { one: "subgroup", owner: "group", path: "user_groups" },
} as const;

const people = (list: ListOf["list"], count: number): string =>
  list === "subgroups" ? counted(count, "group") : counted(count, "person", "people");

/** The name of a list in operations: `/streams/7 subscribers`. */
const keyOf = ({ list, id }: Pick<List, "list" | "id">): string =>
  `/${words[list].path}/${id} ${list === "members" ? "users" : list}`;

/** Returns the lists that somebody leaves, with all who leave and join. */
async function listsOf(judging: Judging): Promise<List[]> {
  const movements = judging.of("leave", "join");
  if (!movements.some(({ impact }) => impact.does === "leave")) return [];
  const lists = new Map<string, List>();
  for (const movement of movements) {
    const { list } = movement.impact;
    const id = await judging.listId(movement.impact);
    if (id === undefined) continue;
    const known = lists.get(`${list} ${id}`) ?? { list, id, all: [] };
    lists.set(`${list} ${id}`, known);
    const who: number[] = [];
    for (const account of movement.impact.who) who.push((await judging.idOf(account)) ?? -1);
    known.all.push({ ...movement, who });
  }
  return [...lists.values()].filter(({ all }) => all.some(({ impact }) => impact.does === "leave"));
}

/** Returns the name of the channel or group, quoted. */
async function titleOf({ present }: Judging, { list, id }: List): Promise<string> {
  const { owner } = words[list];
  const all = list === "subscribers" ? present.channels() : present.groups();
  const name = await all.then(
    (found) => found.get(id)?.name,
    () => undefined,
  );
  return name === undefined ? `${owner} ${id}` : `${owner} "${name}"`;
}

/** Returns whether nobody could get into the channel without a subscriber. Undefined if it is not known. */
async function isPrivate(judging: Judging, { list, id, all }: List): Promise<boolean | undefined> {
  if (list !== "subscribers") return false;
  const changes = all.map(({ n }) => n);
  const channels = await judging.read(() => judging.present.channels(), {
    what: "whether the channel is private",
    allowedBy: "--allow-empty",
    changes,
  });
  const channel = channels?.get(id);
  return channel ? Boolean(channel.invite_only) && !channel.is_archived : channels && false;
}

async function judgeList(judging: Judging, list: List): Promise<void> {
  const { all } = list;
  const { one } = words[list.list];
  const leaving = all.filter(({ impact }) => impact.does === "leave");
  const changes = [...new Set(leaving.map(({ n }) => n))];
  const leavers = new Set(leaving.flatMap(({ who }) => who));
  const isWhole = changes.some((n) => judging.subjects[n]?.wholeLists?.includes(keyOf(list)));
  const isClosed = await isPrivate(judging, list);
  const needed = isWhole || isClosed || leavers.size > fewRemovals;
  const title = needed ? await titleOf(judging, list) : "";
  const members = needed
    ? await judging.read(() => judging.present.members(list.list, list.id), {
        what: `who is in ${title}`,
        allowedBy: leavers.size > fewRemovals ? "--max-removals" : "--allow-empty",
        changes,
      })
    : undefined;
  const left = new Set(members);
  for (const { n, impact, who } of all) {
    const moved = who.filter((id) => !members || left.has(id) === (impact.does === "leave"));
    for (const id of moved) impact.does === "leave" ? left.delete(id) : left.add(id);
    if (impact.does !== "leave" || !moved.length) continue;
    const of = moved.filter((id) => id > 0);
    judging.add(n, {
      kind: "access_lost",
      text: `takes ${people(list.list, moved.length)} out`,
      ...(list.list !== "subgroups" && { people: moved.length, who: of }),
    });
  }
  if (!members) return;
  const total = members.length;
  const count = members.filter((id) => !left.has(id)).length;
  const isEmptied = total > 0 && left.size === 0;
  const share = `${count} of ${counted(total, one)}`;
  judging.losses.push({ count, total, changes, isEmptied, says: `remove ${share} of ${title}` });
  const last = leaving.at(-1)?.n ?? 0;
  if (!isEmptied || !(isClosed || isWhole)) return;
  const whom = total === 1 ? `the only ${one}` : `all ${counted(total, one)}`;
  judging.emptied.push({ changes, says: `remove ${whom} of ${title}` });
  if (isClosed)
    judging.add(last, {
      kind: "last_reader",
      text: "removes the last subscriber of the private channel: nobody can get in again",
      irreversible: true,
    });
  else judging.add(last, { kind: "list_emptied", text: `leaves no ${one} in it` });
}

export async function judgeLists(judging: Judging): Promise<void> {
  for (const list of await listsOf(judging)) await judgeList(judging, list);
}

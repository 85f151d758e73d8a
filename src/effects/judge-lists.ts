/** Judges who leaves lists, as the kinds of things state them. */
import { counted } from "../common/counted.ts";
import { channelFields, memberOf } from "../model/channel.ts";
import { kindNamed } from "../model/kinds/index.ts";
import { listKey, listNamed, type StatedList } from "../model/kinds/lists.ts";
import { fewRemovals } from "../model/removal-limit.ts";
import { leavingAccounts } from "./judge-leaving.ts";
import type { Judging, Occurrence } from "./judging.ts";

type Movement = Occurrence<"leave" | "join">;

interface List {
  readonly stated: StatedList;
  readonly id: number;
  readonly all: (Movement & { readonly who: readonly number[] })[];
}

function members({ of }: StatedList, count: number): string {
  const { one, plural } = kindNamed(of);
  return counted(count, one, plural);
}

/** Returns the lists that somebody leaves, with all who leave and join. */
async function listsOf(judging: Judging): Promise<List[]> {
  const movements = judging.of("leave", "join");
  if (!movements.some(({ impact }) => impact.does === "leave")) return [];
  const lists = new Map<string, List>();
  for (const movement of movements) {
    const stated = listNamed(movement.impact.list);
    const id = await judging.ownerId(movement.impact);
    if (id === undefined) continue;
    const key = listKey(stated, id);
    const known = lists.get(key) ?? { stated, id, all: [] };
    lists.set(key, known);
    const who: number[] = [];
    for (const account of movement.impact.who) who.push((await judging.idOf(account)) ?? -1);
    known.all.push({ ...movement, who });
  }
  return [...lists.values()].filter(({ all }) => all.some(({ impact }) => impact.does === "leave"));
}

/** Returns the record of the thing. Undefined if it is not there. */
async function recordOf({ present }: Judging, { stated, id }: List) {
  const { id: idMember = "id" } = kindNamed(stated.kind);
  return (await present.records(stated.kind)).find((record) => record[idMember] === id);
}

/** Returns the name of the thing, quoted: `channel "design"`. */
async function titleOf(judging: Judging, list: List): Promise<string> {
  const { one, title = "name" } = kindNamed(list.stated.kind);
  const record = await recordOf(judging, list).catch(() => undefined);
  return record?.[title] === undefined ? `${one} ${list.id}` : `${one} "${record[title]}"`;
}

/** Returns what the run sets of the thing, as its record has it. */
function setBy(judging: Judging, { stated, id }: List): Record<string, unknown> {
  const all = judging.of("set").filter(({ impact }) => impact.kind === stated.kind && impact.id === id);
  const values = Object.assign({}, ...all.map(({ impact }) => impact.values));
  return Object.fromEntries(channelFields.flatMap((name) => (name in values ? [[memberOf(name), values[name]]] : [])));
}

/** Returns whether nobody could get into the thing without a member. Undefined if it is not known. */
async function canLockOut(judging: Judging, list: List): Promise<boolean | undefined> {
  const { lockout } = list.stated;
  if (!lockout) return false;
  const changes = list.all.map(({ n }) => n);
  const unread = { what: lockout.what, allowedBy: "--allow-empty", changes } as const;
  const found = await judging.read(async () => ({ record: await recordOf(judging, list) }), unread);
  return found && found.record !== undefined && lockout.when({ ...found.record, ...setBy(judging, list) });
}

async function judgeList(judging: Judging, list: List, accounts: ReadonlyMap<number, number>): Promise<void> {
  const { all, stated, id } = list;
  const { one } = stated;
  const leaving = all.filter(({ impact }) => impact.does === "leave");
  const changes = [...new Set(leaving.map(({ n }) => n))];
  const leavers = new Set(leaving.flatMap(({ who }) => who));
  const isWhole = changes.some((n) => judging.subjects[n]?.wholeLists?.includes(listKey(stated, id)));
  const isClosed = await canLockOut(judging, list);
  const needed = isWhole || isClosed || leavers.size > fewRemovals;
  const title = needed ? await titleOf(judging, list) : "";
  const present = needed
    ? await judging.read(() => judging.present.members(stated.name, id), {
        what: `who is in ${title}`,
        allowedBy: leavers.size > fewRemovals ? "--max-removals" : "--allow-empty",
        changes,
      })
    : undefined;
  const left = new Set(present);
  for (const { n, impact, who } of all) {
    const moved = who.filter((id) => !present || left.has(id) === (impact.does === "leave"));
    for (const id of moved) impact.does === "leave" ? left.delete(id) : left.add(id);
    if (impact.does !== "leave" || !moved.length) continue;
    const people = stated.of === "user" && { people: moved.length, who: moved.filter((id) => id > 0) };
    judging.add(n, {
      kind: "access_lost",
      text: `takes ${members(stated, moved.length)} out`,
      ...people,
    });
  }
  if (!present) return;
  const total = present.length;
  const count = present.filter((id) => !left.has(id)).length;
  const isEmptied = total > 0 && left.size === 0;
  const share = `${count} of ${counted(total, one)}`;
  judging.lose({ count, total, changes, isList: true, isEmptied, says: `remove ${share} of ${title}` });
  const last = leaving.at(-1)?.n ?? 0;
  // Who stays in it may be deactivated by another change.
  const deactivations = [...left].flatMap((id) => accounts.get(id) ?? []);
  const isDeserted = isClosed && total > 0 && deactivations.length === left.size;
  if (!isDeserted && !(isEmptied && isWhole)) return;
  const whom = total === 1 ? `the only ${one}` : `all ${counted(total, one)}`;
  const more = isClosed && stated.lockout ? ", so that nobody can get in again" : "";
  const does = deactivations.length ? "remove or deactivate" : "remove";
  const together = [...new Set([...changes, ...deactivations])];
  judging.empty({ changes: together, says: `${does} ${whom} of ${title}${more}` });
  if (isClosed && stated.lockout)
    judging.add(Math.max(last, ...deactivations), {
      kind: "last_reader",
      text: stated.lockout.says(title),
      irreversible: true,
    });
  else judging.add(last, { kind: "list_emptied", text: `leaves no ${one} in it` });
}

export async function judgeLists(judging: Judging): Promise<void> {
  const lists = await listsOf(judging);
  const accounts = lists.length ? await leavingAccounts(judging) : new Map<number, number>();
  for (const list of lists) await judgeList(judging, list, accounts);
}

/** Who is in groups and channels, for filters that no server knows. */
import { getMembers } from "../../api/groups.ts";
import { getSubscribers } from "../../api/subscriptions.ts";
import type { User } from "../../api/users.ts";
import type { Given } from "../../argv/given.ts";
import { namesOf } from "../../argv/text.ts";
import type { ShownRequest } from "../../output/report.ts";
import { type Context, showRequest } from "../../run/context.ts";
import { call } from "../../wire/call.ts";

export interface BelongingOptions {
  group?: Given[];
  channel?: Given[];
  notInGroup?: Given[];
  notInChannel?: Given[];
}

/** Flags, what they name, and whether those are kept who are there. */
const flags = {
  group: ["--group", "group", true],
  channel: ["--channel", "channel", true],
  notInGroup: ["--not-in-group", "group", false],
  notInChannel: ["--not-in-channel", "channel", false],
} as const;
type Flag = keyof typeof flags;

/** The reads of those who are there. */
interface Condition {
  flag: string;
  kind: "group" | "channel";
  ids: readonly number[];
  inside: boolean;
}

/** Names as they were typed, by the flags that they were given to. */
export async function typedOf({ world }: Context, options: BelongingOptions): Promise<Map<Flag, string[]>> {
  const typed = new Map<Flag, string[]>();
  for (const [name, [flag]] of Object.entries(flags) as [Flag, (typeof flags)[Flag]][])
    if (options[name]) typed.set(name, await namesOf(world, flag, options[name]));
  return typed;
}

export async function conditionsOf({ find }: Context, typed: ReadonlyMap<Flag, string[]>): Promise<Condition[]> {
  const all: Condition[] = [];
  for (const [name, names] of typed) {
    const [flag, kind, inside] = flags[name];
    const ids = new Set<number>();
    for (const one of names) ids.add(await find[kind](one, flag));
    all.push({ flag, kind, ids: [...ids], inside });
  }
  return all;
}

/** What a dry run shows of the reads. */
export async function readsOf({ find, server }: Context, conditions: readonly Condition[]): Promise<ShownRequest[]> {
  const to = await server();
  return Promise.all(
    conditions.flatMap(({ kind, ids }) =>
      ids.map((id) =>
        kind === "group"
          ? showRequest(to, call(getMembers, { user_group_id: id }), find)
          : showRequest(to, call(getSubscribers, { stream_id: id }), find),
      ),
    ),
  );
}

async function there({ server }: Context, { kind, ids, flag: command }: Condition): Promise<ReadonlySet<number>> {
  const to = await server();
  const all = new Set<number>();
  for (const id of ids) {
    const some =
      kind === "group"
        ? (await to.call(getMembers, { user_group_id: id }, { command })).members
        : (await to.call(getSubscribers, { stream_id: id }, { command })).subscribers;
    for (const one of some) all.add(one);
  }
  return all;
}

/** Whether somebody is where they are to be, and nowhere else. */
export async function belongs(context: Context, conditions: readonly Condition[]): Promise<(user: User) => boolean> {
  const known: { inside: boolean; who: ReadonlySet<number> }[] = [];
  for (const condition of conditions) known.push({ inside: condition.inside, who: await there(context, condition) });
  return ({ user_id }) => known.every(({ inside, who }) => who.has(user_id) === inside);
}

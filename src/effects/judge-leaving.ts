/** Judges what private channels lose with the accounts that a run deactivates: people, their bots, and bots. */
import { lastSubscriber } from "../model/loss.ts";
import { isActive } from "../model/person.ts";
import type { Judging } from "./judging.ts";
import type { AccountNow } from "./present.ts";

/** Returns whether the run brings an account back before it is deactivated. */
async function isBackBefore(judging: Judging, id: number, n: number): Promise<boolean> {
  for (const one of judging.of("reactivate"))
    if (one.n < n && (await judging.idOf(one.impact.account)) === id) return true;
  return false;
}

/** Returns the active bots that a person has when a change runs. */
export function botsOf(judging: Judging, everybody: Iterable<AccountNow>, person: number, n: number): AccountNow[] {
  const owners = new Map<number, number>();
  for (const one of judging.of("give bot")) if (one.n < n) owners.set(one.impact.bot, one.impact.owner);
  return [...everybody].filter(
    (bot) => bot.is_bot && isActive(bot) && (owners.get(bot.user_id) ?? bot.bot_owner_id) === person,
  );
}

/** By account, the number of the change that deactivates it. */
export async function leavingAccounts(judging: Judging): Promise<ReadonlyMap<number, number>> {
  const leaving = new Map<number, number>();
  const people = judging.of("deactivate");
  for (const { n, impact } of judging.of("remove"))
    if (impact.kind === "bot" && typeof impact.id === "number") leaving.set(impact.id, n);
  if (!people.length) return leaving;
  const everybody = await judging.read(() => judging.present.accounts(), {
    what: "who is there",
    changes: people.map(({ n }) => n),
    silent: true,
  });
  for (const { n, impact } of people) {
    const id = await judging.idOf(impact.account);
    if (id === undefined) continue;
    const user = everybody?.get(id);
    if (user && !isActive(user) && !(await isBackBefore(judging, id, n))) continue;
    leaving.set(id, n);
    for (const { user_id } of botsOf(judging, everybody?.values() ?? [], id, n)) leaving.set(user_id, n);
  }
  return leaving;
}

/** Returns whether the run subscribes somebody who stays, or takes somebody out: then the list is judged. */
async function isJudged(judging: Judging, channel: number, leaving: ReadonlyMap<number, number>): Promise<boolean> {
  for (const { impact } of judging.of("join", "leave")) {
    if (impact.list !== "channel subscribers" || (await judging.ownerId(impact)) !== channel) continue;
    if (impact.does === "leave") return true;
    for (const account of impact.who) {
      const id = await judging.idOf(account);
      if (id !== undefined && !leaving.has(id)) return true;
    }
  }
  return false;
}

/** Judges private channels that lose their last subscriber with the accounts alone. */
export async function judgeLeaving(judging: Judging): Promise<void> {
  if (!judging.asks) return;
  const leaving = await leavingAccounts(judging);
  if (!leaving.size) return;
  const changes = [...new Set(leaving.values())];
  const { present } = judging;
  const channels = await judging.read(() => present.channels(), {
    what: "which private channels would have nobody left",
    changes,
  });
  const mayEmpty = [...(channels?.values() ?? [])].filter(
    ({ invite_only, is_archived, subscriber_count: count = 1 }) =>
      invite_only && !is_archived && count > 0 && count <= leaving.size,
  );
  for (const { stream_id, name } of mayEmpty) {
    const members = await judging.read(() => present.members("channel subscribers", stream_id), {
      what: `who is in channel "${name}"`,
      changes,
    });
    if (!members?.length || members.some((id) => !leaving.has(id))) continue;
    if (await isJudged(judging, stream_id, leaving)) continue;
    const last = Math.max(...members.map((id) => leaving.get(id) ?? 0));
    judging.add(last, {
      kind: "last_reader",
      text: lastSubscriber(`channel "${name}"`),
      irreversible: true,
      asks: true,
    });
  }
}

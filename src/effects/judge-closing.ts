/** Judges private channels that nobody is in from the beginning: a new one, and one that becomes private. */
import type { Fields } from "../common/object-members.ts";
import { undefinedOnFailure } from "../errors.ts";
import { memberOf } from "../model/channel.ts";
import { listNamed } from "../model/kinds/lists.ts";
import { channelWithoutSubscribers } from "../model/loss.ts";
import { whoIn } from "../model/permission.ts";
import { peopleIn } from "./group-people.ts";
import type { Judging, Occurrence } from "./judging.ts";

const subscribers = listNamed("channel subscribers");

/** Returns whether a permission lets somebody in who is not subscribed. */
async function letsIn({ present }: Judging, values: Fields): Promise<boolean> {
  const who = (subscribers.lockout?.opensFor ?? []).map((name) => whoIn(values[name]));
  if (who.some(({ direct_members }) => direct_members.length)) return true;
  const groups = who.flatMap(({ direct_subgroups }) => direct_subgroups);
  if (!groups.length) return false;
  const people = peopleIn(await (present.groupsAfter ? present.groupsAfter() : present.groups()));
  return groups.some((id) => people(id).size > 0);
}

/** Returns whether a change of the run subscribes somebody. */
async function isJoined(judging: Judging, id: number): Promise<boolean> {
  for (const { impact } of judging.of("join"))
    if (impact.list === subscribers.name && impact.who.length && (await judging.ownerId(impact)) === id) return true;
  return false;
}

/** Judges a new channel. Nothing is lost with it, so nothing is asked. */
async function judgeNew(judging: Judging, { n, impact }: Occurrence<"create">): Promise<void> {
  const { name, values, members } = impact;
  const isClosed = values[memberOf("is_private")] === true && members?.length === 0;
  const joins = judging.subjects[n]?.impacts.some(({ does }) => does === "join");
  if (!isClosed || joins || (await undefinedOnFailure(letsIn(judging, values))) !== false) return;
  judging.add(n, { kind: "last_reader", text: channelWithoutSubscribers(name), people: 0, irreversible: true });
}

/** Judges a channel that becomes private. Who leaves it in the same run is judged with its list. */
async function judgeClosed(judging: Judging, { n, impact }: Occurrence<"set">): Promise<void> {
  const { id, values } = impact;
  const { present } = judging;
  if (id === undefined) return;
  const unread = { what: "who is in the channel", allowedBy: "--allow-empty", changes: [n] } as const;
  const found = await judging.read(async () => {
    const channel = (await present.channels()).get(id);
    if (!channel || channel.invite_only || channel.subscriber_count) return undefined;
    const isEmpty = !(await present.members(subscribers.name, id)).length;
    return isEmpty && !(await letsIn(judging, { ...channel, ...values })) ? channel : undefined;
  }, unread);
  if (!found || (await isJoined(judging, id))) return;
  const title = `channel "${found.name}"`;
  judging.empty({ changes: [n], says: `make ${title} private without subscribers, so that nobody can get in again` });
  judging.add(n, { kind: "last_reader", text: channelWithoutSubscribers(found.name), irreversible: true });
}

export async function judgeClosing(judging: Judging): Promise<void> {
  for (const { n, impact } of judging.of("set"))
    if (impact.kind === "channel" && impact.values.is_private === true) await judgeClosed(judging, { n, impact });
  if (!judging.depth.shows) return;
  for (const { n, impact } of judging.of("create"))
    if (impact.kind === "channel") await judgeNew(judging, { n, impact });
}

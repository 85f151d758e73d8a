/** What still works after somebody left, and whom to ask for what this account cannot do. */
import { userAddress } from "../../api/users.ts";
import { joinFirst } from "../../common/counted.ts";
import { commandLine } from "../../common/shell-words.ts";
import type { GroupMembership } from "../group-members.ts";
import { activeChannelsOf, groupSettingOf, type Person, type SnapshotChannel } from "../snapshot.ts";

/** The largest number of people that a sentence names. */
const mostNames = 3;

const namesOf = (people: readonly Person[]): string =>
  joinFirst(
    people.map(({ full_name }) => full_name),
    mostNames,
  );

/** The command that makes a new key for a bot. */
export const rotateKeyCommand = (bot: { readonly id: number; readonly email: string | undefined }): string =>
  commandLine(["bots", "rotate-key", bot.email ?? String(bot.id)]);

/** Returns the people who stay, and fulfill a condition. */
const staying = ({ snapshot }: GroupMembership, leaving: ReadonlySet<number>, has: (id: number) => boolean): Person[] =>
  snapshot.organization.realm_users.filter(({ user_id, is_bot }) => !is_bot && !leaving.has(user_id) && has(user_id));

/** Returns the people who stay, are not subscribed to a private channel, and can get in by themselves. */
function canEnter(membership: GroupMembership, channel: SnapshotChannel, leaving: ReadonlySet<number>): Person[] {
  const values = ["can_subscribe_group", "can_add_subscribers_group"].map((name) => groupSettingOf(channel, name));
  const people = values.flatMap((value) => (value === undefined ? [] : [membership.people(value)]));
  return staying(membership, leaving, (id) => people.some((all) => all.has(id)));
}

const subscribersOf = (
  membership: GroupMembership,
  { subscribers = [] }: SnapshotChannel,
  leaving: ReadonlySet<number>,
): Person[] => staying(membership, leaving, (id) => subscribers.includes(id));

/** Returns whether nobody could read a private channel, or get into it, without these people. */
export const isLost = (membership: GroupMembership, channel: SnapshotChannel, leaving: ReadonlySet<number>): boolean =>
  channel.invite_only === true &&
  !subscribersOf(membership, channel, leaving).length &&
  !canEnter(membership, channel, leaving).length;

/** Returns whom to ask for a change that only readers of a channel can make. */
export function whomToAsk(membership: GroupMembership, channel: SnapshotChannel, leaving: ReadonlySet<number>): string {
  const readers = subscribersOf(membership, channel, leaving);
  const others = readers.length ? readers : canEnter(membership, channel, leaving);
  const own = membership.snapshot.organization.realm_users.filter(({ user_id }) => leaving.has(user_id));
  const last = own.filter(({ user_id }) => channel.subscribers?.includes(user_id));
  return others.length ? `ask ${namesOf(others)}` : `ask ${namesOf(last)} to add somebody first`;
}

/** Returns the private channels that nobody can read any more. Servers do not say who could. */
export const lostChannels = (membership: GroupMembership): SnapshotChannel[] =>
  activeChannelsOf(membership.snapshot).filter((channel) => isLost(membership, channel, new Set()));

/** Returns the keys that an offboarding with a successor leaves working, as lines. */
export function remainingKeys({ snapshot }: GroupMembership, leaving: ReadonlySet<number>): string[] {
  const { realm_users } = snapshot.organization;
  const bots = realm_users.filter(({ is_bot, bot_owner_id }) => is_bot && leaving.has(bot_owner_id ?? 0));
  return bots.map((bot) => {
    const command = rotateKeyCommand({ id: bot.user_id, email: userAddress(bot) });
    return `the key of bot ${bot.full_name} still works. Make a new one with: ${command}`;
  });
}

/** Returns the private channels that nobody can read after an offboarding, and whom to ask before, as lines. */
export function unreadableAfter(membership: GroupMembership, leaving: ReadonlySet<number>): string[] {
  const lost = activeChannelsOf(membership.snapshot).filter(
    (channel) => channel.subscribers?.some((id) => leaving.has(id)) && isLost(membership, channel, leaving),
  );
  return lost.map(
    (channel) => `private channel ${channel.name} would have no readers: ${whomToAsk(membership, channel, leaving)}`,
  );
}

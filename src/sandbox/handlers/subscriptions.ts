import { getSubscribers, getSubscriptions, subscribe, unsubscribe } from "../../api/subscriptions.ts";
import { strip } from "../../folding.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import {
  activeUser,
  addsSubscribers,
  hasContentAccess,
  insufficient,
  removesSubscribers,
  visibleChannel,
} from "../access.ts";
import { refused } from "../answers.ts";
import {
  aBoolean,
  aList,
  anInteger,
  aString,
  type Check,
  type Decoder,
  fromJson,
  isObject,
  member,
} from "../decode.ts";
import { channelCreated, defaultsChanged, subscribed, subscriptionRecord, unsubscribed } from "../events/channels.ts";
import { activeOnly } from "../groups.ts";
import { channelRules, namesOf } from "../permissions.ts";
import { type Call, on } from "../router.ts";
import { type Channel, channelNamed, isGuest, shownEmail, type User } from "../state.ts";
import { checkChannelName, lengthOf } from "../text.ts";
import {
  checkCreation,
  checkFolder,
  creationDecoders,
  makeChannel,
  newSettings,
  retentionDays,
} from "./channel-life.ts";

const hexColor = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

const aSubscription: Check<{ name: string; description: string }> = (value, path) => {
  if (!isObject(value)) {
    throw refused(`Invalid ${path}: Input should be a valid dictionary or instance of AddSubscriptionData`);
  }
  const name = member(value, "name", path, aString);
  const { color, description } = value;
  if (color !== undefined && color !== null) {
    const given = aString(color, `${path}["color"]`);
    if (!hexColor.test(given)) {
      throw refused(`Invalid ${path}: Value error, add.color is not a valid hex color code`);
    }
  }
  if (description === undefined || description === null) return { name, description: "" };
  const text = aString(description, `${path}["description"]`);
  if (lengthOf(text) > 1024) throw refused(`${path}["description"] is too long (limit: 1024 characters)`);
  return { name, description: text };
};

/** Ids or addresses; of the two the server reports the failure of the addresses, where the first is none of either. */
const principals: Decoder<number[] | string[]> = fromJson((value, name) => {
  if (!Array.isArray(value)) throw refused(`${name}["list[str]"] is not a list`);
  if (value.every((each) => typeof each === "number" || typeof each === "bigint")) return aList(anInteger)(value, name);
  return aList(aString)(value, `${name}["list[str]"]`);
});

/** The people whom the call is about: oneself where nobody is named. */
function people({ state, caller }: Call, named: readonly (number | string)[] = []): User[] {
  if (named.length === 0) return [caller];
  const byAddress = (address: string) =>
    [...state.users.values()].find((user) => shownEmail(state, user).toLowerCase() === address.toLowerCase())?.user_id;
  const found = named.map((each) => activeUser(state, typeof each === "string" ? (byAddress(each) ?? 0) : each));
  return [...new Set(found)];
}

const forOthers = ({ state, caller }: Call, named: readonly (number | string)[] = []): boolean =>
  named.some((each) => each !== caller.user_id && each !== shownEmail(state, caller));

const byId = (names: ReadonlyMap<User, string[]>): object =>
  Object.fromEntries([...names].map(([user, list]) => [user.user_id, list]));

function add(call: Call, given: ArgsOf<typeof subscribe>): object {
  const { state, caller, level } = call;
  const { subscriptions, principals: named, authorization_errors_fatal: fatal = true } = given;
  const settings = newSettings(call, given);
  checkFolder(call, given);
  const days = given.message_retention_days;
  // Too large a number breaks only where a channel is made.
  if (subscriptions.length > 0 && days !== undefined && !(Number(days) > 0)) retentionDays(days);
  const names = new Map(subscriptions.map(({ name, description = "" }) => [strip(name), description]));
  for (const name of names.keys()) checkChannelName(name);
  if ([...names.keys()].some((name) => !channelNamed(state, name))) checkCreation(call, given);
  const existing = [...new Set([...names.keys()].flatMap((name) => channelNamed(state, name) ?? []))];
  const others = forOthers(call, named);
  const admitted = existing.filter((channel) =>
    others ? addsSubscribers(state, caller, channel) : !isGuest(caller) && hasContentAccess(state, caller, channel),
  );
  const refusedOnes = existing.filter((channel) => !admitted.includes(channel));
  const [closed] = refusedOnes;
  if (closed && fatal) throw refused(`Unable to access channel (${closed.name}).`);
  const those = people(call, named);
  const created: Channel[] = [];
  for (const [name, description] of names) {
    // Names that differ only in case are one channel.
    if (channelNamed(state, name)) continue;
    // At level 371 the channels of one request share permissions with people.
    const own = level > 371 ? structuredClone(settings) : { ...settings };
    const channel = makeChannel(call, { name, description, settings: own }, { ...given, is_default_stream: false });
    created.push(channel);
    channelCreated(call, channel);
  }
  const came = new Map<User, string[]>();
  const there = new Map<User, string[]>();
  const moves = new Map<Channel, User[]>();
  for (const channel of [...admitted, ...created]) {
    for (const user of those) {
      const list = channel.subscribers.has(user.user_id) ? there : came;
      list.set(user, [...(list.get(user) ?? []), channel.name]);
      if (list === there) continue;
      channel.subscribers.add(user.user_id);
      channel.unsubscribed.delete(user.user_id);
      moves.set(channel, [...(moves.get(channel) ?? []), user]);
    }
  }
  subscribed(call, moves);
  if (given.is_default_stream) {
    for (const channel of created) {
      channel.is_default = true;
      defaultsChanged(call);
    }
  }
  const counts = level >= 397 && given.send_new_subscription_messages !== false;
  return {
    subscribed: byId(came),
    already_subscribed: byId(there),
    ...(fatal ? {} : { unauthorized: refusedOnes.map(({ name }) => name) }),
    ...(counts ? { new_subscription_messages_sent: came.size <= 100 } : {}),
  };
}

function remove(call: Call, names: readonly string[], named: readonly (number | string)[]): object {
  const { state, caller } = call;
  const wanted = new Set(names.map(strip));
  const those = people(call, named);
  for (const name of wanted) checkChannelName(name);
  const unknown = [...wanted].filter((name) => !channelNamed(state, name));
  const channels = [...new Set([...wanted].flatMap((name) => channelNamed(state, name) ?? []))];
  const own = ({ user_id, bot_owner_id }: User) => user_id === caller.user_id || bot_owner_id === caller.user_id;
  if (!those.every(own) && channels.some((channel) => !removesSubscribers(state, caller, channel)))
    throw insufficient();
  if (unknown.length > 0) throw refused(`Channel(s) (${unknown.join(", ")}) do not exist`);
  const removed: string[] = [];
  const not_removed: string[] = [];
  const moves = new Map<Channel, User[]>();
  for (const user of those) {
    for (const channel of channels) {
      const was = channel.subscribers.delete(user.user_id);
      (was ? removed : not_removed).push(channel.name);
      if (!was) continue;
      channel.unsubscribed.add(user.user_id);
      moves.set(channel, [...(moves.get(channel) ?? []), user]);
    }
  }
  unsubscribed(call, moves);
  return { removed, not_removed };
}

export const subscribersWanted: Decoder<boolean> = (text, name, level) => {
  if (level < 412) return fromJson(aBoolean)(text, name, level);
  if (text !== "true" && text !== "false" && text !== "partial") throw refused(`Invalid ${name}`);
  return text !== "false";
};

export const subscriptionRoutes = [
  on(getSubscriptions, { decode: { include_subscribers: subscribersWanted } }, (call, { include_subscribers }) => {
    const own = [...call.state.channels.values()].filter(
      (channel) => !channel.is_archived && channel.subscribers.has(call.caller.user_id),
    );
    const shown = { subscribers: include_subscribers ?? false, nulls: true };
    return { subscriptions: own.map((channel) => subscriptionRecord(call, channel, shown)) };
  }),

  on(
    subscribe,
    {
      who: "member",
      botsSince: 0,
      order: [
        "announce",
        "authorization_errors_fatal",
        ...namesOf(channelRules),
        "history_public_to_subscribers",
        "invite_only",
        "is_default_stream",
        "is_web_public",
        "message_retention_days",
        "principals",
        "subscriptions",
      ],
      decode: { subscriptions: fromJson(aList(aSubscription)), principals, ...creationDecoders },
    },
    add,
  ),

  on(unsubscribe, { decode: { principals } }, (call, { subscriptions, principals: named = [] }) =>
    remove(call, subscriptions, named),
  ),

  on(getSubscribers, {}, (call, { stream_id }) => {
    const { state, caller, level } = call;
    const channel = visibleChannel(state, caller, stream_id);
    if (channel.is_archived && level < 480) throw refused("Invalid channel ID");
    return { subscribers: activeOnly(state, channel.subscribers) };
  }),
];

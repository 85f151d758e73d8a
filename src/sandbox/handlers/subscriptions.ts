import { getSubscribers } from "../../api/subscribers.ts";
import { getSubscriptions, subscribe, unsubscribe } from "../../api/subscriptions.ts";
import { strip } from "../../common/folding.ts";
import { groupBy } from "../../common/group-by.ts";
import { namesOf } from "../../common/object-members.ts";
import { inherited } from "../../model/channel.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import {
  activeUser,
  canAddSubscribers,
  canRemoveSubscribers,
  hasContentAccess,
  insufficientPermission,
} from "../access.ts";
import { badRequest } from "../answers.ts";
import * as decode from "../decode.ts";
import * as events from "../events/channels.ts";
import { activeOnly } from "../groups.ts";
import { updateSubscriptions } from "../other-operations.ts";
import { type HandlerCall, on } from "../router.ts";
import { findChannel, isGuest, type StoredChannel, type StoredUser, userByAddress, visibleEmail } from "../state.ts";
import { checkChannelName } from "../text.ts";
import {
  accessibleChannel,
  checkCreation,
  checkFolder,
  creationDecoders,
  makeChannel,
  newSettings,
} from "./channels.ts";

const hexColor = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

const aSubscription: decode.Check<{ name: string; description: string }> = (value, path) => {
  const data = decode.instanceOf("AddSubscriptionData")(value, path);
  const name = decode.requiredMember(data, "name", path, decode.aString);
  const { color = null, description = null } = data;
  if (color !== null && !hexColor.test(decode.aString(color, `${path}["color"]`))) {
    throw badRequest(`Invalid ${path}: Value error, add.color is not a valid hex color code`);
  }
  const memberPath = `${path}["description"]`;
  const text = decode.orNull(decode.aString)(description, memberPath) ?? "";
  return { name, description: decode.maxLength(1024)(text, memberPath) };
};

/** Ids or addresses. Where the first is neither, the server reports a failure of the addresses. */
const principalsDecoder: decode.Decoder<number[] | string[]> = decode.fromJson((value, name) => {
  if (!Array.isArray(value)) throw badRequest(`${name}["list[str]"] is not a list`);
  if (value.every((each) => typeof each === "number" || typeof each === "bigint")) {
    return decode.aList(decode.anInteger)(value, name);
  }
  return decode.aList(decode.aString)(value, `${name}["list[str]"]`);
});

const aNames = decode.aList(decode.aString);

/** The people that the request names, or the caller if it names nobody. */
function findPeople({ state, caller }: HandlerCall, principals: readonly (number | string)[]): StoredUser[] {
  if (principals.length === 0) return [caller];
  const ids = principals.map((each) => (typeof each === "string" ? (userByAddress(state, each)?.user_id ?? 0) : each));
  return [...new Set(ids.map((id) => activeUser(state, id)))];
}

/** The channels of these names, each once. Names that differ only in case are one channel. */
const channelsOf = ({ state }: HandlerCall, names: Iterable<string>): StoredChannel[] => [
  ...new Set([...names].flatMap((name) => findChannel(state, name) ?? [])),
];

const namesById = (pairs: readonly events.Subscription[]): object =>
  Object.fromEntries(
    [...groupBy(pairs, ({ user }) => user.user_id)].map(([id, list]) => [id, list.map(({ channel }) => channel.name)]),
  );

function addSubscriptions(call: HandlerCall, args: ArgsOf<typeof subscribe>): object {
  const { state, caller, level } = call;
  const { subscriptions, principals = [], authorization_errors_fatal: fatal = true } = args;
  checkFolder(call, args.folder_id);
  const settings = newSettings(call, args);
  const days = args.message_retention_days ?? inherited;
  if (subscriptions.length > 0 && days !== inherited) decode.orUnlimited("message_retention_days", days, -1);
  const names = new Map(subscriptions.map(({ name, description = "" }) => [strip(name), description]));
  for (const name of names.keys()) checkChannelName(name);
  if ([...names.keys()].some((name) => !findChannel(state, name))) checkCreation(call, args);
  const hasOthers = principals.some((each) => each !== caller.user_id && each !== visibleEmail(state, caller));
  const canSubscribe = (channel: StoredChannel) =>
    hasOthers
      ? canAddSubscribers(state, caller, channel)
      : !isGuest(caller) && hasContentAccess(state, caller, channel);
  const existing = channelsOf(call, names.keys());
  const inaccessible = existing.filter((channel) => !canSubscribe(channel));
  if (inaccessible[0] && fatal) throw badRequest(`Unable to access channel (${inaccessible[0].name}).`);
  const users = findPeople(call, principals);
  const created: StoredChannel[] = [];
  for (const [name, description] of names) {
    if (findChannel(state, name)) continue;
    // At level 371 the channels of one request share permissions with people.
    const own = level > 371 ? structuredClone(settings) : { ...settings };
    const channel = makeChannel(call, { name, description, settings: own }, { ...args, is_default_stream: false });
    created.push(channel);
    events.sendChannelCreated(call, channel);
  }
  const isSubscribed = ({ channel, user }: events.Subscription) => channel.subscribers.has(user.user_id);
  const pairs = [...existing.filter(canSubscribe), ...created].flatMap((channel) =>
    users.map((user) => ({ channel, user })),
  );
  const already = pairs.filter(isSubscribed);
  const added = pairs.filter((pair) => !isSubscribed(pair));
  for (const { channel, user } of added) {
    channel.subscribers.add(user.user_id);
    channel.unsubscribed.delete(user.user_id);
  }
  events.sendSubscribed(call, added);
  if (args.is_default_stream) {
    for (const channel of created) {
      channel.is_default = true;
      events.sendDefaultChannels(call);
    }
  }
  const hasMessageCount = level >= 397 && args.send_new_subscription_messages !== false;
  const subscribedNames = namesById(added);
  return {
    subscribed: subscribedNames,
    already_subscribed: namesById(already),
    ...(fatal ? {} : { unauthorized: inaccessible.map(({ name }) => name) }),
    ...(hasMessageCount ? { new_subscription_messages_sent: Object.keys(subscribedNames).length <= 100 } : {}),
  };
}

function removeSubscriptions(
  call: HandlerCall,
  list: readonly string[],
  principals: readonly (number | string)[],
): object {
  const { state, caller } = call;
  const requested = new Set(list.map(strip));
  const users = findPeople(call, principals);
  for (const name of requested) checkChannelName(name);
  const unknown = [...requested].filter((name) => !findChannel(state, name));
  const channels = channelsOf(call, requested);
  const own = ({ user_id, bot_owner_id }: StoredUser) => user_id === caller.user_id || bot_owner_id === caller.user_id;
  const isAllowed = !isGuest(caller) && channels.every((channel) => canRemoveSubscribers(state, caller, channel));
  if (!users.every(own) && !isAllowed) throw insufficientPermission();
  if (unknown.length > 0) throw badRequest(`Channel(s) (${unknown.join(", ")}) do not exist`);
  const pairs = users.flatMap((user) => channels.map((channel) => ({ channel, user })));
  const removed = pairs.filter(({ channel, user }) => channel.subscribers.delete(user.user_id));
  for (const { channel, user } of removed) channel.unsubscribed.add(user.user_id);
  events.sendUnsubscribed(call, removed);
  const names = (list: readonly events.Subscription[]) => list.map(({ channel }) => channel.name);
  return { removed: names(removed), not_removed: names(pairs.filter((pair) => !removed.includes(pair))) };
}

export const includeSubscribers: decode.Decoder<boolean> = (text, name, level) => {
  if (level < 412) return decode.fromJson(decode.aBoolean)(text, name, level);
  return decode.anyOf(["true", "false", "partial"])(text, name) !== "false";
};

export const subscriptionRoutes = [
  on(getSubscriptions, { decode: { include_subscribers: includeSubscribers } }, (call, { include_subscribers }) => {
    const own = [...call.state.channels.values()].filter(
      (channel) => !channel.is_archived && channel.subscribers.has(call.caller.user_id),
    );
    const shown = { subscribers: include_subscribers ?? false, nulls: true };
    return { subscriptions: own.map((channel) => events.subscriptionRecord(call, channel, shown)) };
  }),

  on(
    subscribe,
    {
      botsSince: 0,
      order: namesOf(subscribe.params).sort(),
      decode: {
        subscriptions: decode.fromJson(decode.aList(aSubscription)),
        principals: principalsDecoder,
        ...creationDecoders,
      },
    },
    addSubscriptions,
  ),

  on(unsubscribe, { decode: { principals: principalsDecoder } }, (call, { subscriptions, principals: people = [] }) =>
    removeSubscriptions(call, subscriptions, people),
  ),

  // It adds as POST does, then removes as DELETE does.
  on(
    updateSubscriptions,
    { botsSince: 0, decode: { add: decode.fromJson(decode.aList(aSubscription)), delete: decode.fromJson(aNames) } },
    (call, { add = [], delete: removed = [] }) => {
      if (add.length === 0 && removed.length === 0)
        throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
      return {
        ...addSubscriptions(call, { subscriptions: add }),
        ...removeSubscriptions(call, removed, []),
      };
    },
  ),

  on(getSubscribers, {}, (call, { stream_id }) => ({
    subscribers: activeOnly(call.state, accessibleChannel(call, stream_id).subscribers),
  })),
];

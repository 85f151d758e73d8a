import { counted } from "../common/counted.ts";
import { membersOf } from "../common/object-members.ts";
import { largestPortion } from "../model/kinds/lists.ts";
import { changesOf, membership } from "../wire/membership.ts";
import { operation } from "../wire/operation.ts";
import { json, maybe, text, unsent } from "../wire/params.ts";
import { anything, boolean, either, integer, list, object, optional, record, string } from "../wire/types.ts";
import { type ChannelCreation, channelParams, existingChannel, updateAsCreated } from "./channel-creation.ts";
import { channelSchema, impliedByCreation } from "./channels.ts";
import { channelSubscribers } from "./subscribers.ts";

const principals = maybe(json(either(list(integer), list(string)), { of: "user" }));

/** The request has names of channels. The id of an existing channel is known too. */
const stream_id = maybe(unsent(integer, { of: "channel" }));

type People = Readonly<Record<string, string[]>>;

/** Returns the arguments with only these people. */
const only = <A extends { principals?: readonly (number | string)[] | undefined }>(args: A, people: number[]) => ({
  stream_id: "stream_id" in args ? args.stream_id : undefined,
  principals: people,
});

const target = ({ stream_id }: { stream_id?: number | undefined }) =>
  stream_id === undefined ? undefined : `channel ${stream_id}`;

const ids = (principals: readonly (number | string)[] = []) => principals.filter((each) => typeof each === "number");

/** Returns the part of an answer that is about these people. */
const partFor = (people: People, principals: readonly (number | string)[] = []): People =>
  Object.fromEntries(
    principals.flatMap((id) => {
      const person = Object.hasOwn(people, id) ? people[id] : undefined;
      return person ? [[String(id), person]] : [];
    }),
  );

/** `2 subscribers added, 1 was subscribed already`. */
const countMembers = (changed: number, not: number, did: string, was: string): Record<string, string> => {
  const words = [
    ...(changed || !not ? [`${counted(changed, "subscriber")} ${did}`] : []),
    ...(not ? [`${not} ${not === 1 ? "was" : "were"} ${was}`] : []),
  ];
  return { members: words.join(", ") };
};

/** https://zulip.com/api/get-subscriptions */
export const getSubscriptions = operation("channel.subscriptions", "GET /users/me/subscriptions", {
  params: {
    include_subscribers: maybe(
      text({
        older: [{ below: 412, encoding: "json", convert: (word) => word === "true", type: boolean }],
      }),
    ),
  },
  result: { subscriptions: list(channelSchema) },
});

/** https://zulip.com/api/subscribe */
export const subscribe = operation("channel.subscribe", "POST /users/me/subscriptions", {
  effects: ({ subscriptions = [], principals, stream_id, ...values }) =>
    stream_id === undefined
      ? subscriptions.map(({ name }) => ({
          ...{ does: "create", kind: "channel", name, values },
          members: principals?.length ? principals : ["self"],
        }))
      : [{ does: "join", list: "channel subscribers", of: stream_id, who: principals ?? ["self"] }],
  who: { role: "member" },
  params: {
    subscriptions: json(list(object({ name: string, description: optional(string), color: optional(anything) }))),
    principals,
    stream_id,
    authorization_errors_fatal: maybe(json(boolean)),
    announce: maybe(json(boolean)),
    ...channelParams,
    send_new_subscription_messages: maybe(json(boolean, { since: 397 })),
  },
  // For an existing channel the other settings are ignored.
  implies: (args) => (args.stream_id === undefined ? impliedByCreation(args) : []),
  result: { subscribed: record(list(string)), already_subscribed: record(list(string)) },
  existing: {
    ...existingChannel(
      ({ subscriptions: [first] }: { subscriptions: readonly { name: string }[] } & ChannelCreation) =>
        first?.name ?? "",
    ),
    update: (thing, asked, { subscriptions: [first] }) =>
      updateAsCreated(thing, { ...asked, description: first?.description }),
    members: { principals: (id, added) => membership(channelSubscribers, id, added) },
  },
  target,
  withName: (args, name) => ({ ...args, subscriptions: [{ ...args.subscriptions[0], name }] }),
  merging: {
    key: (args) => target(args) && `${target(args)} ${args.send_new_subscription_messages}`,
    size: ({ principals = [] }) => principals.length,
    largest: largestPortion,
    combine: (all) => ({ ...all[0], principals: all.flatMap(({ principals }) => ids(principals)) }),
    share: ({ subscribed = {}, already_subscribed = {} }, { args: { principals } }) => ({
      subscribed: partFor(subscribed, principals),
      already_subscribed: partFor(already_subscribed, principals),
    }),
  },
  memberships: changesOf("channel.subscribe", [channelSubscribers]).memberships,
  effective: (args, { subscribed, already_subscribed }) => {
    if (args.stream_id === undefined) return args;
    const [added, unchanged] = [membersOf(subscribed), membersOf(already_subscribed)];
    const people = ids(args.principals);
    const isTold = people.every((id) => Object.hasOwn(added, id) || Object.hasOwn(unchanged, id));
    return isTold
      ? only(
          args,
          people.filter((id) => Object.hasOwn(added, id)),
        )
      : undefined;
  },
  describeAnswer: ({ subscribed, already_subscribed = {} }) =>
    subscribed
      ? countMembers(
          Object.keys(subscribed).length,
          Object.keys(already_subscribed).length,
          "added",
          "subscribed already",
        )
      : {},
});

/** https://zulip.com/api/unsubscribe */
export const unsubscribe = operation("channel.unsubscribe", "DELETE /users/me/subscriptions", {
  effects: ({ subscriptions = [], principals, stream_id }) =>
    (stream_id === undefined ? subscriptions : [stream_id]).map((of) => ({
      does: "leave",
      list: "channel subscribers",
      of,
      who: principals ?? ["self"],
    })),
  params: { subscriptions: json(list(string)), principals, stream_id },
  result: { removed: list(string), not_removed: list(string) },
  target,
  withName: (args, name) => ({ ...args, subscriptions: [name] }),
  merging: {
    key: target,
    size: ({ principals = [] }) => principals.length,
    largest: largestPortion,
    combine: (all) => ({ ...all[0], principals: all.flatMap(({ principals }) => ids(principals)) }),
    // The answer has the name of the channel once for each person.
    share: ({ removed = [], not_removed = [] }, { size }) => {
      if (!removed.length === !not_removed.length) return {};
      return { removed: removed.slice(0, size), not_removed: not_removed.slice(0, size) };
    },
  },
  memberships: changesOf("channel.unsubscribe", [channelSubscribers]).memberships,
  // The answer has names of channels. It does not tell who of several was subscribed.
  effective: (args, { removed, not_removed }) => {
    if (!Array.isArray(not_removed) || !Array.isArray(removed)) return undefined;
    const people = ids(args.principals);
    if (!not_removed.length || (people.length && removed.length === people.length)) return only(args, people);
    return removed.length ? undefined : only(args, []);
  },
  describeAnswer: ({ removed, not_removed = [] }) =>
    removed ? countMembers(removed.length, not_removed.length, "removed", "not subscribed") : {},
});

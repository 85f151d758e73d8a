/**
 * Channels. A new one is made with everything that its call takes, and keeps. A change of one that is there is no
 * transaction: what can be refused for a reason of its own goes in a request of its own.
 */
import { archiveChannel, createChannel, creation } from "../../api/channel-create.ts";
import { updateChannel } from "../../api/channels.ts";
import { subscribe } from "../../api/subscriptions.ts";
import type { Creation, FieldChange, Update, Values } from "../difference.ts";
import type { Channel } from "../snapshot.ts";
import { channelIn } from "./channel-in.ts";
import { given, type OrderContext, portions, whole, without } from "./context.ts";
import type { Draft, Facts } from "./draft.ts";
import { expectable } from "./expecting.ts";
import { groupsIn, isPermission } from "./groups.ts";
import { leftBehind } from "./left.ts";
import { nameFact } from "./names.ts";
import { renamed, setAside } from "./renaming.ts";
import { inside, membersDraft } from "./subscribers.ts";

/** Checked when a channel is made, and not kept. */
const notKept = ["can_create_topic_group", "can_delete_any_message_group", "can_delete_own_message_group"];

/** By attribute, the parameter. */
const parameters: Readonly<Record<string, string>> = {
  folder: "folder_id",
  is_private: "invite_only",
  name: "new_name",
};

const settings = new Set(Object.keys(creation));

/** What the call that makes channels takes of the values, and what only a later one does. */
function parted(context: OrderContext, to: Values): { args: Record<string, unknown>; late: [string, unknown][] } {
  const args: Record<string, unknown> = {};
  const late: [string, unknown][] = [];
  for (const [field, value] of Object.entries(to)) {
    if (["name", "description", "subscribers", "archived"].includes(field)) continue;
    const parameter = parameters[field] ?? field;
    const tooOld = field === "is_default_stream" && context.snapshot.feature_level < 200;
    if (notKept.includes(field) || tooOld || !settings.has(parameter)) late.push([field, value]);
    else if (field === "folder")
      args[parameter] = value === null ? undefined : context.ids.known("folders", value as number);
    else args[parameter] = isPermission(field) ? context.ids.who(value) : value;
  }
  return { args: given(args), late };
}

export function newChannelDrafts(context: OrderContext, of: number, { name, to }: Creation): Draft[] {
  const { ids, snapshot, me } = context;
  const id = ids.of(of);
  const { args, late } = parted(context, to);
  const called = (to.name ?? name) as string;
  const subscribers = (to.subscribers ?? []) as number[];
  const description = to.description as string | undefined;
  const make = {
    of,
    part: "create",
    fields: Object.keys(to).filter((field) => !late.some(([each]) => each === field)),
    does: "created",
    makes: { member: "id", id },
    provides: [`${id} is made`, ...(to.is_web_public ? ["channels were made web-public"] : [])],
    needs: [nameFact("channels", called), ...(to.is_web_public ? ["channels may be web-public"] : [])],
  };
  const now = snapshot.feature_level >= createChannel.since!;
  const made = now
    ? whole({ ...make, operation: createChannel, args: given({ name: called, subscribers, description, ...args }) })
    : whole({
        ...make,
        operation: subscribe,
        args: { subscriptions: [given({ name: called, description })], principals: subscribers, ...args },
        newChannel: called,
      });
  const changes = late.map(([field, value]): FieldChange => ({ field, to: value }));
  // The older call subscribes somebody in any case: the caller, where nobody else is named.
  const left = now || subscribers.length ? [] : [membersDraft(of, id, called, ["unsubscribe", 0], [me], context)];
  return [made, ...left, ...settingDrafts(context, of, id, changes, undefined)];
}

/** The members of one request share what they can be refused for. */
const parts: Readonly<Record<string, string>> = {
  is_private: "access",
  is_web_public: "access",
  history_public_to_subscribers: "access",
  is_default_stream: "access",
  folder: "access",
  default_push_notifications: "access",
  name: "name",
  description: "description",
  message_retention_days: "retention",
  topics_policy: "topics",
};

function argumentOf(context: OrderContext, now: Channel | undefined, { field, to }: FieldChange): unknown {
  if (field === "folder") return to === null ? null : context.ids.known("folders", to as number);
  if (!isPermission(field)) return to;
  // Older servers take the group alone.
  const old = context.snapshot.feature_level >= 320 ? (now as Record<string, unknown> | undefined)?.[field] : undefined;
  return { new: context.ids.who(to), ...(expectable(old) && { old }) };
}

/** Without it, the server would protect or open the history as it sees fit. */
const keptHistory = (now: Channel | undefined, values: Values): Values =>
  values.is_private === true && !("history_public_to_subscribers" in values) && now?.history_public_to_subscribers
    ? { history_public_to_subscribers: true }
    : {};

/** What a request needs beyond its values, and what it makes possible. */
function factsOf(context: OrderContext, of: number, id: number, part: string, changes: readonly FieldChange[]): Facts {
  const provides = changes.flatMap(({ field, from, to }) => leftBehind(field, from, to));
  const needs: string[] = [];
  const follows: string[] = [];
  for (const { field, from, to } of changes) {
    if (field === "name") {
      const facts = renamed(context, of, { section: "channels", id }, { from, to });
      needs.push(...facts.needs);
      provides.push(...facts.provides);
    }
    if (field === "is_private") {
      if (to) {
        follows.push(inside(id));
        provides.push(`channel ${id} is private`);
      } else {
        needs.push(`channel ${id} takes no requests for moderation`);
        provides.push(`channel ${id} is open`);
      }
    }
    if (field === "is_web_public" && to) {
      provides.push("channels were made web-public");
      needs.push("channels may be web-public");
    }
    if (field === "history_public_to_subscribers")
      (to ? provides : needs).push(
        to ? `channel ${id} shares its history` : `channel ${id} lets everyone start topics`,
      );
    if (field === "can_create_topic_group") {
      provides.push(`channel ${id} lets everyone start topics`);
      follows.push(`channel ${id} shares its history`);
    }
    if (field === "can_add_subscribers_group" || field === "can_subscribe_group") {
      provides.push(inside(id));
      // Who adds people to a private channel may do so by one of these.
      follows.push(`channel ${id} is open`, `channel ${id} has its new subscribers`);
    }
  }
  if (part !== "name") needs.push(`channel ${id} is in use`);
  return { provides: [...provides, `channel ${id} was changed`], needs, follows };
}

function settingDrafts(
  context: OrderContext,
  of: number,
  id: number,
  changes: readonly FieldChange[],
  now: Channel | undefined,
): Draft[] {
  const groups = new Map<string, FieldChange[]>();
  for (const change of changes) {
    const part = parts[change.field] ?? change.field;
    groups.set(part, [...(groups.get(part) ?? []), change]);
  }
  return [...groups].map(([part, some]) => {
    const values = Object.fromEntries(
      some.map((change) => [
        change.field === "is_private" ? "is_private" : (parameters[change.field] ?? change.field),
        argumentOf(context, now, change),
      ]),
    );
    return whole({
      of,
      part,
      operation: updateChannel,
      args: { stream_id: id, ...values, ...keptHistory(now, values) },
      fields: some.map(({ field }) => field),
      ...factsOf(context, of, id, part, some),
    });
  });
}

export function channelDrafts(context: OrderContext, of: number, { id: known, action, fields, name }: Update): Draft[] {
  const id = known!;
  const now = channelIn(context.snapshot, id);
  const called = now?.name ?? name;
  const members = fields.find(({ field }) => field === "subscribers");
  const [added, removed] = [without<number>(members?.to, members?.from), without<number>(members?.from, members?.to)];
  const one = { of, operation: updateChannel };
  const drafts = [
    ...setAside(context, of, { section: "channels", id }, called, (name) => ({
      operation: updateChannel,
      args: { stream_id: id, new_name: name },
    })),
    ...portions(context, added).map((some, n) => membersDraft(of, id, called, ["subscribe", n], some, context)),
    ...(action === "unarchive"
      ? [
          whole({
            ...one,
            part: "unarchive",
            args: { stream_id: id, is_archived: false },
            fields: ["archived"],
            does: "unarchived",
            // A private channel without subscribers stays in the archive.
            needs: [`channel ${id} has its new subscribers`],
            provides: [`channel ${id} is in use`],
          }),
        ]
      : []),
    ...settingDrafts(
      context,
      of,
      id,
      fields.filter(({ field }) => field !== "subscribers" && field !== "archived"),
      now,
    ),
    ...portions(context, removed).map((some, n): Draft => {
      const draft = membersDraft(of, id, called, ["unsubscribe", n], some, context);
      // Nobody leaves before the others have come: a private channel without subscribers is lost.
      const come = added.length ? [`channel ${id} has its new subscribers`] : [];
      return { ...draft, needs: [...(draft.needs ?? []), ...come] };
    }),
  ];
  if (action !== "archive") return drafts;
  return [
    ...drafts,
    whole({
      of,
      part: "archive",
      operation: archiveChannel,
      args: { stream_id: id },
      fields: ["archived"],
      does: "archived",
      needs: [`channel ${id} was left`],
      follows: [`channel ${id} was changed`, `channel ${id} was named`],
      provides: leftBy(now),
    }),
  ];
}

/** The groups that an archived channel uses no more. */
const leftBy = (channel: Channel | undefined): string[] =>
  Object.entries(channel ?? {})
    .filter(([field]) => isPermission(field))
    .flatMap(([, value]) => groupsIn(value))
    .map((id) => `group ${id} was left`);

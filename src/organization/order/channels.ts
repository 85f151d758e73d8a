/**
 * Channels. A new one is made with everything that its call takes, and keeps. A change of one that is there is no
 * transaction: what can be refused for a reason of its own goes in a request of its own.
 */
import { archiveChannel, createChannel, creation, updateChannel } from "../../api/channels.ts";
import { makesNone, subscribe, unsubscribe } from "../../api/subscriptions.ts";
import { groupBy } from "../../group-by.ts";
import type { Creation, FieldChange, Update, Values } from "../difference.ts";
import type { Channel } from "../snapshot.ts";
import {
  given,
  isPermission,
  listOf,
  numbered,
  type OrderContext,
  permissionArgument,
  portions,
  releasedBy,
  releasedGroups,
  without,
} from "./context.ts";
import { type Draft, type Facts, phases } from "./draft.ts";
import { nameFact, renamed, setAside } from "./names.ts";

/** Checked when a channel is made, and not kept. */
const notKept = ["can_create_topic_group", "can_delete_any_message_group", "can_delete_own_message_group"];

/** By attribute, the parameter. */
const parameters: Readonly<Record<string, string>> = {
  folder: "folder_id",
  is_private: "invite_only",
  name: "new_name",
};

/** Within a channel: it is opened before people come, and closed when everything else is done. */
const order = { opens: 0.1, subscribe: 0.2, settings: 0.3, closes: 0.4, unsubscribe: 0.5 };

/** What the call that makes channels takes of the values, and what only a later one does. */
function parted({ ids }: OrderContext, to: Values): { args: Values; late: FieldChange[] } {
  const args: Record<string, unknown> = {};
  const late: FieldChange[] = [];
  for (const [field, value] of Object.entries(to)) {
    if (["name", "description", "subscribers", "archived"].includes(field)) continue;
    const parameter = parameters[field] ?? field;
    if (notKept.includes(field) || !Object.hasOwn(creation, parameter)) late.push({ field, to: value });
    else if (field === "folder") args[parameter] = value === null ? undefined : ids.known("folders", value);
    else args[parameter] = isPermission(field) ? ids.who(value) : value;
  }
  return { args: given(args), late };
}

export function newChannelDrafts(context: OrderContext, of: number, { name, to }: Creation): Draft[] {
  const { ids, snapshot, me } = context;
  const id = ids.of(of);
  const { args, late } = parted(context, to);
  const called = String(to.name ?? name);
  const subscribers = listOf<number>(to.subscribers);
  const { description } = to;
  const byName = snapshot.feature_level < (createChannel.since ?? 0);
  const made: Draft = {
    of,
    part: "create",
    phase: phases.channels + 0.6,
    operation: byName ? subscribe : createChannel,
    args: byName
      ? { subscriptions: [given({ name: called, description })], principals: subscribers, ...args }
      : given({ name: called, subscribers, description, ...args }),
    fields: Object.keys(to).filter((field) => !late.some((each) => each.field === field)),
    does: "created",
    makes: { member: "id", id },
    ...(byName && { newChannel: called }),
    provides: [`${id} is made`],
    needs: [nameFact("channels", called)],
  };
  // The older call subscribes somebody in any case: the caller, where nobody else is named.
  const left = byName && !subscribers.length ? [membersDraft(of, id, called, unsubscribe, [me])] : [];
  const phase = phases.channels + 0.7;
  return [made, ...[...left, ...settingDrafts(context, of, id, late, undefined)].map((draft) => ({ ...draft, phase }))];
}

/** The members of one request share what they can be refused for. */
const parts: Readonly<Record<string, string>> = {
  is_private: "access",
  is_web_public: "access",
  history_public_to_subscribers: "access",
  is_default_stream: "access",
  folder: "access",
  default_push_notifications: "access",
  message_retention_days: "retention",
  topics_policy: "topics",
};

/** What a change opens to more people, and what it closes, goes before and after everything else. */
function phaseOf({ rights }: OrderContext, id: number, part: string, values: Values): number {
  if (part === "access") {
    if (values.is_private === true) return rights.channel(id) ?? phases.channels + order.closes;
    return phases.channels + (values.history_public_to_subscribers === false ? order.closes : order.opens);
  }
  const lets = part === "can_add_subscribers_group" || part === "can_subscribe_group";
  return (lets ? rights.channel(id) : undefined) ?? phases.channels + order.settings;
}

const topics = "can_create_topic_group";

/** What a request needs beyond its values, and what it makes possible. */
function factsOf(context: OrderContext, of: number, id: number, { field, from, to }: FieldChange) {
  const shares = `channel ${id} shares its history`;
  const starts = `channel ${id} lets everyone start topics`;
  if (field === "name") return renamed(context, of, { section: "channels", id }, { from, to });
  if (field === "is_private")
    return to
      ? { provides: [`channel ${id} is private`] }
      : { needs: [`channel ${id} takes no requests for moderation`], provides: [`channel ${id} is open`] };
  if (field === "history_public_to_subscribers") return to ? { provides: [shares] } : { needs: [starts] };
  if (field === topics) return { provides: [starts, ...releasedGroups(from, to)], needs: [shares] };
  return { provides: isPermission(field) ? releasedGroups(from, to) : [] };
}

function argumentOf(context: OrderContext, now: Values, { field, to }: FieldChange): unknown {
  if (field === "folder") return to === null ? null : context.ids.known("folders", to);
  return isPermission(field) ? permissionArgument(context, to, now[field]) : to;
}

function settingDrafts(
  context: OrderContext,
  of: number,
  id: number,
  changes: readonly FieldChange[],
  now: Channel | undefined,
): Draft[] {
  return [...groupBy(changes, ({ field }) => parts[field] ?? field)].map(([part, some]) => {
    const values: Record<string, unknown> = Object.fromEntries(
      some.map((change) => [
        change.field === "is_private" ? "is_private" : (parameters[change.field] ?? change.field),
        argumentOf(context, { ...now }, change),
      ]),
    );
    // Without it, the server would protect or open the history as it sees fit.
    if (values.is_private === true && now?.history_public_to_subscribers) values.history_public_to_subscribers ??= true;
    const facts = some.map((change): Facts => factsOf(context, of, id, change));
    return {
      of,
      part,
      phase: phaseOf(context, id, part, values),
      operation: updateChannel,
      args: { stream_id: id, ...values },
      fields: some.map(({ field }) => field),
      needs: [...facts.flatMap(({ needs = [] }) => needs), ...(part === "name" ? [] : [`channel ${id} is in use`])],
      provides: facts.flatMap(({ provides = [] }) => provides),
    };
  });
}

function membersDraft(
  of: number,
  id: number,
  name: string,
  operation: typeof subscribe | typeof unsubscribe,
  people: readonly number[],
): Draft {
  const comes = operation === subscribe;
  return {
    of,
    part: comes ? "subscribe" : "unsubscribe",
    phase: phases.channels + (comes ? order.subscribe : order.unsubscribe),
    operation,
    args: {
      stream_id: id,
      subscriptions: [comes ? { name } : name],
      principals: [...people],
      ...(comes && makesNone),
    },
    fields: ["subscribers"],
    does: comes ? "subscribers added" : "subscribers removed",
    ...(comes && { provides: [`channel ${id} has its new subscribers`] }),
  };
}

/** Who leaves a private channel cannot change it any more: the caller goes last. */
function subscriberDrafts(
  context: OrderContext,
  { of, id, name }: { of: number; id: number; name: string },
  { fields, action }: Update,
): Draft[] {
  const { me, rights } = context;
  const members = fields.find(({ field }) => field === "subscribers");
  const [come, gone] = [without<number>(members?.to, members?.from), without<number>(members?.from, members?.to)];
  const added = portions(context, come).map((some, n): Draft => {
    const draft = membersDraft(of, id, name, subscribe, some);
    const phase = action === "unarchive" ? phases.channels : some.includes(me) ? rights.channel(id) : undefined;
    return { ...draft, part: numbered(draft.part, n), phase: phase ?? draft.phase };
  });
  const removed = portions(context, gone).map((some, n): Draft => {
    const draft = membersDraft(of, id, name, unsubscribe, some);
    return {
      ...draft,
      part: numbered(draft.part, n),
      phase: (some.includes(me) ? rights.channel(id) : undefined) ?? draft.phase,
      // Nobody leaves before the others have come: a private channel without subscribers is lost.
      needs: [
        ...(come.length ? [`channel ${id} has its new subscribers`] : []),
        ...(some.includes(me) ? [`channel ${id} is open`] : []),
      ],
    };
  });
  return [...added, ...removed];
}

export function channelDrafts(context: OrderContext, of: number, update: Update): Draft[] {
  const { id = 0, action, fields, name } = update;
  const now = context.rights.channelNow(id);
  const called = now?.name ?? name;
  const common = { of, operation: updateChannel, fields: ["archived"] };
  const drafts = [
    ...setAside(context, of, { section: "channels", id }, called, (name) => ({
      operation: updateChannel,
      phase: phases.channels,
      args: { stream_id: id, new_name: name },
    })),
    ...subscriberDrafts(context, { of, id, name: called }, update),
    ...settingDrafts(
      context,
      of,
      id,
      fields.filter(({ field }) => field !== "subscribers" && field !== "archived"),
      now,
    ),
  ];
  if (action === "unarchive")
    drafts.push({
      ...common,
      part: "unarchive",
      phase: phases.channels,
      args: { stream_id: id, is_archived: false },
      does: "unarchived",
      // A private channel without subscribers stays in the archive.
      needs: [`channel ${id} has its new subscribers`],
      provides: [`channel ${id} is in use`],
    });
  if (action === "archive")
    drafts.push({
      ...common,
      part: "archive",
      phase: phases.removals,
      operation: archiveChannel,
      args: { stream_id: id },
      does: "archived",
      provides: releasedBy(now),
    });
  return drafts;
}

/** Presence and statuses of people. */
import { getPresence, getPresences, getStatus, setPresence, setStatus } from "../../api/presence.ts";
import { strip } from "../../common/folding.ts";
import { day } from "../../common/unit-sizes.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { activeUser, canSeePerson, insufficientPermission, userById } from "../access.ts";
import { badRequest, InternalError, PageError } from "../answers.ts";
import { builtInEmoji } from "../built-in-emoji.ts";
import { isBeyond64Bits } from "../decode.ts";
import { personViewers, sendEvent, sendToAll } from "../events/queue.ts";
import { setStatusOf } from "../other-operations.ts";
import { type HandlerCall, type HandlerContext, on, since } from "../router.ts";
import {
  isAdministrator,
  isBot,
  nextId,
  type Presence,
  type SandboxState,
  type StoredUser,
  userByAddress,
  visibleEmail,
} from "../state.ts";
import { checkStorable } from "../text.ts";

/** Seconds until somebody is idle, until the next update is stored, until others hear of a return, until offline. */
const [idleAfter, storedAfter, returnAfter, offlineAfter] = [70, 55, 130, 200];

const presenceStatus = ({ active, connected }: Presence) => {
  const isActive = active + idleAfter >= connected;
  return { client: "website", status: isActive ? "active" : "idle", timestamp: isActive ? active : connected };
};

const website = (presence: Presence) => ({ website: { ...presenceStatus(presence), pushable: false } });

/**
 * Everybody's presence. `days` keeps those who were connected since then, `after` keeps newer updates than this one.
 */
function presenceMembers({ state, now }: HandlerContext, { slim: isSlim = false, days = 14, after = 0 }) {
  const { users, presences } = state;
  // The server's calendar has no more days.
  if (days > 700_000) throw new InternalError();
  const oldest = (now - days * day) / 1000;
  const found = [...presences].flatMap(([id, presence]): [StoredUser, Presence][] => {
    const user = users.get(id);
    const isNew = after > 0 ? presence.update > after : presence.connected >= oldest;
    return user?.is_active && !isBot(user) && days > 0 && isNew ? [[user, presence]] : [];
  });
  const newest = Math.max(after > 0 ? after : -1, ...found.map(([, { update }]) => update));
  const entries = found.map(([user, presence]): [string, object] =>
    isSlim
      ? [String(user.user_id), { active_timestamp: presence.active, idle_timestamp: presence.connected }]
      : [visibleEmail(state, user), { aggregated: presenceStatus(presence), ...website(presence) }],
  );
  return { presences: Object.fromEntries(entries), presence_last_update_id: newest };
}

/** Stores that the caller is there now. Others hear only of a return. */
function storePresence(context: HandlerCall, status: string): void {
  const { state, caller: user } = context;
  const now = Math.floor(context.now / 1000);
  const before = state.presences.get(user.user_id);
  const { active = Math.floor(user.date_joined / 1000), connected = 0 } = before ?? {};
  const isActive = status === "active" && (!before || now - active > storedAfter);
  const isConnected = now - connected > storedAfter;
  if (!isActive && !isConnected) return;
  const presence = {
    active: isActive ? now : active,
    connected: isConnected ? now : connected,
    update: nextId(state, "presence"),
  };
  state.presences.set(user.user_id, presence);
  if (before && now - connected <= returnAfter) return;
  const email = visibleEmail(state, user);
  const event = { type: "presence", user_id: user.user_id, server_timestamp: context.now / 1000 };
  sendToAll(context, (_, { capabilities }) => ({
    ...event,
    ...(!capabilities.has("slim_presence") && { email }),
    presence: website(presence),
  }));
}

type StatusEmoji = Pick<ArgsOf<typeof setStatus>, "emoji_code" | "reaction_type">;

/** The emoji of a name, checked against the code and type of the request. Codes of built-in emoji are unknown here. */
function statusEmoji({ emoji }: SandboxState, name: string, { emoji_code, reaction_type }: StatusEmoji): object {
  const custom = [...emoji].find(([, each]) => each.name === name && !each.deactivated);
  if (!custom && !builtInEmoji.has(name) && name !== "zulip") throw badRequest(`Emoji '${name}' does not exist`);
  const type = custom ? "realm_emoji" : name === "zulip" ? "zulip_extra_emoji" : "unicode_emoji";
  if (reaction_type !== undefined && !["realm_emoji", "unicode_emoji", "zulip_extra_emoji"].includes(reaction_type))
    throw badRequest("Invalid emoji type.");
  const code = custom ? String(custom[0]) : name === "zulip" ? "zulip" : emoji_code;
  if (emoji_code !== undefined && emoji_code !== code) throw badRequest("Invalid emoji name.");
  return { emoji_name: name, ...(code !== undefined && { emoji_code: code }), reaction_type: type };
}

function updateStatus(context: HandlerCall, user: StoredUser, args: ArgsOf<typeof setStatus>): void {
  const { state } = context;
  const { status_text, emoji_name, away, ...emoji } = args;
  const text = status_text === undefined ? undefined : strip(status_text);
  if (text !== undefined && [...text].length > 60) throw badRequest("status_text is too long (limit: 60 characters)");
  if (text === undefined && emoji_name === undefined && away === undefined)
    throw badRequest("Client did not pass any new values.");
  checkStorable(text ?? "");
  const cleared = { emoji_name: "", emoji_code: "", reaction_type: "unicode_emoji" };
  const sent = {
    ...(away !== undefined && { away }),
    ...(text !== undefined && { status_text: text }),
    ...(emoji_name !== undefined && (emoji_name ? statusEmoji(state, emoji_name, emoji) : cleared)),
  };
  const all: Readonly<Record<string, unknown>> = { ...state.statuses.get(user.user_id), ...sent };
  const set = Object.entries(all).filter(([name, value]) => value && (name !== "reaction_type" || all.emoji_name));
  state.statuses.set(user.user_id, Object.fromEntries(set));
  sendEvent(context, { type: "user_status", user_id: user.user_id, ...sent }, personViewers(state, user));
}

export const presenceRoutes = [
  on(setPresence, { who: "human" }, (context, args) => {
    const { status, ping_only, slim_presence: slim, last_update_id: after, history_limit_days: days = 14 } = args;
    if (!["active", "idle"].includes(status)) throw badRequest(`Invalid status: ${status}`);
    if ([after, days].some(isBeyond64Bits)) throw new PageError(500, "Internal server error");
    storePresence(context, status);
    if (ping_only) return;
    const all = presenceMembers(context, {
      slim: slim || after !== undefined,
      days: Number(days),
      after: Number(after ?? 0),
    });
    return { ...all, server_timestamp: context.now / 1000 };
  }),

  on(getPresences, { silent: true }, (context) => ({
    presences: presenceMembers(context, {}).presences,
    server_timestamp: context.now / 1000,
  })),

  on(getPresence, { silent: true }, ({ state, now, level }, { user_id_or_email: idOrEmail }) => {
    const user = /^\d+$/.test(idOrEmail) ? state.users.get(Number(idOrEmail)) : userByAddress(state, idOrEmail);
    if (!user?.is_active) throw badRequest("No such user");
    if (isBot(user)) throw badRequest("Presence is not supported for bot users.");
    const presence = state.presences.get(user.user_id);
    if (!presence) throw badRequest(`No presence data for ${idOrEmail}`);
    const { status, timestamp } = presenceStatus(presence);
    const isOnline = now / 1000 - timestamp <= offlineAfter;
    const byClient = {
      aggregated: { status: isOnline ? status : "offline", timestamp },
      website: { status, timestamp },
    };
    const times = { active_timestamp: presence.active, idle_timestamp: presence.connected };
    return {
      // Levels 487 to 496 lack the records of clients.
      presence: { ...(level >= 487 && times), ...((level < 487 || level >= 497) && byClient) },
      ...since(level, 497, { server_timestamp: now / 1000 }),
    };
  }),

  on(getStatus, {}, ({ state, caller }, { user_id }) => {
    const user = state.users.get(user_id);
    if (!user || isBot(user)) throw badRequest("No such user");
    activeUser(state, user_id);
    if (!canSeePerson(state, caller, user)) throw insufficientPermission();
    return { status: state.statuses.get(user_id) ?? {} };
  }),

  on(setStatus, { who: "human" }, (context, args) => updateStatus(context, context.caller, args)),

  on(setStatusOf, { who: "human", botsSince: 473 }, (context, { user_id, ...args }) => {
    const { state, caller } = context;
    if (!isAdministrator(caller)) throw insufficientPermission();
    const user = userById(state, user_id);
    if (isBot(user)) throw badRequest("No such user");
    updateStatus(context, activeUser(state, user_id), args);
  }),
];

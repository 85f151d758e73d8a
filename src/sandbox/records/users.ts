/** An account as reads, `register` and events show it, and messages. */
import { createHash } from "node:crypto";
import { seesPerson } from "../access.ts";
import { render } from "../narrow/markdown.ts";
import { type Call, since } from "../router.ts";
import { isAdministrator, isBot, isGuest, isOwner, type Message, type State, shownEmail, type User } from "../state.ts";

/** The widest role that sees the real address, by the person's visibility setting; under 4 it is nobody. */
const widestRole: Record<number, number> = { 1: 600, 2: 400, 3: 200, 4: 0, 5: 300 };

/** Whether the caller may see the real address; visibility 4 hides it from everybody. */
export const seesAddress = (caller: User, { email_address_visibility }: User): boolean =>
  caller.role <= (widestRole[email_address_visibility] ?? 0);

/** ISO 8601 with minutes only. */
export const minutes = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}+00:00`;

export function avatarOf(user: User, clientGravatar: boolean, size = ""): string | null {
  if (user.avatar_source === "upload") return `/user_avatars/2/${user.user_id}.png?version=${user.avatar_version}`;
  if (clientGravatar && user.email_address_visibility === 1) return null;
  const hash = createHash("md5").update(user.delivery_email.toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon${size}&version=${user.avatar_version}`;
}

/** Only texts are Markdown, short and long ones. */
export const renderedValue = (state: State, type: number, value: string): object =>
  type === 1 || type === 2 ? { rendered_value: render(state, value) } : {};

const profileOf = (state: State, { profile }: User): object =>
  Object.fromEntries(
    state.profile_fields.flatMap(({ id, type }) => {
      const value = profile.get(id);
      return value === undefined ? [] : [[String(id), { value, ...renderedValue(state, type, value) }]];
    }),
  );

export interface Wanted {
  clientGravatar: boolean;
  profile: boolean;
}

export function userRecord({ state, level, caller }: Call, user: User, wanted: Wanted): object {
  const { bot_type, bot_owner_id } = user;
  const seen = caller.user_id === user.user_id || seesAddress(caller, user);
  return {
    user_id: user.user_id,
    delivery_email: seen ? user.delivery_email : null,
    email: shownEmail(state, user),
    full_name: user.full_name,
    is_active: user.is_active,
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    is_guest: isGuest(user),
    is_bot: isBot(user),
    role: user.role,
    ...since(level, 433, { is_imported_stub: false }),
    date_joined: minutes(user.date_joined),
    timezone: user.timezone,
    avatar_url: avatarOf(user, wanted.clientGravatar),
    avatar_version: user.avatar_version,
    ...(isBot(user) ? { bot_type, bot_owner_id } : {}),
    ...(wanted.profile && !isBot(user) ? { profile_data: profileOf(state, user) } : {}),
  };
}

/** What is shown in place of somebody whom the caller may not see. */
const strangerRecord = ({ state, site }: Call, { user_id }: User): object => ({
  email: `user${user_id}@${state.organization.host}`,
  user_id,
  avatar_version: 1,
  is_admin: false,
  is_owner: false,
  is_guest: false,
  role: 400,
  is_bot: false,
  full_name: "Unknown user",
  timezone: "",
  is_active: true,
  date_joined: minutes(state.organization.date_created),
  delivery_email: null,
  avatar_url: `${site}/static/images/unknown-user-avatar.png`,
});

/** Until 436 a stranger is shown in place of people whom a guest may not see. */
export function shownTo(call: Call, user: User, looking: Wanted): object[] {
  if (seesPerson(call.state, call.caller, user)) return [userRecord(call, user, looking)];
  return call.level <= 436 ? [strangerRecord(call, user)] : [];
}

interface Reading {
  markdown: boolean;
  clientGravatar: boolean;
  emptyTopic: boolean;
}

export function messageRecord({ state, caller }: Call, message: Message, wanted: Reading): object {
  const { stream_id, topic, content } = message;
  const sender = state.users.get(message.sender_id);
  if (!sender) throw new Error(`message ${message.id} has no sender`);
  const people = message.recipients.flatMap((id) => state.users.get(id) ?? []);
  const shownTopic = topic === "" && !wanted.emptyTopic ? "general chat" : topic;
  return {
    id: message.id,
    sender_id: message.sender_id,
    content: wanted.markdown ? render(state, content) : content,
    content_type: wanted.markdown ? "text/html" : "text/x-markdown",
    recipient_id: stream_id ?? 100_000 + message.id,
    timestamp: Math.floor(message.date_sent / 1000),
    client: "ZulipPython",
    subject: stream_id === null ? "" : shownTopic,
    topic_links: [],
    is_me_message: /^\/me [^\n]*$/.test(content),
    reactions: message.reactions.map(({ user_id, emoji_name }) => ({ user_id, emoji_name })),
    submessages: [],
    flags: [...(message.received.get(caller.user_id) ?? ["read", "historical"])],
    sender_full_name: sender.full_name,
    sender_email: shownEmail(state, sender),
    sender_realm_str: "",
    display_recipient:
      stream_id === null
        ? people.map((user) => ({
            id: user.user_id,
            email: shownEmail(state, user),
            full_name: user.full_name,
            is_mirror_dummy: false,
          }))
        : state.channels.get(stream_id)?.name,
    type: stream_id === null ? "private" : "stream",
    ...(stream_id === null ? {} : { stream_id }),
    avatar_url: avatarOf(sender, wanted.clientGravatar),
  };
}

/** Records of people, and the events about their changes. */
import { createHash } from "node:crypto";
import type { GroupSetting } from "../../api/group-setting.ts";
import { hasMetadataAccess } from "../access.ts";
import { shownSetting } from "../groups.ts";
import { render } from "../narrow/markdown.ts";
import { namesOf } from "../permissions.ts";
import { type Call, since, type Visit } from "../router.ts";
import {
  type Channel,
  type Group,
  isAdministrator,
  isBot,
  isGuest,
  isOwner,
  type State,
  shownEmail,
  type User,
} from "../state.ts";
import { botChanged, botOwnerChanged } from "./bots.ts";
import { channelsCreated, channelsDeleted, peersChanged } from "./channels.ts";
import { groupUpdated, membersAdded, membersRemoved } from "./groups.ts";
import { personViewers, send, settingsChanged } from "./queue.ts";

const updated = (visit: Visit, user: User, person: object, to = personViewers(visit.state, user)): void =>
  send(visit, { type: "realm_user", op: "update", person: { user_id: user.user_id, ...person } }, to);

export function renamed(visit: Visit, user: User): void {
  updated(visit, user, { full_name: user.full_name });
  botChanged(visit, user, { full_name: user.full_name });
}

/** `before` is the former owner. */
export function ownerChanged(visit: Visit, bot: User, before: number | null): void {
  botOwnerChanged(visit, bot, before);
  updated(visit, bot, { bot_owner_id: bot.bot_owner_id });
}

export function pictureChanged(visit: Visit, bot: User): void {
  const avatar_url = avatarOf(bot, false);
  botChanged(visit, bot, { avatar_url });
  updated(visit, bot, {
    avatar_source: "U",
    avatar_url,
    avatar_url_medium: avatar_url,
    avatar_version: bot.avatar_version,
  });
}

const subscribedTo = (state: State, { user_id }: User): Channel[] =>
  [...state.channels.values()].filter(({ subscribers }) => subscribers.has(user_id));

export function deactivated(visit: Visit, user: User): void {
  const { state, level } = visit;
  updated(visit, user, { is_active: false });
  botChanged(visit, user, { is_active: false });
  if (level > 371) for (const each of subscribedTo(state, user)) peersChanged(visit, "peer_remove", each, [user]);
}

export function addressChanged(visit: Visit, user: User): void {
  const { delivery_email } = user;
  const seeing = personViewers(visit.state, user).filter((each) => each === user || seesAddress(each, user));
  updated(visit, user, { delivery_email }, seeing);
  if (user.email_address_visibility === 1) updated(visit, user, { new_email: delivery_email });
}

/** Sends a value of a profile field; null if it was cleared. */
export function profileChanged(visit: Visit, user: User, id: number, value: string | null): void {
  const field = visit.state.profile_fields.find((each) => each.id === id);
  const shown = value === null || !field ? {} : renderedValue(visit.state, field.type, value);
  updated(visit, user, { custom_profile_field: { id, value, ...shown } });
}

/** The system groups of a role, the widest first. */
export const roleGroups = (state: State, user: User): Group[] =>
  [...state.groups.values()].filter((group) => group.is_system_group && group.members.has(user.user_id)).reverse();

export function created(call: Call, user: User): void {
  const { state } = call;
  send(
    call,
    (caller) => ({
      type: "realm_user",
      op: "add",
      person: userRecord({ ...call, caller }, user, { clientGravatar: false, profile: true }),
    }),
    personViewers(state, user),
  );
  for (const group of roleGroups(state, user)) membersAdded(call, group, [user.user_id]);
}

/** The channels that somebody sees. */
export const visibleTo = (state: State, user: User): Set<Channel> =>
  new Set([...state.channels.values()].filter((each) => !each.is_archived && hasMetadataAccess(state, user, each)));

export function roleChanged(
  visit: Visit,
  user: User,
  groupsBefore: readonly Group[],
  seen: ReadonlySet<Channel>,
): void {
  const { state } = visit;
  updated(visit, user, { role: user.role });
  const now = roleGroups(state, user);
  const id = [user.user_id];
  // The group of full members comes after those of the roles.
  for (const full of [false, true]) {
    const some = (groups: readonly Group[], others: readonly Group[]) =>
      groups.filter((group) => (group.name === "role:fullmembers") === full && !others.includes(group));
    for (const group of some(groupsBefore, now)) membersRemoved(visit, group, id);
    for (const group of some(now, groupsBefore)) membersAdded(visit, group, id);
  }
  const sees = visibleTo(state, user);
  const [opened, closed] = [[...sees].filter((each) => !seen.has(each)), [...seen].filter((each) => !sees.has(each))];
  channelsCreated(visit, opened, [user]);
  channelsDeleted(visit, closed, [user]);
}

const names = (value: GroupSetting, { user_id }: User): boolean =>
  typeof value === "object" && value.direct_members.includes(user_id);

/** Sends the person's return to channels, groups, and permissions that name them. */
export function reactivated(visit: Visit, user: User): void {
  const { state } = visit;
  updated(visit, user, { is_active: true });
  botChanged(visit, user, { is_active: true });
  for (const group of state.groups.values()) {
    if (group.members.has(user.user_id)) membersAdded(visit, group, [user.user_id]);
  }
  for (const group of state.groups.values()) {
    for (const name of namesOf(group.settings)) {
      if (names(group.settings[name], user))
        groupUpdated(visit, group, { [name]: shownSetting(state, group.settings[name]) });
    }
  }
  for (const name of namesOf(state.organization.permissions)) {
    const value = state.organization.permissions[name];
    if (names(value, user)) settingsChanged(visit, { [name]: shownSetting(state, value) });
  }
  for (const each of subscribedTo(state, user)) if (!each.is_archived) peersChanged(visit, "peer_add", each, [user]);
}

/** The widest role that sees the real address, by the person's visibility setting. 4 is nobody. */
const widestRole: Record<number, number> = { 1: 600, 2: 400, 3: 200, 4: 0, 5: 300 };

/** Returns whether the caller can see the real address. Visibility 4 hides it from everybody. */
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

/** Only short and long text is Markdown. */
export const renderedValue = (state: State, type: number, value: string): object =>
  type === 1 || type === 2 ? { rendered_value: render(state, value) } : {};

const profileOf = (state: State, { profile }: User): object =>
  Object.fromEntries(
    state.profile_fields.flatMap(({ id, type }) => {
      const value = profile.get(id);
      return value === undefined ? [] : [[String(id), { value, ...renderedValue(state, type, value) }]];
    }),
  );

export interface UserOptions {
  clientGravatar: boolean;
  profile: boolean;
}

export function userRecord(
  { state, level, caller }: Call,
  user: User,
  { clientGravatar, profile }: UserOptions,
): object {
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
    avatar_url: avatarOf(user, clientGravatar),
    avatar_version: user.avatar_version,
    ...(isBot(user) ? { bot_type, bot_owner_id } : {}),
    ...(profile && !isBot(user) ? { profile_data: profileOf(state, user) } : {}),
  };
}

/** Records of people and bots, and the events about their changes. */

import { namesOf } from "../../common/object-members.ts";
import type { GroupSetting } from "../../model/permission.ts";
import { hasMetadataAccess } from "../access.ts";
import { avatarSource, avatarUrl, canSeeAddress, mediumAvatarUrl } from "../avatars.ts";
import { visibleSetting } from "../groups.ts";
import { renderMarkdown } from "../narrow/markdown.ts";
import { type HandlerCall, type HandlerContext, since } from "../router.ts";
import {
  isAdministrator,
  isBot,
  isGuest,
  isOwner,
  type SandboxState,
  type StoredChannel,
  type StoredGroup,
  type StoredUser,
  visibleEmail,
} from "../state.ts";
import { botRecord, sendBotChanged, sendBotEvent } from "./bots.ts";
import { type Subscription, sendChannelsCreated, sendChannelsDeleted, sendPeers } from "./channels.ts";
import { sendGroupEvent, sendGroupUpdated } from "./groups.ts";
import { administrators, personViewers, sendEvent, sendSettingsChanged } from "./queue.ts";

const sendUserUpdated = (
  context: HandlerContext,
  user: StoredUser,
  person: object,
  to = personViewers(context.state, user),
): void => sendEvent(context, { type: "realm_user", op: "update", person: { user_id: user.user_id, ...person } }, to);

export function sendNameChanged(context: HandlerContext, user: StoredUser): void {
  sendUserUpdated(context, user, { full_name: user.full_name });
  sendBotChanged(context, user, { full_name: user.full_name });
}

export function sendPictureChanged(context: HandlerContext, user: StoredUser): void {
  const avatar_url = avatarUrl(user, false);
  sendBotChanged(context, user, { avatar_url });
  sendUserUpdated(context, user, {
    avatar_source: avatarSource(user),
    avatar_url,
    avatar_url_medium: mediumAvatarUrl(user),
    avatar_version: user.avatar_version,
  });
}

const subscriptionsOf = (state: SandboxState, user: StoredUser): Subscription[] =>
  [...state.channels.values()]
    .filter(({ subscribers }) => subscribers.has(user.user_id))
    .map((channel) => ({ channel, user }));

export function sendDeactivated(context: HandlerContext, user: StoredUser): void {
  const { state, level } = context;
  if (level > 371) sendPeers(context, "peer_remove", subscriptionsOf(state, user));
  sendUserUpdated(context, user, { is_active: false });
  sendBotChanged(context, user, { is_active: false });
}

export function sendAddressChanged(context: HandlerContext, user: StoredUser): void {
  const { delivery_email } = user;
  const viewers = personViewers(context.state, user).filter((each) => each === user || canSeeAddress(each, user));
  sendUserUpdated(context, user, { delivery_email }, viewers);
  if (context.level >= 461) sendBotChanged(context, user, { email: delivery_email });
  if (user.avatar_source === "gravatar") sendPictureChanged(context, user);
  if (user.email_address_visibility === 1) sendEmailChanged(context, user);
}

const sendEmailChanged = (context: HandlerContext, user: StoredUser): void =>
  sendUserUpdated(context, user, { new_email: visibleEmail(context.state, user) });

/** Sends that the account shows another address. */
export function sendVisibilityChanged(context: HandlerContext, user: StoredUser): void {
  sendEmailChanged(context, user);
  sendPictureChanged(context, user);
}

export const sendTimeZoneChanged = (context: HandlerContext, user: StoredUser): void =>
  sendUserUpdated(context, user, { email: visibleEmail(context.state, user), timezone: user.timezone });

/** Sends a value of a profile field; null if it was cleared. */
export function sendProfileChanged(context: HandlerContext, user: StoredUser, id: number, value: string | null): void {
  const field = context.state.profile_fields.find((each) => each.id === id);
  const rendered = value === null || !field ? {} : renderProfileValue(context.state, field.type, value);
  sendUserUpdated(context, user, { custom_profile_field: { id, value, ...rendered } });
}

/** The system groups of a role, the widest first. */
export const roleGroups = (state: SandboxState, user: StoredUser): StoredGroup[] =>
  [...state.groups.values()].filter((group) => group.is_system_group && group.members.has(user.user_id)).reverse();

export function sendUserCreated(call: HandlerCall, user: StoredUser): void {
  const { state } = call;
  sendEvent(
    call,
    (caller) => ({
      type: "realm_user",
      op: "add",
      person: userRecord({ ...call, caller }, user, { clientGravatar: false, profile: true }),
    }),
    personViewers(state, user),
  );
  for (const group of roleGroups(state, user))
    sendGroupEvent(call, group, { op: "add_members", user_ids: [user.user_id] });
}

export const visibleChannels = (state: SandboxState, user: StoredUser): Set<StoredChannel> =>
  new Set([...state.channels.values()].filter((each) => !each.is_archived && hasMetadataAccess(state, user, each)));

export function sendRoleChanged(
  context: HandlerContext,
  user: StoredUser,
  groupsBefore: readonly StoredGroup[],
  hasFullAccess: ReadonlySet<StoredChannel>,
): void {
  const { state } = context;
  sendUserUpdated(context, user, { role: user.role });
  const now = roleGroups(state, user);
  const user_ids = [user.user_id];
  // The group of full members comes after those of the roles.
  for (const full of [false, true]) {
    const without = (groups: readonly StoredGroup[], others: readonly StoredGroup[]) =>
      groups.filter((group) => (group.name === "role:fullmembers") === full && !others.includes(group));
    for (const group of without(groupsBefore, now)) sendGroupEvent(context, group, { op: "remove_members", user_ids });
    for (const group of without(now, groupsBefore)) sendGroupEvent(context, group, { op: "add_members", user_ids });
  }
  const sees = visibleChannels(state, user);
  const [opened, closed] = [
    [...sees].filter((each) => !hasFullAccess.has(each)),
    [...hasFullAccess].filter((each) => !sees.has(each)),
  ];
  sendChannelsCreated(context, opened, [user]);
  sendChannelsDeleted(context, closed, [user]);
}

export function sendConsent(
  context: HandlerContext,
  { user_id, allow_private_data_export: consented }: StoredUser,
): void {
  sendEvent(context, { type: "realm_export_consent", user_id, consented }, administrators(context.state));
}

const settingNames = (value: GroupSetting, { user_id }: StoredUser): boolean =>
  typeof value === "object" && value.direct_members.includes(user_id);

/** Sends the person's return to channels, groups, and permissions that name them. */
export function sendReactivated(context: HandlerContext, user: StoredUser): void {
  const { state } = context;
  sendUserUpdated(context, user, { is_active: true });
  sendBotChanged(context, user, { is_active: true });
  if (!isBot(user)) sendConsent(context, user);
  const active = subscriptionsOf(state, user).filter(({ channel }) => !channel.is_archived);
  sendPeers(context, "peer_add", active);
  for (const group of state.groups.values()) {
    if (group.members.has(user.user_id))
      sendGroupEvent(context, group, { op: "add_members", user_ids: [user.user_id] });
  }
  for (const group of state.groups.values()) {
    for (const name of namesOf(group.settings)) {
      if (settingNames(group.settings[name], user))
        sendGroupUpdated(context, group, { [name]: visibleSetting(state, group.settings[name]) });
    }
  }
  for (const name of namesOf(state.organization.permissions)) {
    const value = state.organization.permissions[name];
    if (settingNames(value, user)) sendSettingsChanged(context, { [name]: visibleSetting(state, value) });
  }
}

/** ISO 8601 with minutes only. */
export const isoMinutes = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}+00:00`;

/** Only short and long text is Markdown. */
const renderProfileValue = (state: SandboxState, type: number, value: string): object =>
  type === 1 || type === 2 ? { rendered_value: renderMarkdown(state, value) } : {};

const profileOf = (state: SandboxState, { profile }: StoredUser): object =>
  Object.fromEntries(
    state.profile_fields.flatMap(({ id, type }) => {
      const value = profile.get(id);
      return value === undefined ? [] : [[String(id), { value, ...renderProfileValue(state, type, value) }]];
    }),
  );

interface UserOptions {
  clientGravatar: boolean;
  profile: boolean;
}

export function userRecord(
  { state, level, caller }: HandlerCall,
  user: StoredUser,
  { clientGravatar, profile }: UserOptions,
): object {
  const { bot_type, bot_owner_id } = user;
  const seen = caller.user_id === user.user_id || canSeeAddress(caller, user);
  return {
    user_id: user.user_id,
    delivery_email: seen ? user.delivery_email : null,
    email: visibleEmail(state, user),
    full_name: user.full_name,
    is_active: user.is_active,
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    is_guest: isGuest(user),
    is_bot: isBot(user),
    role: user.role,
    ...since(level, 433, { is_imported_stub: false }),
    // Only if true.
    ...(user.is_deleted && since(level, 490, { is_deleted: true })),
    date_joined: isoMinutes(user.date_joined),
    timezone: user.timezone,
    avatar_url: avatarUrl(user, clientGravatar),
    avatar_version: user.avatar_version,
    ...(isBot(user) ? { bot_type, bot_owner_id } : {}),
    ...(profile && !isBot(user) ? { profile_data: profileOf(state, user) } : {}),
  };
}

/** `before`, the former owner, loses the bot, and the new owner gets it. Administrators see all bots, so they get the change. */
export function sendOwnerChanged(context: HandlerContext, bot: StoredUser, before: number | null): void {
  const { state } = context;
  const { user_id, bot_owner_id: owner_id } = bot;
  const unlessAdministrator = (id: number | null) =>
    [...state.users.values()].filter((user) => user.user_id === id && !isAdministrator(user));
  sendBotEvent(context, "delete", { user_id }, unlessAdministrator(before));
  sendBotEvent(context, "add", botRecord(context, bot), unlessAdministrator(owner_id));
  sendBotChanged(context, bot, { owner_id }, administrators(state));
  sendUserUpdated(context, bot, { bot_owner_id: owner_id });
}

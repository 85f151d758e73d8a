/** What is told of people, and of everything that changes because one of them comes, goes or changes. */

import type { GroupSetting } from "../../api/group-setting.ts";
import { hasMetadataAccess } from "../access.ts";
import { shownSetting } from "../groups.ts";
import { namesOf } from "../permissions.ts";
import { renderedValue, seesAddress, userRecord } from "../records/users.ts";
import type { Call, Visit } from "../router.ts";
import type { Channel, Group, State, User } from "../state.ts";
import { channelsCreated, channelsDeleted, subscriberChanged } from "./channels.ts";
import { groupUpdated, membersAdded, membersRemoved } from "./groups.ts";
import { send, settingsChanged, whoKnow } from "./queue.ts";

const updated = (visit: Visit, user: User, person: object, to = whoKnow(visit.state, user)): void =>
  send(visit, { type: "realm_user", op: "update", person: { user_id: user.user_id, ...person } }, to);

export const renamed = (visit: Visit, user: User): void => updated(visit, user, { full_name: user.full_name });

const subscribedTo = (state: State, { user_id }: User): Channel[] =>
  [...state.channels.values()].filter(({ subscribers }) => subscribers.has(user_id));

export function deactivated(visit: Visit, user: User): void {
  const { state, level } = visit;
  updated(visit, user, { is_active: false });
  if (level > 371) subscriberChanged(visit, "peer_remove", subscribedTo(state, user), user);
}

export function addressChanged(visit: Visit, user: User): void {
  const { delivery_email } = user;
  const seeing = whoKnow(visit.state, user).filter((each) => each === user || seesAddress(each, user));
  updated(visit, user, { delivery_email }, seeing);
  if (user.email_address_visibility === 1) updated(visit, user, { new_email: delivery_email });
}

/** A value of a profile field; null where it was cleared. */
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
    whoKnow(state, user),
  );
  for (const group of roleGroups(state, user)) membersAdded(call, group, [user.user_id]);
}

/** What somebody sees before their role changes. */
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
  for (const group of groupsBefore) if (!now.includes(group)) membersRemoved(visit, group, id);
  for (const group of now) if (!groupsBefore.includes(group)) membersAdded(visit, group, id);
  const sees = visibleTo(state, user);
  channelsCreated(
    visit,
    [...sees].filter((each) => !seen.has(each)),
    [user],
  );
  channelsDeleted(
    visit,
    [...seen].filter((each) => !sees.has(each)),
    [user],
  );
}

const names = (value: GroupSetting, { user_id }: User): boolean =>
  typeof value === "object" && value.direct_members.includes(user_id);

/** Back again: in the channels, in the groups, and in every permission that names them. */
export function reactivated(visit: Visit, user: User): void {
  const { state } = visit;
  updated(visit, user, { is_active: true });
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
  const live = subscribedTo(state, user).filter(({ is_archived }) => !is_archived);
  subscriberChanged(visit, "peer_add", live, user);
}

/** Creates, changes, deactivates and reactivates accounts. */

import * as api from "../../api/people.ts";
import { strip } from "../../common/folding.ts";
import { roles } from "../../model/person.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { activeUser, canCreateBot, checkOwner, insufficientPermission, userById } from "../access.ts";
import { ApiError, badRequest, roleRequired } from "../answers.ts";
import { aList, aRole, fromJson, maxLength } from "../decode.ts";
import { sendPeers } from "../events/channels.ts";
import * as events from "../events/users.ts";
import { joinSystemGroups } from "../groups.ts";
import { addUser } from "../organization.ts";
import { type HandlerCall, on } from "../router.ts";
import { isAdministrator, isBot, isOwner, type SandboxState, type StoredUser } from "../state.ts";
import { checkAddress, checkNewAddress, isNameTaken, lengthOf, randomText, unprintableAt } from "../text.ts";
import { aDeletion, checkDeletions, type Deletions, deleteMessagesOf, deleteProfile } from "./deletions.ts";
import { expireInvitationsOf } from "./invitations.ts";
import { aProfileValue, applyProfile, profileChanges, type StoredProfileValue } from "./profile-values.ts";
import { personByAddress } from "./users.ts";

/** Returns whether the caller is an administrator, or owns the bot. */
const administersPerson = (caller: StoredUser, user: StoredUser): boolean =>
  isAdministrator(caller) || (isBot(user) && user.bot_owner_id === caller.user_id);

/** Returns whether the person is an owner, and one owner is active. As on servers, that can be another one. */
const isLastOwner = ({ users }: SandboxState, user: StoredUser): boolean =>
  isOwner(user) &&
  !isBot(user) &&
  [...users.values()].filter((each) => isOwner(each) && each.is_active && !isBot(each)).length === 1;

/**
 * Returns the name of an account without surrounding space, or refuses it. If the organization requires unique names, no
 * other account may have it in any case.
 */
export function fullName({ state, level }: HandlerCall, text: string, of?: StoredUser): string {
  const name = strip(text);
  if (lengthOf(name) > 100) throw badRequest("Name too long!");
  if (level >= 442 && name === "") throw badRequest("Name must not be empty!");
  if (level < 442 && lengthOf(name) < 2) throw badRequest("Name too short!");
  if (/[*`\\>"@]/.test(name) || unprintableAt(name) !== undefined) throw badRequest("Invalid characters in name!");
  // Mentions end like this if several people have the same name. Space at the end counts.
  if (/\|\p{Nd}+\n?$/u.test(text)) throw badRequest("Invalid format!");
  const folded = (name: string) => name.normalize("NFKC").toUpperCase().toLowerCase();
  const isTaken = () =>
    [...state.users.values()].some((each) => each !== of && folded(each.full_name) === folded(name));
  if (state.organization.settings.require_unique_names && isTaken())
    throw badRequest("Unique names required in this organization.");
  return name;
}

export function checkRole({ state, caller }: HandlerCall, user: StoredUser, role: number): void {
  if (role === roles.owner || isOwner(user)) checkOwner(caller);
  if (!isAdministrator(caller)) throw roleRequired("administrator");
  if (role !== roles.owner && isLastOwner(state, user)) {
    throw badRequest("The owner permission cannot be removed from the only organization owner.");
  }
}

type Changes = Omit<ArgsOf<typeof api.updateUser>, "user_id" | "profile_data"> & {
  profile_data?: StoredProfileValue[] | undefined;
};

export function setRole(call: HandlerCall, user: StoredUser, role: number): void {
  const { state, now } = call;
  const [groups, seen] = [events.roleGroups(state, user), events.visibleChannels(state, user)];
  user.role = role;
  joinSystemGroups(state, user, now);
  events.sendRoleChanged(call, user, groups, seen);
}

/** One transaction: everything is checked before anything changes. */
function updatePerson(
  call: HandlerCall,
  user: StoredUser,
  { full_name, role, profile_data, new_email }: Changes,
): void {
  const { state, caller } = call;
  if (!administersPerson(caller, user)) throw insufficientPermission();
  const address = new_email === undefined || new_email === user.delivery_email ? undefined : new_email;
  if (new_email !== undefined && (!isAdministrator(caller) || !caller.can_change_user_emails)) {
    throw badRequest("User not authorized to change user emails");
  }
  if (address !== undefined) checkNewAddress(state, address);
  const changesRole = role !== undefined && role !== user.role;
  if (changesRole) checkRole(call, user, role);
  // A name with other space around it is stored without it, and reported like a new one.
  const isRenamed = full_name !== undefined && full_name !== user.full_name && strip(full_name) !== "";
  const name = isRenamed ? fullName(call, full_name, user) : user.full_name;
  const values = profileChanges(call, profile_data);
  if (changesRole) setRole(call, user, role);
  if (isRenamed) {
    user.full_name = name;
    events.sendNameChanged(call, user);
  }
  applyProfile(call, user, values);
  if (address !== undefined) {
    user.delivery_email = address;
    events.sendAddressChanged(call, user);
  }
}

/** Deactivates a person, their bots and their invitations. What is deleted of the person is deleted of the bots, too. */
function deactivate(call: HandlerCall, user: StoredUser, actions?: Deletions): void {
  const { state } = call;
  const accounts = [
    ...[...state.users.values()].filter((bot) => bot.is_active && bot.bot_owner_id === user.user_id),
    user,
  ];
  expireInvitationsOf(call, user);
  for (const each of accounts) {
    if (actions?.delete_profile) deleteProfile(call, each);
    if (actions) deleteMessagesOf(call, each, actions);
    each.is_active = false;
    events.sendDeactivated(call, each);
  }
}

const decode = { role: fromJson(aRole), profile_data: fromJson(aList(aProfileValue)) };

export const peopleRoutes = [
  on(api.updateUser, { who: "anybody", decode }, (call, { user_id, ...changes }) =>
    updatePerson(call, userById(call.state, user_id), changes),
  ),

  on(api.updateUserByEmail, { who: "anybody", decode }, (call, { email, ...changes }) =>
    updatePerson(call, personByAddress(call, email), changes),
  ),

  on(
    api.deactivateUser,
    {
      who: "anybody",
      decode: { deactivation_notification_comment: maxLength(2000), actions: fromJson(aDeletion) },
    },
    (call, { user_id, actions }) => {
      const { state, caller } = call;
      if (isBot(userById(state, user_id))) throw badRequest("No such user");
      const user = activeUser(state, user_id);
      if (!isAdministrator(caller)) throw insufficientPermission();
      if (isOwner(user)) {
        checkOwner(caller);
        if (isLastOwner(state, user)) throw badRequest("Cannot deactivate the only organization owner");
      }
      if (actions) checkDeletions(call, actions);
      deactivate(call, user, actions);
    },
  ),

  on(api.deactivateOwnUser, { who: "anybody", silent: true }, (call) => {
    const { state, caller } = call;
    const isAlone = ![...state.users.values()].some((each) => each !== caller && each.is_active);
    const is_last_owner = !isAlone && isLastOwner(state, caller);
    if (isAlone || is_last_owner) {
      const entity = is_last_owner ? "organization owner" : "user";
      const fields = { is_last_owner, entity };
      throw new ApiError(400, "CANNOT_DEACTIVATE_LAST_USER", `Cannot deactivate the only ${entity}.`, fields);
    }
    deactivate(call, caller);
  }),

  on(api.reactivateUser, { who: "anybody", silent: true }, (call, { user_id }) => {
    const { state, caller } = call;
    const user = userById(state, user_id);
    if (!administersPerson(caller, user)) throw insufficientPermission();
    // The words of this refusal are not documented.
    if (user.is_deleted) throw badRequest("Cannot reactivate a deleted user");
    if (isBot(user)) {
      if (!canCreateBot(state, caller, user.bot_type)) throw insufficientPermission();
      // The names of people and of the bot itself count too.
      if (isNameTaken(state, user.full_name)) {
        throw badRequest(
          `There is already an active bot named "${user.full_name}" in this organization. To reactivate this bot, you must rename or deactivate the other one first.`,
        );
      }
    }
    user.is_active = true;
    events.sendReactivated(call, user);
    const { bot_owner_id: owner } = user;
    if (owner !== null && !state.users.get(owner)?.is_active) {
      user.bot_owner_id = caller.user_id;
      events.sendOwnerChanged(call, user, owner);
    }
  }),

  on(api.createUser, {}, (call, args) => {
    const { state, caller, now, random } = call;
    if (!caller.can_create_users) throw badRequest("User not authorized to create users");
    const full_name = fullName(call, args.full_name);
    const { email } = args;
    checkAddress(state, email);
    if (args.password.length < 6) throw badRequest("The password is too weak.");
    const values = { delivery_email: email, full_name, role: roles.member, password: args.password };
    const user = addUser(state, { now, random }, values);
    events.sendUserCreated(call, user);
    const subscriptions = [...state.channels.values()].flatMap((channel) =>
      channel.is_default ? { channel, user } : [],
    );
    for (const { channel } of subscriptions) channel.subscribers.add(user.user_id);
    sendPeers(call, "peer_add", subscriptions);
    return { user_id: user.user_id };
  }),

  on(api.regenerateKey, {}, ({ caller, random }) => {
    caller.api_key = randomText(random, 32);
    return { api_key: caller.api_key };
  }),
];

import * as api from "../../api/invitations.ts";
import { acceptInvitation } from "../../api/sandbox.ts";
import { strip } from "../../common/folding.ts";
import { day, minute } from "../../common/unit-sizes.ts";
import type { OrganizationPermission } from "../../model/organization.ts";
import { roles } from "../../model/person.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { canAddSubscribers, checkOwner, checkPermission, readableChannel } from "../access.ts";
import { ApiError, badRequest, requireFound } from "../answers.ts";
import { aRole, fromJson, maxLength } from "../decode.ts";
import { sendPeers } from "../events/channels.ts";
import { administrators, sendEvent, sendToAll } from "../events/queue.ts";
import { sendUserCreated } from "../events/users.ts";
import { activeGroup } from "../groups.ts";
import { addUser } from "../organization.ts";
import { type HandlerCall, type HandlerContext, on } from "../router.ts";
import { isAdministrator, nextId, type SandboxState, type StoredInvitation, type StoredUser } from "../state.ts";
import { accountWithAddress, addressProblem, isServerAddress, randomText } from "../text.ts";
import { groupToManage } from "./groups.ts";

/** Unlike elsewhere, this refusal has the common code. */
function checkAdministrator({ caller }: HandlerCall): void {
  if (!isAdministrator(caller)) throw badRequest("Must be an organization administrator");
}

const invitationRecord = ({ site }: HandlerContext, { email, key, ...invitation }: StoredInvitation): object => ({
  id: invitation.id,
  invited_by_user_id: invitation.invited_by_user_id,
  invited: Math.floor(invitation.invited / 1000),
  expiry_date: invitation.expiry_date === null ? null : Math.floor(invitation.expiry_date / 1000),
  invited_as: invitation.invited_as,
  is_multiuse: email === null,
  ...(email === null
    ? { link_url: `${site}/join/${key}/` }
    : { email, notify_referrer_on_join: invitation.notify_referrer_on_join }),
});

function sendInvitationsChanged(
  context: HandlerContext,
  { invited_by_user_id }: Pick<StoredInvitation, "invited_by_user_id">,
): void {
  const inviter = context.state.users.get(invited_by_user_id) ?? [];
  sendEvent(context, { type: "invites_changed" }, new Set([administrators(context.state), inviter].flat()));
}

const isOpen = ({ expiry_date, revoked }: StoredInvitation, now: number): boolean =>
  !revoked && (expiry_date === null || expiry_date > now);

/** The invitations of a deactivated person can still be revoked, but nobody can accept them or sees them. */
export function expireInvitationsOf(context: HandlerContext, { user_id }: StoredUser): void {
  const { state, now } = context;
  const open = state.invitations.filter((each) => each.invited_by_user_id === user_id && isOpen(each, now));
  for (const each of open) each.expiry_date = 0;
  if (open.length > 0) sendInvitationsChanged(context, { invited_by_user_id: user_id });
}

type InvitationArgs = Partial<ArgsOf<typeof api.sendInvitations>>;

/** Checks who may invite, and as what. */
function checkInviter(call: HandlerCall, permission: OrganizationPermission, args: InvitationArgs): void {
  checkPermission(call, permission);
  const { invite_as = roles.member } = args;
  if (invite_as === roles.owner) checkOwner(call.caller);
  if (invite_as <= roles.moderator) checkAdministrator(call);
  if (args.welcome_message_custom_text !== undefined) checkAdministrator(call);
}

/** Checks the channels and groups to which new people are added. */
function checkDestinations(call: HandlerCall, { stream_ids = [], group_ids = [] }: InvitationArgs): void {
  const { state, caller } = call;
  const channels = stream_ids.map((id) =>
    readableChannel(call, state.channels.get(id), `Invalid channel ID ${id}. No invites were sent.`),
  );
  // Everybody who may invite may add people to default channels.
  if (channels.some((channel) => !channel.is_default && !canAddSubscribers(state, caller, channel))) {
    throw badRequest("You do not have permission to subscribe other users to channels.");
  }
  for (const id of group_ids) {
    activeGroup(state, id);
    groupToManage(call, id, "can_add_members_group");
  }
}

function addInvitation(
  { state, caller, now, random }: HandlerCall,
  email: string | null,
  args: InvitationArgs,
): StoredInvitation {
  const { invite_expires_in_minutes: minutes = 14_400, notify_referrer_on_join = true } = args;
  const { invite_as = roles.member } = args;
  const invitation: StoredInvitation = {
    id: nextId(state, email === null ? "link" : "invitation"),
    email,
    key: randomText(random, 24, "abcdefghijklmnopqrstuvwxyz234567"),
    invited_by_user_id: caller.user_id,
    invited: now,
    expiry_date: minutes === null ? null : now + Number(minutes) * minute,
    invited_as: invite_as,
    notify_referrer_on_join,
    revoked: false,
    adds: {
      channels: args.stream_ids ?? [],
      groups: args.group_ids ?? [],
      defaults: args.include_realm_default_subscriptions ?? false,
    },
  };
  state.invitations.push(invitation);
  return invitation;
}

/** Makes the account of somebody who accepts an invitation. */
function join(
  call: HandlerCall,
  { email, invited_as, ...invitation }: StoredInvitation,
  full_name: string,
): StoredUser {
  const { state, now, random } = call;
  const { adds = { channels: [], groups: [], defaults: true } } = invitation;
  const user = addUser(state, call, {
    delivery_email: email ?? "",
    full_name,
    role: invited_as,
    password: randomText(random, 20),
  });
  sendUserCreated(call, user);
  const channels = [...state.channels.values()].filter(
    ({ stream_id, is_default, is_archived }) =>
      !is_archived && (adds.channels.includes(stream_id) || (adds.defaults && is_default)),
  );
  for (const channel of channels) channel.subscribers.add(user.user_id);
  sendPeers(
    call,
    "peer_add",
    channels.map((channel) => ({ channel, user })),
  );
  for (const id of adds.groups) {
    const group = state.groups.get(id);
    if (group?.deactivated !== false) continue;
    group.members.add(user.user_id);
    sendToAll(call, { type: "user_group", op: "add_members", group_id: id, user_ids: [user.user_id] });
  }
  state.invitations = state.invitations.filter((each) => !(each.email === email && isOpen(each, now)));
  sendInvitationsChanged(call, invitation);
  return user;
}

const addressProblems = {
  disposable: "Please use your real email address.",
  plus: "Email addresses containing + are not allowed.",
  domain: "Outside your domain.",
};

/** Addresses, each once. In `Ada <ada@example.com>`, the address is in the brackets. */
const addresses = (text: string): string[] => [
  ...new Set(text.split(/[,\n]/).map((each) => strip(/<(.*)>/.exec(each)?.[1] ?? each))),
];

type RefusedAddress = [address: string, msg: string, deactivated: boolean];

const invitationFailed = (msg: string, errors: readonly RefusedAddress[], sent_invitations: boolean): ApiError =>
  new ApiError(400, "INVITATION_FAILED", msg, {
    errors,
    sent_invitations,
    license_limit_reached: false,
    daily_limit_reached: false,
  });

function classifyAddresses(
  state: SandboxState,
  all: readonly string[],
): { invalid: RefusedAddress[]; taken: RefusedAddress[]; valid: string[] } {
  const invalid: RefusedAddress[] = [];
  const taken: RefusedAddress[] = [];
  const valid: string[] = [];
  for (const address of all) {
    if (address === "") continue;
    const problem = isServerAddress(address) ? addressProblem(state, address) : undefined;
    const account = accountWithAddress(state, address);
    if (!isServerAddress(address)) invalid.push([address, "Invalid address.", false]);
    else if (problem) invalid.push([address, addressProblems[problem], false]);
    else if (!account) valid.push(address);
    else if (account.is_active) taken.push([address, "Already has an account.", false]);
    else taken.push([address, "Account has been deactivated.", true]);
  }
  return { invalid, taken, valid };
}

/** An invitation by mail or a link. Administrators may change everybody's, others their own. */
function invitationToChange(call: HandlerCall, id: number, kind: "mail" | "link"): StoredInvitation {
  const { state, caller } = call;
  const invitation = requireFound(
    state.invitations.find((each) => each.id === id && (each.email === null) === (kind === "link")),
    "No such invitation",
  );
  if (invitation.invited_by_user_id !== caller.user_id) {
    if (invitation.invited_as === roles.owner) checkOwner(caller);
    checkAdministrator(call);
  }
  return invitation;
}

/** Where people can join without an invitation, new accounts may invite nobody. */
function checkAge({ state, caller, now }: HandlerCall): void {
  if (state.organization.settings.invite_required || isAdministrator(caller) || caller.date_joined <= now - 3 * day)
    return;
  const msg =
    "Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.";
  throw invitationFailed(msg, [], false);
}

const decode = { invite_as: fromJson(aRole), welcome_message_custom_text: maxLength(8000) };

export const invitationRoutes = [
  on(api.getInvitations, { silent: true }, (call) => {
    const { state, caller, now } = call;
    const visible = state.invitations.filter(
      (each) => isOpen(each, now) && (isAdministrator(caller) || each.invited_by_user_id === caller.user_id),
    );
    return { invites: visible.map((each) => invitationRecord(call, each)) };
  }),

  on(api.sendInvitations, { decode }, (call, args) => {
    checkInviter(call, "can_invite_users_group", args);
    if (args.invitee_emails === "") throw badRequest("You must specify at least one email address.");
    const all = addresses(args.invitee_emails);
    checkDestinations(call, args);
    checkAge(call);
    const { invalid, taken, valid } = classifyAddresses(call.state, all);
    if (invalid.length > 0) {
      throw invitationFailed(
        "Some emails did not validate, so we didn't send any invitations.",
        [...invalid, ...taken],
        false,
      );
    }
    if (taken.length > 0 && taken.length === all.length) {
      throw invitationFailed("We weren't able to invite anyone.", taken, false);
    }
    for (const address of valid) addInvitation(call, address, args);
    sendInvitationsChanged(call, { invited_by_user_id: call.caller.user_id });
    if (taken.length > 0) {
      const msg =
        "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!";
      throw invitationFailed(msg, taken, true);
    }
  }),

  // Real servers have a page for it.
  on(acceptInvitation, {}, (call, { email, full_name }) => {
    const { state, now } = call;
    const open = state.invitations.find(
      (each) => each.email?.toLowerCase() === email.toLowerCase() && isOpen(each, now),
    );
    const invitation = requireFound(open, "No such invitation");
    return { user_id: join(call, invitation, full_name ?? email.split("@")[0] ?? email).user_id };
  }),

  on(api.createInvitationLink, { decode }, (call, args) => {
    checkInviter(call, "create_multiuse_invite_group", args);
    checkDestinations(call, args);
    const link = addInvitation(call, null, { ...args, notify_referrer_on_join: false });
    sendInvitationsChanged(call, link);
    return { invite_link: `${call.site}/join/${link.key}/` };
  }),

  on(api.revokeInvitation, {}, (call, { invite_id }) => {
    const invitation = invitationToChange(call, invite_id, "mail");
    call.state.invitations = call.state.invitations.filter((each) => each !== invitation);
    sendInvitationsChanged(call, invitation);
  }),

  on(api.revokeInvitationLink, {}, (call, { invite_id }) => {
    const invitation = invitationToChange(call, invite_id, "link");
    if (invitation.revoked) throw badRequest("Invitation has already been revoked");
    invitation.revoked = true;
    sendInvitationsChanged(call, invitation);
  }),

  on(api.resendInvitation, {}, (call, { invite_id }) => {
    const invitation = invitationToChange(call, invite_id, "mail");
    // It stays valid for as long as a new one.
    if (invitation.expiry_date !== null)
      invitation.expiry_date = call.now + (invitation.expiry_date - invitation.invited);
    invitation.invited = call.now;
  }),
];

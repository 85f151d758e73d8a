import {
  createInvitationLink,
  getInvitations,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
} from "../../api/invitations.ts";
import { strip } from "../../folding.ts";
import { addsSubscribers, hasContentAccess, insufficient, managesGroup, may, ownersOnly } from "../access.ts";
import { ApiError, orRefused, refused } from "../answers.ts";
import { aRole, atMost, fromJson } from "../decode.ts";
import { administrators, send } from "../events/queue.ts";
import { groupOf } from "../groups.ts";
import { type Call, on, type Visit } from "../router.ts";
import { type Invitation, isAdministrator, nextId, type State, type User } from "../state.ts";
import { holderOf, isAddress, randomText, unwanted } from "../text.ts";

/** Unlike elsewhere, that an administrator is needed is told with the common code. */
function checkRole({ caller }: Call, role: number, always = false): void {
  if (role === 100) ownersOnly(caller);
  if ((always || role <= 300) && !isAdministrator(caller)) throw refused("Must be an organization administrator");
}

const invitationRecord = ({ site }: Visit, { email, key, ...invitation }: Invitation): object => ({
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

function invitationsChanged(visit: Visit, inviter: User | undefined): void {
  send(visit, { type: "invites_changed" }, new Set([...administrators(visit.state), ...(inviter ? [inviter] : [])]));
}

interface Terms {
  stream_ids?: readonly number[] | undefined;
  group_ids?: readonly number[] | undefined;
  welcome_message_custom_text?: string | undefined;
}

/** The channels and groups that those who come will be in. */
function checkPlaces({ state, caller }: Call, { stream_ids = [], group_ids = [] }: Terms): void {
  const channels = stream_ids.map((id) => {
    const channel = state.channels.get(id);
    if (!channel || channel.is_archived || !hasContentAccess(state, caller, channel)) {
      throw refused(`Invalid channel ID ${id}. No invites were sent.`);
    }
    return channel;
  });
  // Default channels are free for everybody who may invite.
  if (channels.some((channel) => !channel.is_default && !addsSubscribers(state, caller, channel))) {
    throw refused("You do not have permission to subscribe other users to channels.");
  }
  for (const id of group_ids) {
    const group = groupOf(state, id);
    if (group.deactivated) throw refused("User group is deactivated.");
    if (group.is_system_group || !managesGroup(state, caller, group, "can_add_members_group")) throw insufficient();
  }
}

const minute = 60_000;
const usual = 14_400;

function make(call: Call, email: string | null, given: { role: number; minutes: number | null; notify: boolean }) {
  const { state, caller, now, random } = call;
  const invitation: Invitation = {
    id: nextId(state, email === null ? "link" : "invitation"),
    email,
    key: randomText(random, 24, "abcdefghijklmnopqrstuvwxyz234567"),
    invited_by_user_id: caller.user_id,
    invited: now,
    expiry_date: given.minutes === null ? null : now + Number(given.minutes) * minute,
    invited_as: given.role,
    notify_referrer_on_join: given.notify,
    revoked: false,
  };
  state.invitations.push(invitation);
  return invitation;
}

const whyNot = {
  disposable: "Please use your real email address.",
  plus: "Email addresses containing + are not allowed.",
  domain: "Outside your domain.",
};

/** Addresses, each once; of `Ada <ada@example.com>` what stands in the brackets. */
const addresses = (text: string): string[] => [
  ...new Set(text.split(/[,\n]/).map((each) => strip(/<(.*)>/.exec(each)?.[1] ?? each))),
];

type Failure = [address: string, msg: string, deactivated: boolean];

const failed = (msg: string, errors: readonly Failure[], sent_invitations: boolean): ApiError =>
  new ApiError(400, "INVITATION_FAILED", msg, {
    errors,
    sent_invitations,
    license_limit_reached: false,
    daily_limit_reached: false,
  });

function judge(state: State, all: readonly string[]): { invalid: Failure[]; taken: Failure[]; good: string[] } {
  const invalid: Failure[] = [];
  const taken: Failure[] = [];
  const good: string[] = [];
  for (const address of all) {
    if (address === "") continue;
    const why = isAddress(address) ? unwanted(state, address) : undefined;
    const holder = holderOf(state, address);
    if (!isAddress(address)) invalid.push([address, "Invalid address.", false]);
    else if (why) invalid.push([address, whyNot[why], false]);
    else if (!holder) good.push(address);
    else if (holder.is_active) taken.push([address, "Already has an account.", false]);
    else taken.push([address, "Account has been deactivated.", true]);
  }
  return { invalid, taken, good };
}

const known = ({ state }: Call, id: number, byMail: boolean): Invitation => {
  const found = state.invitations.find((each) => each.id === id && (each.email !== null) === byMail);
  return orRefused(found, "No such invitation");
};

/** One's own, or anybody's for administrators. */
function checkOwn(call: Call, { invited_by_user_id, invited_as }: Invitation): void {
  if (invited_by_user_id !== call.caller.user_id) checkRole(call, invited_as, true);
}

const people = { who: "member" } as const;
const decode = { invite_as: fromJson(aRole), welcome_message_custom_text: atMost(8000) };
const welcome = ({ caller }: Call, { welcome_message_custom_text }: Terms) => {
  if (welcome_message_custom_text !== undefined && !isAdministrator(caller)) {
    throw refused("Must be an organization administrator");
  }
};

export const invitationRoutes = [
  on(getInvitations, { ...people, silent: true }, (call) => {
    const { state, caller, now } = call;
    const open = state.invitations.filter(({ expiry_date, revoked }) => !revoked && (expiry_date ?? now + 1) > now);
    const seen = open.filter((each) => isAdministrator(caller) || each.invited_by_user_id === caller.user_id);
    return { invites: seen.map((each) => invitationRecord(call, each)) };
  }),

  on(sendInvitations, { ...people, decode }, (call, args) => {
    const { state, caller } = call;
    const {
      invite_as: role = 400,
      invite_expires_in_minutes: minutes = usual,
      notify_referrer_on_join: notify = true,
    } = args;
    if (!may(state, caller, "can_invite_users_group")) throw insufficient();
    checkRole(call, role);
    welcome(call, args);
    if (args.invitee_emails === "") throw refused("You must specify at least one email address.");
    const all = addresses(args.invitee_emails);
    checkPlaces(call, args);
    const { invalid, taken, good } = judge(state, all);
    if (invalid.length > 0) {
      throw failed("Some emails did not validate, so we didn't send any invitations.", [...invalid, ...taken], false);
    }
    if (taken.length > 0 && taken.length === all.length) {
      throw failed("We weren't able to invite anyone.", taken, false);
    }
    for (const address of good) make(call, address, { role, minutes, notify });
    invitationsChanged(call, caller);
    if (taken.length > 0) {
      const msg =
        "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!";
      throw failed(msg, taken, true);
    }
  }),

  on(createInvitationLink, { ...people, decode }, (call, args) => {
    const { state, caller, site } = call;
    const { invite_as: role = 400, invite_expires_in_minutes: minutes = usual } = args;
    if (!may(state, caller, "create_multiuse_invite_group")) throw insufficient();
    checkRole(call, role);
    welcome(call, args);
    checkPlaces(call, args);
    const { key } = make(call, null, { role, minutes, notify: false });
    invitationsChanged(call, caller);
    return { invite_link: `${site}/join/${key}/` };
  }),

  on(revokeInvitation, people, (call, { invite_id }) => {
    const { state } = call;
    const found = known(call, invite_id, true);
    checkOwn(call, found);
    state.invitations = state.invitations.filter((each) => each !== found);
    invitationsChanged(call, state.users.get(found.invited_by_user_id));
  }),

  on(revokeInvitationLink, people, (call, { invite_id }) => {
    const found = known(call, invite_id, false);
    checkOwn(call, found);
    if (found.revoked) throw refused("Invitation has already been revoked");
    found.revoked = true;
    invitationsChanged(call, call.state.users.get(found.invited_by_user_id));
  }),

  on(resendInvitation, people, (call, { invite_id }) => {
    const found = known(call, invite_id, true);
    checkOwn(call, found);
    // The original duration is not stored: it is valid for the default time again.
    if (found.expiry_date !== null) found.expiry_date = call.now + (found.expiry_date - found.invited);
    found.invited = call.now;
  }),
];

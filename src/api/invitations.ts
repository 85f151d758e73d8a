import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, integer, list, nullable, object, oneOf, optional, string, type Value } from "../wire/types.ts";

const invitation = object({
  id: integer,
  invited_by_user_id: optional(integer),
  invited: optional(integer),
  expiry_date: optional(nullable(integer)),
  invited_as: integer,
  is_multiuse: boolean,
  email: optional(string),
  link_url: optional(string),
});
export type Invitation = Value<typeof invitation>;

/** The address of `Ada <ada@example.com>`, without regard to case. */
export const bareAddress = (text: string): string => (/<(.*)>/.exec(text)?.[1] ?? text).trim().toLowerCase();

/** Address and reason of each that was refused. */
const refusals = (errors: unknown): [string, string][] =>
  (Array.isArray(errors) ? errors : []).flatMap((each: unknown) =>
    Array.isArray(each) && typeof each[0] === "string" && typeof each[1] === "string"
      ? [[bareAddress(each[0]), each[1]]]
      : [],
  );

const inviteId = json(integer, { doc: "The invitation's id." });

const terms = {
  invite_expires_in_minutes: maybe(
    json(nullable(integer), { doc: "Minutes until it ends; null for never.", since: 126 }),
  ),
  invite_as: maybe(json(oneOf(100, 200, 300, 400, 600), { doc: "The role of those who come." })),
  group_ids: maybe(json(list(integer), { doc: "Groups they will be in.", of: "group", since: 322 })),
  include_realm_default_subscriptions: maybe(json(boolean, { doc: "The default channels too.", since: 261 })),
  welcome_message_custom_text: maybe(text({ doc: "What they are greeted with.", since: 416 })),
};

/** https://zulip.com/api/get-invites */
export const getInvitations = operation({
  name: "invite.list",
  method: "GET",
  path: "/invites",
  doc: "Open invitations: one's own, or all for administrators.",
  who: { role: "member" },
  params: {},
  result: { invites: list(invitation) },
});

/** Invitations by e-mail and links have separate sequences of ids. */
export const invitationId = ({ id, is_multiuse }: Pick<Invitation, "id" | "is_multiuse">): string =>
  `${is_multiuse ? "link" : "email"}:${id}`;

type Invitations = { readonly invites: readonly Invitation[] };

const idsWhere = ({ invites }: Invitations, made: (invitation: Invitation) => boolean): string[] =>
  invites.filter(made).map(invitationId);

/** https://zulip.com/api/send-invites */
export const sendInvitations = operation({
  name: "invite.add",
  method: "POST",
  path: "/invites",
  doc: "Invite people by mail.",
  who: { role: "member", owners: "invite owners" },
  params: {
    invitee_emails: text({ doc: "Addresses, separated by commas or newlines." }),
    stream_ids: json(list(integer), { doc: "Channels they will be subscribed to; may be empty.", of: "channel" }),
    ...terms,
    notify_referrer_on_join: maybe(json(boolean, { doc: "Tell the inviter when they come.", since: 267 })),
  },
  result: {},
  madeIn: {
    list: getInvitations,
    ids: (list: Invitations, { invitee_emails }) => {
      const sent = invitee_emails.split(",").map(bareAddress);
      return idsWhere(list, ({ email }) => email !== undefined && sent.includes(bareAddress(email)));
    },
  },
  several: {
    of: ({ invitee_emails }) => invitee_emails.split(","),
    refused: ({ code, fields: { errors, sent_invitations } }) => {
      if (code !== "INVITATION_FAILED") return undefined;
      const reasons = new Map(refusals(errors));
      return { why: (address) => reasons.get(bareAddress(address)), othersDone: sent_invitations === true };
    },
  },
});

/** https://zulip.com/api/create-invite-link */
export const createInvitationLink = operation({
  name: "invite.link",
  method: "POST",
  path: "/invites/multiuse",
  doc: "Create an invitation link.",
  who: { role: "member", owners: "invite owners" },
  params: {
    stream_ids: maybe(json(list(integer), { doc: "Channels they will be subscribed to.", of: "channel" })),
    ...terms,
  },
  result: { invite_link: string },
  madeIn: {
    list: getInvitations,
    ids: (list: Invitations, _, { invite_link }) => idsWhere(list, ({ link_url }) => link_url === invite_link),
  },
});

/** https://zulip.com/api/revoke-email-invite */
export const revokeInvitation = operation({
  name: "invite.rm",
  method: "DELETE",
  path: "/invites/{invite_id}",
  doc: "Revoke an invitation by mail.",
  who: { role: "member" },
  params: { invite_id: inviteId },
  result: {},
  target: ({ invite_id }) => `invitation ${invite_id}`,
});

/** https://zulip.com/api/revoke-invite-link */
export const revokeInvitationLink = operation({
  name: "invite.link.rm",
  method: "DELETE",
  path: "/invites/multiuse/{invite_id}",
  doc: "Revoke an invitation link.",
  who: { role: "member" },
  params: { invite_id: inviteId },
  result: {},
  target: ({ invite_id }) => `invitation link ${invite_id}`,
});

/** https://zulip.com/api/resend-email-invite */
export const resendInvitation = operation({
  name: "invite.resend",
  method: "POST",
  path: "/invites/{invite_id}/resend",
  doc: "Send an invitation's mail again.",
  who: { role: "member" },
  params: { invite_id: inviteId },
  result: {},
  target: ({ invite_id }) => `invitation ${invite_id}`,
});

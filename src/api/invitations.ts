import { commandLine } from "../common/shell-words.ts";
import { roleValues } from "../model/person.ts";
import { ifKnown } from "../wire/impact.ts";
import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, integer, list, nullable, object, oneOf, optional, string, type Value } from "../wire/types.ts";

export const invitationSchema = object({
  id: integer,
  invited_by_user_id: optional(integer),
  invited: optional(integer),
  expiry_date: optional(nullable(integer)),
  invited_as: integer,
  is_multiuse: boolean,
  email: optional(string),
  link_url: optional(string),
});
export type Invitation = Value<typeof invitationSchema>;

/** Returns the address of `Ada <ada@example.com>` in lower case. */
export const bareAddress = (text: string): string => (/<(.*)>/.exec(text)?.[1] ?? text).trim().toLowerCase();

/** Returns the addresses to which invitations are sent. */
export const invitedAddresses = (emails: unknown): string[] => String(emails).split(",").map(bareAddress);

/** Returns the address and reason of each refusal. The third member says that the account is deactivated. */
const refusals = (errors: unknown): [string, string][] =>
  (Array.isArray(errors) ? errors : []).flatMap((each: unknown) => {
    if (!Array.isArray(each) || typeof each[0] !== "string" || typeof each[1] !== "string") return [];
    const address = bareAddress(each[0]);
    const way = each[2] === true ? ` (Reactivate it with: ${commandLine(["users", "reactivate", address])})` : "";
    return [[address, each[1] + way]];
  });

const inviteId = json(integer);

const invitationParams = {
  invite_expires_in_minutes: maybe(json(nullable(integer))),
  invite_as: maybe(json(oneOf(...roleValues), { of: "role" })),
  group_ids: maybe(json(list(integer), { of: "group" })),
  include_realm_default_subscriptions: maybe(json(boolean)),
  welcome_message_custom_text: maybe(text({ since: 416 })),
};

/** https://zulip.com/api/get-invites */
export const getInvitations = operation("invite.list", "GET /invites", {
  who: { role: "member" },
  result: { invites: list(invitationSchema) },
});

/** Invitations by e-mail and links have separate sequences of ids. */
export const invitationId = ({ id, is_multiuse }: Pick<Invitation, "id" | "is_multiuse">): string =>
  `${is_multiuse ? "link" : "email"}:${id}`;

type Invitations = { readonly invites: readonly Invitation[] };

const idsWhere = ({ invites }: Invitations, made: (invitation: Invitation) => boolean): string[] =>
  invites.filter(made).map(invitationId);

/** https://zulip.com/api/send-invites */
export const sendInvitations = operation("invite.add", "POST /invites", {
  effects: ({ invite_as: role, invitee_emails: addresses }) => [{ does: "invite", role, addresses }],
  who: { role: "member", owners: "invite owners" },
  params: {
    invitee_emails: text(),
    stream_ids: json(list(integer), { of: "channel" }),
    ...invitationParams,
    notify_referrer_on_join: maybe(json(boolean)),
  },
  newIds: {
    list: getInvitations,
    // Somebody may have been invited before: the newest invitation has the highest id.
    ids: ({ invites }: Invitations, { invitee_emails }) => {
      const sent = new Set(invitedAddresses(invitee_emails));
      const newest = new Map<string, Invitation>();
      for (const one of invites) {
        const address = bareAddress(one.email ?? "");
        if (!one.is_multiuse && sent.has(address) && one.id > (newest.get(address)?.id ?? 0)) newest.set(address, one);
      }
      return [...newest.values()].map(invitationId);
    },
  },
  several: {
    of: ({ invitee_emails }) => invitee_emails.split(","),
    only: (args, invitee_emails) => ({ ...args, invitee_emails }),
    readRefusal: ({ code, fields: { errors, sent_invitations } }) => {
      if (code !== "INVITATION_FAILED") return undefined;
      const reasons = new Map(refusals(errors));
      return { reasonOf: (address) => reasons.get(bareAddress(address)), othersDone: sent_invitations === true };
    },
  },
});

/** https://zulip.com/api/create-invite-link */
export const createInvitationLink = operation("invite.link", "POST /invites/multiuse", {
  effects: ({ invite_as: role }) => [{ does: "invite", role }],
  who: { role: "member", owners: "invite owners" },
  params: {
    stream_ids: maybe(json(list(integer), { of: "channel" })),
    ...invitationParams,
  },
  result: { invite_link: string },
  secretAnswer: ["invite_link"],
  newIds: {
    list: getInvitations,
    ids: (list: Invitations, _, { invite_link }) => idsWhere(list, ({ link_url }) => link_url === invite_link),
  },
});

/** https://zulip.com/api/revoke-email-invite */
export const revokeInvitation = operation("invite.rm", "DELETE /invites/{invite_id}", {
  effects: ({ invite_id }) => ifKnown(invite_id, (id) => ({ does: "remove", kind: "invitation", id })),
  who: { role: "member" },
  params: { invite_id: inviteId },
  target: ({ invite_id }) => `invitation ${invite_id}`,
});

/** https://zulip.com/api/revoke-invite-link */
export const revokeInvitationLink = operation("invite.link.rm", "DELETE /invites/multiuse/{invite_id}", {
  effects: ({ invite_id }) => ifKnown(invite_id, (id) => ({ does: "remove", kind: "invitation", id: `link:${id}` })),
  who: { role: "member" },
  params: { invite_id: inviteId },
  target: ({ invite_id }) => `invitation link ${invite_id}`,
});

/** https://zulip.com/api/resend-email-invite */
export const resendInvitation = operation("invite.resend", "POST /invites/{invite_id}/resend", {
  effects: ({ invite_id }) => ifKnown(invite_id, (id) => ({ does: "invite again", id })),
  who: { role: "member" },
  params: { invite_id: inviteId },
  target: ({ invite_id }) => `invitation ${invite_id}`,
});

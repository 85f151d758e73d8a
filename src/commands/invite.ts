import {
  createInvitationLink,
  getInvitations,
  invitationId,
  resendInvitation,
  revokeInvitation,
  sendInvitations,
} from "../api/invitations.ts";
import { roleName, roles } from "../api/users.ts";
import { plansWith } from "../cli/conversation.ts";
import { channels, choice, groups, not, textOrFile, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { changes, lists } from "../cli/verb.ts";
import { when } from "../output/when.ts";
import { addresses, expiry, invitations, termsOf } from "./invite/words.ts";

const names = Object.keys(roles) as (keyof typeof roles)[];

const terms = {
  role: choice(names, "the role of those who come", "role"),
  channel: channels("channels they will be subscribed to: names or ids; @file reads one a line"),
  group: groups("groups they will be in: names or ids; @file reads one a line"),
  expires: expiry("until when it holds: 7d, 12h, never"),
  defaultChannels: toggle("also subscribe them to the default channels"),
  welcome: textOrFile("what they are greeted with; @file reads a file, - reads stdin"),
};

const binds = {
  role: "invite_as",
  channel: "stream_ids",
  group: "group_ids",
  expires: "invite_expires_in_minutes",
  defaultChannels: "include_realm_default_subscriptions",
  welcome: "welcome_message_custom_text",
} as const;

export const invite = noun("Invitations by mail and by link", {
  list: lists(getInvitations, {
    doc: "List pending invitations: all for administrators, your own otherwise",
    records: "invites",
    id: invitationId,
    columns: {
      WHAT: { value: invitationId },
      INVITED: { value: ({ email, link_url }) => email ?? link_url, whole: true, importance: "high" },
      ROLE: { value: ({ invited_as }) => roleName(invited_as) },
      BY: { names: "user", ids: ({ invited_by_user_id }) => invited_by_user_id },
      SENT: { value: ({ invited }) => when(invited), whole: true, importance: "low" },
      EXPIRES: { value: ({ expiry_date }) => (expiry_date === null ? "never" : when(expiry_date)), whole: true },
    },
    rare: ["email", "link_url"],
    examples: ["zulipctl invite list"],
  }),

  add: plansWith({
    operation: sendInvitations,
    doc: "Invite people by e-mail; skip those with a pending invitation",
    operands: { emails: addresses("addresses; @file reads them, one a line, - reads them from stdin") },
    flags: { ...terms, channels: not("subscribe the new people to no channel") },
    binds,
    examples: [
      "zulipctl invite add linus@example.com,grace@example.com --channel general --expires 7d",
      "zulipctl invite add mary@example.com --role guest --no-channels",
    ],
    run: async () => (await import("./invite/send.ts")).add,
  }),

  link: changes(createInvitationLink, {
    doc: "Create an invitation link",
    flags: terms,
    binds,
    args: (given) => ({ stream_ids: given.channel, ...termsOf(given) }),
    target: () => "link",
    done: "{invite_link}",
    see: "invite list",
    examples: ["zulipctl invite link --role guest --channel design --expires 12h"],
  }),

  rm: plansWith({
    operation: revokeInvitation,
    doc: "Revoke invitations",
    operands: { whats: invitations() },
    examples: ["zulipctl invite list -o ids | zulipctl invite rm -"],
    run: async () => (await import("./invite/send.ts")).rm,
  }),

  resend: plansWith({
    operation: resendInvitation,
    doc: "Resend invitation e-mails",
    operands: { whats: invitations() },
    examples: [`zulipctl invite list --jq '.[] | select(.email) | "email:\\(.id)"' | zulipctl invite resend -`],
    run: async () => (await import("./invite/send.ts")).resend,
  }),
});

import {
  bareAddress,
  createInvitationLink,
  getInvitations,
  invitationId,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
} from "../api/invitations.ts";
import { readLists, readStdin } from "../argv/read-text.ts";
import type { TextInput } from "../argv/text-input.ts";
import { noun } from "../cli/noun.ts";
import type { CommandParameter } from "../cli/parameter.ts";
import { lines, negatedOnly, toggle } from "../cli/value-parameters.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import { changingVerb } from "../cli/verbs-with-code.ts";
import { change } from "../engine/change.ts";
import { Usage } from "../errors.ts";
import { roleName } from "../model/person.ts";
import { divideAddresses, readAddress } from "../notation/address.ts";
import { readId } from "../notation/id.ts";
import { listFileHint } from "../notation/references.ts";
import { timeCell } from "../output/when.ts";
import { checkOnePerson } from "../resolve/listed.ts";
import type { Context, Planned } from "../run/context.ts";
import { termBinds, termFlags, termsOf, verifyWith } from "./invite/invitation-terms.ts";
import { addressesOfListed, allowEmptyList, checkListed, listedPeople } from "./users/not-in.ts";

/** Reads `email:12`, `link:3` and addresses, separated by blanks or commas. `-` reads stdin. */
const invitationsParameter = (): CommandParameter<string[], TextInput[]> => ({
  metavar: "what",
  doc: "email:12, link:3, as invite list shows them, or invited addresses; - reads them from stdin",
  many: true,
  file: true,
  offers: { of: "invitation", list: true },
  read: async (raw: TextInput[], { context, flag }) => {
    const invitations = new Set<string>();
    for (const value of raw) {
      const text = value.isStdin ? await readStdin(context.world, flag) : value.text;
      for (const word of text.split(/[\s,]+/).filter(Boolean)) {
        if (word.includes("@")) {
          invitations.add(word);
          continue;
        }
        const [, number] = /^(?:email|link):(.*)$/.exec(word) ?? [];
        if (number === undefined || readId(number) === undefined)
          throw new Usage(`${flag}: invalid invitation "${word}"`, {
            hint: /^\d+$/.test(word)
              ? `E-mail invitations and links have separate numbers: email:${word} or link:${word}`
              : "List them with: zulipctl invite list",
          });
        invitations.add(word);
      }
    }
    return [...invitations];
  },
  find: async (words: string[], { context, flag }) => {
    if (!words.some((word) => word.includes("@"))) return words;
    const { invites } = await (await context.server()).lookUp(getInvitations, {});
    const found = words.map((word) => {
      if (!word.includes("@")) return word;
      const open = invites.find(({ email }) => email !== undefined && bareAddress(email) === bareAddress(word));
      if (open) return invitationId(open);
      throw new Usage(`${flag}: no open invitation of ${word}`, { hint: "List them with: zulipctl invite list" });
    });
    return [...new Set(found)];
  },
});

/** Reads addresses: comma lists, lines of a file (`@file`) or of stdin (`-`), without duplicates. */
const addresses = (doc: string): CommandParameter<string[], TextInput[]> => ({
  ...lines(doc, "email"),
  read: async (raw: TextInput[], { context, flag }) => {
    const unique = new Map<string, string>();
    const lists = await readLists(context.world, flag, raw, { people: "addresses" });
    for (const list of lists) {
      for (const item of list) checkOnePerson(item, flag);
      const place = list[0]?.place ?? flag;
      for (const each of divideAddresses(list.map(({ text }) => text).join(","))) {
        const address = readAddress(each, place, listFileHint(each));
        unique.set(address.toLowerCase(), unique.get(address.toLowerCase()) ?? address);
      }
    }
    return [...unique.values()];
  },
});

const isLink = (invitation: string): boolean => invitation.startsWith("link:");

const idOf = (invitation: string): number => Number(invitation.split(":")[1]);

const rm = async (_: Context, { invitations }: { invitations: string[] }): Promise<Planned> => ({
  list: true,
  changes: invitations.map((target) =>
    change(
      isLink(target) ? revokeInvitationLink : revokeInvitation,
      { invite_id: idOf(target) },
      { target, done: "Revoked invitation {target}.", verifyWith },
    ),
  ),
});

export const inviteNoun = noun("Invitations by mail and by link", {
  list: lists(getInvitations, {
    doc: "List pending invitations: all for administrators, your own otherwise",
    operations: ["users.list"],
    flags: { notIn: listedPeople({ addressesOnly: true }), allowEmpty: allowEmptyList },
    records: ({ invites }) => invites,
    emptyFields: [
      "id",
      "invited_by_user_id",
      "invited",
      "expiry_date",
      "invited_as",
      "is_multiuse",
      "notify_referrer_on_join",
      "email",
      "link_url",
    ],
    only: async ({ notIn, allowEmpty }, context) => {
      if (!notIn) return () => true;
      checkListed(notIn, allowEmpty);
      const addresses = await addressesOfListed(context, notIn, allowEmpty);
      return ({ email }) => email !== undefined && !addresses.has(bareAddress(email));
    },
    id: invitationId,
    columns: {
      WHAT: { value: invitationId },
      INVITED: { value: ({ email, link_url }) => email ?? link_url, whole: true, importance: "high" },
      ROLE: { value: ({ invited_as }) => roleName(invited_as) },
      BY: { names: "user", ids: ({ invited_by_user_id }) => invited_by_user_id },
      SENT: { value: ({ invited }) => timeCell(invited), whole: true, importance: "low" },
      EXPIRES: { value: ({ expiry_date }) => (expiry_date === null ? "never" : timeCell(expiry_date)), whole: true },
    },
    optionalFields: ["email", "link_url"],
    examples: ["zulipctl invite list"],
  }),

  add: changingVerb({
    operation: sendInvitations,
    doc: "Invite people by e-mail; skip those with an account or a pending invitation",
    asks: "sometimes",
    operations: ["channel.subscribe", "group.members", "invite.rm", "users.list", "users.me"],
    exits: [5],
    operands: { emails: addresses("addresses; @file reads them, one a line, - reads them from stdin") },
    flags: {
      ...termFlags,
      channels: negatedOnly("subscribe the new people to no channel"),
      replace: toggle("revoke open invitations with another role, or for --channel and --group, and invite again"),
      addExisting: toggle("add those with an account to the channels and groups of the invitation"),
    },
    binds: termBinds,
    conflicts: [["channels", "channel", "defaultChannels"]],
    check: ({ addExisting, channel, group, defaultChannels }) => {
      if (addExisting && !channel && !group && !defaultChannels)
        throw new Usage("--add-existing requires --channel, --group or --default-channels");
    },
    examples: [
      "zulipctl invite add linus@example.com,grace@example.com --channel general --expires 7d",
      "zulipctl invite add mary@example.com --role guest --no-channels",
      "zulipctl invite add cora@sandbox.example,linus@example.com --channel design --group designers --add-existing",
    ],
    run: async () => (await import("./invite/add.ts")).planInvitations,
  }),

  link: changes(createInvitationLink, {
    doc: "Create an invitation link",
    asks: "sometimes",
    operations: [],
    flags: termFlags,
    binds: termBinds,
    args: (values) => ({ stream_ids: values.channel, ...termsOf(values) }),
    target: () => "link",
    done: "{invite_link}",
    checkCommand: "invite list",
    examples: ["zulipctl invite link --role guest --channel design --expires 12h"],
  }),

  rm: changingVerb({
    operation: revokeInvitation,
    doc: "Revoke invitations",
    operations: ["invite.link.rm", "invite.list"],
    operands: { invitations: invitationsParameter() },
    examples: ["zulipctl invite list -o ids | zulipctl invite rm -"],
    run: async () => rm,
  }),

  resend: changesEach(resendInvitation, {
    doc: "Resend invitation e-mails",
    asks: "sometimes",
    operations: ["invite.list"],
    things: invitationsParameter(),
    args: (invitation) => {
      if (isLink(invitation)) throw new Usage(`<what>: ${invitation} is a link: it was not sent to anybody`);
      return { invite_id: idOf(invitation) };
    },
    done: "Resent invitation {target}.",
    checkCommand: "invite list",
    examples: [`zulipctl invite list --jq '.[] | select(.email) | "email:\\(.id)"' | zulipctl invite resend -`],
  }),
});

/** Invites people, and adds those with an account. */

import { allChannelsArgs, getChannels } from "../../api/channels.ts";
import { bareAddress, getInvitations, invitationId, revokeInvitation, sendInvitations } from "../../api/invitations.ts";
import { type User, userAddress } from "../../api/users.ts";
import type { MembersDescription } from "../../cli/members-verb.ts";
import { groupBy } from "../../common/group-by.ts";
import { type Change, change } from "../../engine/change.ts";
import { programLine } from "../../output/line.ts";
import { currentValuesOf } from "../../resolve/current-values.ts";
import type { Context, Planned } from "../../run/context.ts";
import { additions } from "../../run/members/additions.ts";
import { oncePerRun } from "../../run/once-per-run.ts";
import { subscribers } from "../channel/subscribers.ts";
import { groupMembers } from "../group.ts";
import { termsOf, verifyWith } from "./invitation-terms.ts";
import { compareInvitation, type InvitationTerms, keptTerms } from "./open-invitation.ts";

type Options = InvitationTerms & {
  emails: string[];
  addExisting?: boolean | undefined;
  replace?: boolean | undefined;
};

const invitation = (address: string) => `invitation of ${bareAddress(address)}`;

const revocation = (target: string, invite_id: number): Change =>
  change(revokeInvitation, { invite_id }, { target, done: "Revoked invitation {target}.", flags: {}, verifyWith });

/** Returns accounts by address, as far as this account can see addresses. */
async function accountsByAddress({ names }: Context): Promise<ReadonlyMap<string, User>> {
  return new Map((await names.accounts()).map((user) => [userAddress(user)?.toLowerCase() ?? "", user]));
}

/** Returns the ids of the default channels. */
async function defaultChannels({ server }: Context): Promise<number[]> {
  const { streams } = await (await server()).lookUp(getChannels, { ...allChannelsArgs, include_default: true });
  return streams.filter(({ is_default }) => is_default).map(({ stream_id }) => stream_id);
}

/** Returns the changes that add people to these channels or groups, and leave out who is in them. */
async function addTo(
  context: Context,
  description: MembersDescription,
  ids: readonly number[],
  people: readonly number[],
): Promise<Change[]> {
  if (!ids.length || !people.length) return [];
  const nameOf = await context.names.nameLookup(description.of);
  const owners = ids.map((id) => ({ id, typed: nameOf(id) ?? String(id) }));
  return additions(context, description, owners, [people], ["--add-existing"]);
}

const noteUnread = oncePerRun(({ note }: Context) =>
  note(programLine("channels and groups of an open invitation cannot be read, and the log here does not know them")),
);

/** Skips people who are invited, since the server would invite them a second time, and people with an account. */
export async function planInvitations(
  context: Context,
  { emails, addExisting, replace, ...terms }: Options,
): Promise<Planned> {
  if (!emails.length) return { changes: [], list: true };
  const server = await context.server();
  const included = terms.defaultChannels && addExisting ? await defaultChannels(context) : [];
  // Without channels, new people would see an empty organization.
  const defaults = terms.channels !== false && !terms.channel ? true : terms.defaultChannels;
  const { invites } = await server.lookUp(getInvitations, {});
  const pending = groupBy(invites, ({ email = "" }) => bareAddress(email));
  const accounts = await accountsByAddress(context);
  const asked = { stream_ids: terms.channel ?? [], ...termsOf({ ...terms, defaultChannels: defaults }) };
  const existing: number[] = [];
  const unchanged: Change[] = [];
  const skip = (target: string, already: string, differs: readonly string[] = []) =>
    unchanged.push(
      change(
        sendInvitations,
        { invitee_emails: target, ...asked },
        { target, done: "Invited {target}.", already, verifyWith, unchanged: true, ...(differs.length && { differs }) },
      ),
    );
  const revocations: Change[] = [];
  const invited: { address: string; args: typeof asked }[] = [];
  for (const address of emails) {
    const open = pending.get(bareAddress(address));
    const account = accounts.get(bareAddress(address));
    if (account?.is_active) {
      existing.push(account.user_id);
      skip(address, "{target} has an account already.");
      // The server refuses a deactivated account.
    } else if (account) invited.push({ address, args: asked });
    else if (currentValuesOf(context).isCreatedEarlier(invitation(address)))
      skip(address, "{target} is already invited.");
    else if (!open) invited.push({ address, args: asked });
    else {
      const compared = await Promise.all(open.map((each) => compareInvitation(context, each, terms)));
      // Several people may have invited the same person.
      const best = compared.find(({ differs, unread }) => !differs.length && !unread) ?? compared[0]!;
      const { differs, words, unread } = best;
      if (unread) await noteUnread(context);
      if (replace && (differs.length || unread)) {
        revocations.push(...open.map(({ id }) => revocation(address, id)));
        invited.push({ address, args: { ...asked, ...keptTerms(best, terms) } });
        continue;
      }
      const which = `(${invitationId(best.invitation)})`;
      if (differs.length)
        skip(
          address,
          `{target} is already invited ${which} ${words.join(", ")}. To invite again, pass --replace.`,
          differs,
        );
      else skip(address, `{target} is already invited ${which}.`);
    }
  }
  const sendings = [...groupBy(invited, ({ args }) => JSON.stringify(args)).values()].map((all) => {
    const addresses = all.map(({ address }) => address);
    return change(
      sendInvitations,
      { invitee_emails: addresses.join(","), ...all[0].args },
      { target: addresses.join(", "), done: "Invited {target}.", verifyWith, creates: addresses.map(invitation) },
    );
  });
  const added = addExisting
    ? [
        ...(await addTo(context, subscribers, [...new Set([...(terms.channel ?? []), ...included])], existing)),
        ...(await addTo(context, groupMembers, terms.group ?? [], existing)),
      ]
    : [];
  // The parts of a row have fixed numbers.
  const needed = context.line === undefined ? added.filter((each) => !each.unchanged) : added;
  return { changes: [...revocations, ...sendings, ...unchanged, ...needed], list: true };
}

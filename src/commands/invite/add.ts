/** Invites people, and adds those with an account. */
import { allChannelsArgs, getChannels } from "../../api/channels.ts";
import {
  bareAddress,
  getInvitations,
  type Invitation,
  revokeInvitation,
  sendInvitations,
} from "../../api/invitations.ts";
import { addressOf, type User } from "../../api/users.ts";
import type { MembersDescription } from "../../cli/members.ts";
import { type Change, change } from "../../engine/change.ts";
import { roleName, roles } from "../../model/person.ts";
import { currentValuesOf } from "../../resolve/current-values.ts";
import type { Context, Planned } from "../../run/context.ts";
import { additions } from "../../run/members/additions.ts";
import { subscribers } from "../channel/subscribers.ts";
import { groupMembers } from "../group.ts";
import { type Terms, termsOf, verifyWith } from "./terms.ts";

type Options = Terms & {
  emails: string[];
  channels?: boolean | undefined;
  addExisting?: boolean | undefined;
  replace?: boolean | undefined;
};

const invitation = (address: string) => `invitation of ${bareAddress(address)}`;

const revocation = (target: string, invite_id: number): Change =>
  change(revokeInvitation, { invite_id }, { target, done: "Revoked invitation {target}.", flags: {}, verifyWith });

/** Returns accounts by address, as far as this account can see addresses. */
async function accountsByAddress({ find }: Context): Promise<ReadonlyMap<string, User>> {
  return new Map((await find.accounts()).map((user) => [addressOf(user)?.toLowerCase() ?? "", user]));
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
  const nameOf = await context.find.nameLookup(description.of);
  const owners = ids.map((id) => ({ id, typed: nameOf(id) ?? String(id) }));
  return additions(context, description, owners, [people], ["--add-existing"]);
}

/** Skips people who are invited, since the server would invite them a second time, and people with an account. */
export async function add(
  context: Context,
  { emails, channels, addExisting, replace, ...terms }: Options,
): Promise<Planned> {
  if (!emails.length) return { changes: [], list: true };
  const server = await context.server();
  const included = terms.defaultChannels && addExisting ? await defaultChannels(context) : [];
  const asksForLists = terms.channel !== undefined || terms.group !== undefined;
  // Without channels, new people would see an empty organization.
  if (channels !== false && !terms.channel) terms.defaultChannels = true;
  const { invites } = await server.lookUp(getInvitations, {});
  const pending = new Map(
    invites.flatMap((each) => (each.email === undefined ? [] : [[bareAddress(each.email), each] as const])),
  );
  const accounts = await accountsByAddress(context);
  const rest = { stream_ids: terms.channel ?? [], ...termsOf(terms) };
  const args = (people: readonly string[]) => ({ invitee_emails: people.join(","), ...rest });
  const uninvited: string[] = [];
  const existing: number[] = [];
  const unchanged: Change[] = [];
  const skip = (target: string, already: string, differs: readonly string[] = []) =>
    unchanged.push(
      change(sendInvitations, args([target]), {
        target,
        done: "",
        already,
        verifyWith,
        unchanged: true,
        ...(differs.length && { differs }),
      }),
    );
  const revocations: Change[] = [];
  const isOther = ({ invited_as }: Invitation) => terms.role !== undefined && invited_as !== roles[terms.role];
  // Servers tell the role of an open invitation, but neither its channels nor its groups.
  const unread = asksForLists ? "; channels and groups of an open invitation cannot be read" : "";
  for (const address of emails) {
    const open = pending.get(bareAddress(address));
    const account = accounts.get(bareAddress(address));
    // The server refuses a deactivated account.
    if (account?.is_active === false) uninvited.push(address);
    else if (account) {
      existing.push(account.user_id);
      skip(address, "{target} has an account already.");
    } else if (open && replace && (asksForLists || isOther(open))) {
      revocations.push(revocation(address, open.id));
      uninvited.push(address);
    } else if (open && isOther(open)) {
      const role = `as ${roleName(open.invited_as)}, not as ${terms.role}`;
      const says = `{target} is already invited (email:${open.id}) ${role}. To invite again, pass --replace.`;
      skip(address, says, ["role"]);
    } else if (open) skip(address, `{target} is already invited (email:${open.id})${open && unread}.`);
    else if (currentValuesOf(context).isCreatedEarlier(invitation(address)))
      skip(address, "{target} is already invited.");
    else uninvited.push(address);
  }
  const sending = change(sendInvitations, args(uninvited), {
    target: uninvited.join(", "),
    done: "Invited {target}.",
    verifyWith,
    creates: uninvited.map(invitation),
  });
  const added = addExisting
    ? [
        ...(await addTo(context, subscribers, [...new Set([...(terms.channel ?? []), ...included])], existing)),
        ...(await addTo(context, groupMembers, terms.group ?? [], existing)),
      ]
    : [];
  // The parts of a row have fixed numbers.
  const needed = context.line === undefined ? added.filter((each) => !each.unchanged) : added;
  return { changes: [...revocations, ...(uninvited.length ? [sending] : []), ...unchanged, ...needed], list: true };
}

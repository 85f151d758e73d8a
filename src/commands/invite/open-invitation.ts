/** Compares an open invitation with what is asked. */
import type { Invitation } from "../../api/invitations.ts";
import { joinFirst } from "../../common/counted.ts";
import { roleName, roles, roleValues } from "../../model/person.ts";
import type { Context } from "../../run/context.ts";
import type { Terms } from "./invitation-terms.ts";
import { type Destinations, destinationsOf } from "./sent-earlier.ts";

/** `channels` is false for an invitation to no channel. */
export type InvitationTerms = Terms & { channels?: boolean | undefined };

interface ComparedInvitation {
  readonly invitation: Invitation;
  /** What differs: `role`, `channels`, `groups`. */
  readonly differs: readonly string[];
  /** The differences in words. */
  readonly words: readonly string[];
  /** Channels or groups are asked for, and nothing tells those of the invitation. */
  readonly unread: boolean;
  readonly destinations: Destinations | undefined;
}

const asksForChannels = ({ channel, channels, defaultChannels }: InvitationTerms): boolean =>
  channel !== undefined || channels === false || defaultChannels === true;

const sameIds = (one: readonly number[], other: readonly number[]): boolean => {
  const [all, others] = [new Set(one), new Set(other)];
  return all.size === others.size && one.every((id) => others.has(id));
};

/** The invitation is compared only with what is asked: a role that nobody typed may be any. */
export async function compareInvitation(
  context: Context,
  invitation: Invitation,
  terms: InvitationTerms,
): Promise<ComparedInvitation> {
  const differs: string[] = [];
  const words: string[] = [];
  const { invited_as } = invitation;
  if (terms.role !== undefined && invited_as !== roles[terms.role]) {
    differs.push("role");
    words.push(`as ${roleName(invited_as)}, not as ${terms.role}`);
  }
  const [channels, groups] = [asksForChannels(terms), terms.group !== undefined];
  const destinations = await destinationsOf(context, invitation);
  const namesOf = async (kind: "channel" | "group", ids: readonly number[], more: readonly string[] = []) => {
    const nameOf = ids.length ? await context.names.nameLookup(kind) : String;
    return joinFirst([...ids.map((id) => nameOf(id) ?? String(id)), ...more]) || "none";
  };
  if (channels && destinations) {
    const { channels: sent, defaults } = destinations;
    const isSame = sameIds(sent, terms.channel ?? []) && defaults === (terms.defaultChannels ?? false);
    if (!isSame) {
      differs.push("channels");
      words.push(`to other channels (${await namesOf("channel", sent, defaults ? ["the default channels"] : [])})`);
    }
  }
  if (groups && destinations && !sameIds(destinations.groups, terms.group ?? [])) {
    differs.push("groups");
    words.push(`to other groups (${await namesOf("group", destinations.groups)})`);
  }
  return { invitation, differs, words, unread: (channels || groups) && !destinations, destinations };
}

/** Returns what a new invitation takes over from the open one that it replaces: all that is not asked. */
export const keptTerms = ({ invitation, destinations }: ComparedInvitation, terms: InvitationTerms) => ({
  ...(terms.role === undefined && { invite_as: roleValues.find((role) => role === invitation.invited_as) }),
  ...(destinations &&
    !asksForChannels(terms) && {
      stream_ids: [...destinations.channels],
      include_realm_default_subscriptions: destinations.defaults || undefined,
    }),
  ...(destinations &&
    terms.group === undefined &&
    destinations.groups.length && { group_ids: [...destinations.groups] }),
});

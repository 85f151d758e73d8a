import {
  bareAddress,
  getInvitations,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
} from "../../api/invitations.ts";
import { type Change, change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { presentOf } from "../../resolve/present.ts";
import type { Context, Planned } from "../../run/context.ts";
import { type Terms, termsOf } from "./words.ts";

const verifyWith = "zulipctl invite list";

/** The server would invite an address again that is invited already. */
export async function add(
  context: Context,
  { emails, channels, ...terms }: Terms & { emails: string[]; channels?: boolean | undefined },
): Promise<Planned> {
  if (!emails.length) return { changes: [], list: true };
  for (const [flag, given] of Object.entries({
    "--channel": terms.channel,
    "--default-channels": terms.defaultChannels,
  }))
    if (channels === false && given) throw new Usage(`--no-channels cannot be combined with ${flag}`);
  const server = await context.server();
  // Without any channel, new people would see an empty organization.
  if (channels !== false && !terms.channel) terms.defaultChannels = true;
  const invitation = (address: string) => `invitation of ${bareAddress(address)}`;
  const { invites } = await server.lookUp(getInvitations, {});
  const open = new Map(invites.flatMap(({ id, email }) => (email === undefined ? [] : [[bareAddress(email), id]])));
  const rest = { stream_ids: terms.channel ?? [], ...termsOf(terms) };
  const args = (some: readonly string[]) => ({ invitee_emails: some.join(","), ...rest });
  const wanted: string[] = [];
  const pending: Change[] = [];
  for (const address of emails) {
    const id = open.get(bareAddress(address));
    if (id === undefined && !presentOf(context).brought(invitation(address))) wanted.push(address);
    else
      pending.push(
        change(sendInvitations, args([address]), {
          target: address,
          done: `{target} is already invited${id === undefined ? "" : ` (email:${id})`}.`,
          verifyWith,
          unchanged: true,
        }),
      );
  }
  const sent = change(sendInvitations, args(wanted), {
    target: wanted.join(", "),
    done: "Invited {target}.",
    verifyWith,
    brings: wanted.map(invitation),
  });
  return { changes: [...(wanted.length ? [sent] : []), ...pending], list: true };
}

const isLink = (what: string): boolean => what.startsWith("link:");

/** The same change of each invitation. */
const each = (whats: string[], operation: (what: string) => typeof revokeInvitation, done: string): Planned => ({
  list: true,
  changes: whats.map((what) =>
    change(operation(what), { invite_id: Number(what.split(":")[1]) }, { target: what, done, verifyWith }),
  ),
});

export const rm = async (_: Context, { whats }: { whats: string[] }): Promise<Planned> =>
  each(whats, (what) => (isLink(what) ? revokeInvitationLink : revokeInvitation), "Revoked invitation {target}.");

export async function resend(_: Context, { whats }: { whats: string[] }): Promise<Planned> {
  const link = whats.find(isLink);
  if (link !== undefined) throw new Usage(`<what>: ${link} is a link: it was not sent to anybody`);
  return each(whats, () => resendInvitation, "Resent invitation {target}.");
}

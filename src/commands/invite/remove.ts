/** Verbs that take invitations by what they are: mails and links have calls, and counts, of their own. */
import { resendInvitation, revokeInvitation, revokeInvitationLink } from "../../api/invitations.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import type { Context, Planned } from "../../run/context.ts";

const verifyWith = "zulipctl invite list";

const idOf = (what: string): number => Number(what.split(":")[1]);
const isLink = (what: string): boolean => what.startsWith("link:");

export const rm = async (_: Context, { whats }: { whats: string[] }): Promise<Planned> => ({
  list: true,
  changes: whats.map((what) =>
    change(
      isLink(what) ? revokeInvitationLink : revokeInvitation,
      { invite_id: idOf(what) },
      { target: what, done: "Revoked invitation {target}.", verifyWith },
    ),
  ),
});

export async function resend(_: Context, { whats }: { whats: string[] }): Promise<Planned> {
  const link = whats.find(isLink);
  if (link !== undefined) throw new Usage(`<what>: ${link} is a link: it was not sent to anybody`);
  return {
    list: true,
    changes: whats.map((what) =>
      change(
        resendInvitation,
        { invite_id: idOf(what) },
        { target: what, done: "Resent invitation {target}.", verifyWith },
      ),
    ),
  };
}

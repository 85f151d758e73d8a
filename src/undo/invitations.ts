/** Revokes invitations that runs sent, and links that they made. */
import {
  bareAddress,
  createInvitationLink,
  type Invitation,
  invitationId,
  invitedAddresses,
  revokeInvitation,
  revokeInvitationLink,
} from "../api/invitations.ts";
import type { LogEntry } from "../log/change-log.ts";
import { roles } from "../model/person.ts";
import { changeOf, type Item, left } from "./item.ts";
import { invitationGone, reasonOf, replacedInvitation } from "./reasons.ts";
import { clockDifference, type State } from "./state.ts";
import type { Thing } from "./thing.ts";

/** Somebody may have invited the same address again, or have made another link. */
export async function revoke(state: State, thing: Thing, entry: LogEntry): Promise<Item[]> {
  const isLink = entry.operation === createInvitationLink.name;
  const { invitee_emails, invite_as = roles.member } = entry.to ?? {};
  const [all, ownId] = await Promise.all([state.invitations(), state.ownId()]);
  const own = all.filter(
    (each) =>
      each.is_multiuse === isLink && each.invited_as === invite_as && (each.invited_by_user_id ?? ownId) === ownId,
  );
  const isNear = (time: number) => Math.abs(time - Date.parse(entry.time)) < clockDifference;
  const isThen = ({ invited = 0 }: Invitation) => isNear(invited * 1000);
  const { entries, invitedLater, linkedLater, revoked, isSent, isInterrupted } = state.logged;
  /** Whether these runs or their undos revoked what is not there. */
  const isRevoked = (name: string) => {
    const open = new Set(all.map(invitationId));
    const missing = entry.ids?.filter((id) => !open.has(String(id)));
    const areRevoked = missing ? missing.every((id) => revoked.has(id)) : revoked.size > 0;
    return isSent || isInterrupted || revoked.has(name) || areRevoked;
  };
  const isReplacement = (name: string) =>
    entries.some(
      ({ operation, target, run, n = 0 }) =>
        operation === revokeInvitation.name &&
        run === entry.run &&
        n < (entry.n ?? 0) &&
        bareAddress(target) === bareAddress(name),
    );
  const item = (name: string, found: readonly Invitation[], isLater: boolean): Item[] => {
    const { ids } = entry;
    const made = ids ? found.filter((each) => ids.includes(invitationId(each))) : found.filter(isThen);
    const [one, another] = made.length ? made : found;
    const says = entry.outcome === "unknown" ? `${reasonOf(entry)}, and it is not open now` : invitationGone;
    if (ids && !made.length && isRevoked(name)) return [];
    if (!one) return isRevoked(name) ? [] : [left({ ...thing, name }, entry, "conflict", says)];
    const invitation = { ...thing, name, id: one.id };
    // Without it nobody would be invited: the one that it replaced does not come back.
    if (isReplacement(name)) return [left(invitation, entry, "impossible", replacedInvitation)];
    // Without its id, the time tells which one it is.
    const isKnown = made.length === 1 && (ids !== undefined || !isLater);
    if (!isKnown) {
      const [id, ...more] = [one, another ?? []].flat().map(invitationId);
      const says = `${[id, ...more].join(" or ")} may be another invitation; revoke it with: zulipctl invite rm ${id}`;
      return [left(invitation, entry, "conflict", says)];
    }
    const operation = isLink ? revokeInvitationLink : revokeInvitation;
    const step = { operation, args: { invite_id: one.id }, says: "revoked" };
    const notes = isLink ? [] : ["the mail that went out stays"];
    return [{ ...invitation, sign: "-", says: step.says, notes, changes: [changeOf(invitation, step)] }];
  };
  const isLinkLater = linkedLater.some((time) => isNear(Date.parse(time)));
  if (isLink) return item(thing.name, own, isLinkLater);
  return invitedAddresses(invitee_emails).flatMap((address) => {
    const found = own.filter(({ email = "" }) => bareAddress(email) === address);
    return item(found[0]?.email ?? address, found, invitedLater.has(address));
  });
}

/** Finds in the log what earlier runs asked for people who are invited: servers do not tell. */

import {
  bareAddress,
  type Invitation,
  invitedAddresses,
  resendInvitation,
  sendInvitations,
} from "../../api/invitations.ts";
import { numbersIn } from "../../common/object-members.ts";
import { minute } from "../../common/unit-sizes.ts";
import { type LogEntry, logPath } from "../../log/change-log.ts";
import { readLog } from "../../log/read-log.ts";
import type { Context } from "../../run/context.ts";
import { oncePerRun } from "../../run/once-per-run.ts";

/** The channels and groups of an invitation. */
export interface Destinations {
  readonly channels: readonly number[];
  /** The default channels too. */
  readonly defaults: boolean;
  readonly groups: readonly number[];
}

interface Sent extends Destinations {
  readonly time: number;
}

interface InvitationLog {
  /** By address, the newest invitation. */
  readonly sent: ReadonlyMap<string, Sent>;
  /** By id of an invitation, when it was sent again. */
  readonly resent: ReadonlyMap<number, number>;
}

/** How far the clocks of this machine and the server may differ, in milliseconds. */
const mostDifference = 15 * minute;

const logOf = oncePerRun(async (context: Context): Promise<InvitationLog> => {
  const { world } = context;
  const { site } = await context.server();
  const sent = new Map<string, Sent>();
  const resent = new Map<number, number>();
  if ((await world.files.kind(logPath(world.directories.state))) === undefined) return { sent, resent };
  const isOurs = (entry: LogEntry) =>
    entry.site === site &&
    entry.outcome !== "refused" &&
    (entry.operation === sendInvitations.name || entry.operation === resendInvitation.name);
  // The newest line comes first.
  for await (const { operation, at, to = {}, time } of readLog(world, isOurs, () => undefined)) {
    const id = Number(at?.invite_id);
    if (operation === resendInvitation.name) {
      if (!resent.has(id)) resent.set(id, Date.parse(time));
      continue;
    }
    const one: Sent = {
      time: Date.parse(time),
      channels: numbersIn(to.stream_ids),
      defaults: to.include_realm_default_subscriptions === true,
      groups: numbersIn(to.group_ids),
    };
    for (const address of invitedAddresses(to.invitee_emails)) if (!sent.has(address)) sent.set(address, one);
  }
  return { sent, resent };
});

/** Returns what an open invitation leads to. Undefined if no run of this log sent it. */
export async function destinationsOf(
  context: Context,
  { id, email = "", invited }: Invitation,
): Promise<Destinations | undefined> {
  const { sent, resent } = await logOf(context);
  const one = sent.get(bareAddress(email));
  if (!one || invited === undefined) return undefined;
  // Somebody else may have revoked it, and invited the same person.
  const isThen = (time: number | undefined) => time !== undefined && Math.abs(invited * 1000 - time) <= mostDifference;
  return isThen(one.time) || isThen(resent.get(id)) ? one : undefined;
}

/** What came after the runs that are taken back, as far as the log tells. */
import {
  createInvitationLink,
  invitedAddresses,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
} from "../api/invitations.ts";
import type { LogEntry } from "../log/change-log.ts";
import { hasEffect } from "../log/read-log.ts";
import type { RunRecord } from "../log/runs.ts";
import type { History } from "./history.ts";
import { creationOf, madeKey } from "./kind-steps.ts";
import { LaterChanges } from "./later-changes.ts";

export interface LaterRuns {
  readonly later: LaterChanges;
  /** An undo of the runs was killed: the log need not have all that it took away. */
  readonly isInterrupted: boolean;
  /** The addresses that the account invited in later runs. */
  readonly invitedLater: ReadonlySet<string>;
  /** The ids and addresses of invitations that these runs, or their undos, revoked, or may have. */
  readonly revoked: ReadonlySet<unknown>;
  /** When the account made links in later runs. */
  readonly linkedLater: readonly string[];
  /** The kinds and ids of what the account made in later runs. */
  readonly madeLater: ReadonlySet<string>;
}

/** Returns the id of the invitation that an entry revoked, as it is shown, and its address. */
function revokedBy({ operation, at, target }: LogEntry): string[] {
  if (operation === revokeInvitation.name) return [`email:${at?.invite_id}`, target];
  return operation === revokeInvitationLink.name ? [`link:${at?.invite_id}`] : [];
}

interface Lines {
  readonly runs: ReadonlySet<string>;
  /** The lines of the log since the runs began, the oldest first. */
  readonly logged: readonly LogEntry[];
  /** Those of the site, with changes that the log does not have. */
  readonly known: readonly LogEntry[];
  /** Returns whether a line is of the runs. */
  readonly isPart: (entry: LogEntry) => boolean;
  /** Returns whether a line is of the account. */
  readonly isOwn: (entry: LogEntry) => boolean;
}

export async function laterRuns(history: History, lines: Lines): Promise<LaterRuns> {
  const { runs, logged, known, isPart, isOwn } = lines;
  const undos = history.runs.filter(({ undoes }) => undoes?.some((run) => runs.has(run)));
  const redone = new Set<string>();
  for (const { run } of undos) if (await history.isTakenBack(run)) redone.add(run);
  const open = new Set(undos.flatMap(({ run }) => (redone.has(run) ? [] : [run])));
  const revoking = logged.filter((entry) => entry.outcome !== "refused" && (isPart(entry) || open.has(entry.run)));
  const since = logged.filter((entry) => !isPart(entry) && isOwn(entry) && hasEffect(entry));
  const isKilled = ({ sends, ended }: RunRecord) => sends === true && ended === undefined;
  return {
    later: new LaterChanges(known, runs, isPart, (run) => history.record(run)?.undoes ?? [], redone),
    isInterrupted: undos.some(isKilled),
    invitedLater: new Set(
      since.flatMap(({ operation, to }) =>
        operation === sendInvitations.name ? invitedAddresses(to?.invitee_emails) : [],
      ),
    ),
    revoked: new Set(revoking.flatMap(revokedBy)),
    linkedLater: since.flatMap(({ operation, time }) => (operation === createInvitationLink.name ? [time] : [])),
    madeLater: new Set(
      since.flatMap((entry) => (creationOf(entry) ? (entry.ids ?? []).map((id) => madeKey(entry, id)) : [])),
    ),
  };
}

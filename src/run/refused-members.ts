/** Names members that are there already, or not there, after the server has refused a list of them. */
import type { ChangeAndResult } from "../engine/summary.ts";
import { joinHints, undefinedOnFailure } from "../errors.ts";
import type { Membership } from "../wire/operation.ts";
import type { Context } from "./context.ts";
import { labels } from "./labels.ts";

const membershipsOf = ({ change: { operation, args } }: ChangeAndResult): Membership[] =>
  (operation.memberships?.(args) ?? []).filter(({ memberError, nonMemberError }: Membership) =>
    Boolean(memberError ?? nonMemberError),
  );

/** Reads one list. If the server refuses the read, there is nothing to add. */
async function sentencesOf(context: Context, membership: Membership): Promise<string[]> {
  const { kind, read, args, members, added, removed } = membership;
  if (!added.length && !removed.length) return [];
  const server = await context.server();
  const current = await undefinedOnFailure(server.call(read, args).then(members));
  if (!current) return [];
  const there = new Set(current);
  const unchanged = [
    { what: "Members already", ids: added.filter((id) => there.has(id)) },
    { what: "Not members", ids: removed.filter((id) => !there.has(id)) },
  ].filter(({ ids }) => ids.length);
  const label = await labels(
    context,
    kind,
    unchanged.flatMap(({ ids }) => ids),
  );
  const named = (id: number) => (label(id) === id ? String(id) : `${label(id)} (${id})`);
  return unchanged.map(({ what, ids }) => `${what}: ${ids.map(named).join(", ")}.`);
}

/** Adds a hint to refusals of lists whose members are partly as asked for. */
export async function hintAtMembers(context: Context, all: readonly ChangeAndResult[]): Promise<void> {
  for (const made of all) {
    const { change, result } = made;
    if (result.outcome !== "refused" || change.ifChanged || result.failure.details.code !== "BAD_REQUEST") continue;
    const sentences: string[] = [];
    for (const membership of membershipsOf(made)) sentences.push(...(await sentencesOf(context, membership)));
    const { details } = result.failure;
    const hint = [...sentences, "To send only what differs, add: --if-changed"].join(" ");
    if (sentences.length) details.hint = joinHints(details.hint, hint);
  }
}

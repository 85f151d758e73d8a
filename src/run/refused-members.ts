/** Names members that are there already, not there, deactivated or unknown, after the server has refused a list. */
import { keyBy } from "../common/group-by.ts";
import type { ChangeAndResult } from "../engine/result-summary.ts";
import { joinHints, undefinedOnFailure } from "../errors.ts";
import type { Membership } from "../wire/operation.ts";
import type { Context } from "./context.ts";
import { labels } from "./labels.ts";

const membershipsOf = ({ change: { operation, args } }: ChangeAndResult): Membership[] =>
  operation.memberships?.(args) ?? [];

/** Servers name at most one of the people whom they cannot take. */
async function peopleSentences({ names }: Context, memberships: readonly Membership[]): Promise<string[]> {
  const ids = memberships.flatMap(({ kind, added, removed }) => (kind === "user" ? [...added, ...removed] : []));
  const accounts = ids.length ? await undefinedOnFailure(names.accounts()) : undefined;
  if (!accounts) return [];
  const users = keyBy(accounts, ({ user_id }) => user_id);
  const unknown = ids.filter((id) => !users.has(id));
  const deactivated = ids.flatMap((id) => {
    const user = users.get(id);
    return user?.is_active === false ? [`${user.full_name} (${id})`] : [];
  });
  return [
    ...(deactivated.length ? [`Deactivated: ${deactivated.join(", ")}.`] : []),
    ...(unknown.length ? [`Not found, or not visible to this account: ${unknown.join(", ")}.`] : []),
  ];
}

/** Reads one list. If the server refuses the read, there is nothing to add. */
async function sentencesOf(context: Context, membership: Membership): Promise<string[]> {
  const { kind, read, args, members, added, removed, memberError, nonMemberError } = membership;
  if (!(memberError ?? nonMemberError) || (!added.length && !removed.length)) return [];
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

/** Adds a hint to refusals of lists with such members. */
export async function hintAtMembers(context: Context, all: readonly ChangeAndResult[]): Promise<void> {
  for (const made of all) {
    const { change, result } = made;
    if (result.outcome !== "refused" || change.ifChanged || result.failure.details.code !== "BAD_REQUEST") continue;
    const memberships = membershipsOf(made);
    const people = await peopleSentences(context, memberships);
    const sentences: string[] = [];
    for (const membership of memberships) sentences.push(...(await sentencesOf(context, membership)));
    if (sentences.length) sentences.push("To send only what differs, add: --if-changed");
    const { details } = result.failure;
    if (people.length + sentences.length) details.hint = joinHints(details.hint, [...people, ...sentences].join(" "));
  }
}

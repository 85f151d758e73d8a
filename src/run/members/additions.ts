/** Adds members to lists, and leaves out those who are there. */
import type { Change } from "../../engine/change.ts";
import type { Context } from "../context.ts";
import { planOf } from "./member-changes.ts";
import type { MembersSpec, Owner } from "./spec.ts";

/** `members`: by list of the description, whom to add. `flags`: by list, the flag that names them. */
export async function additions(
  context: Context,
  description: MembersSpec,
  owners: readonly Owner[],
  members: readonly (readonly number[])[],
  flags: readonly string[],
): Promise<Change[]> {
  if (!owners.length || members.every((list) => !list.length)) return [];
  const { lists, calls } = description;
  const [call] = calls;
  if (!call) return [];
  const planned = await planOf(context, description, {
    owners,
    desired: lists.map((list, n) => ({ list, added: members[n] ?? [], removed: [] })),
    calls: [{ ...call, flags: Object.fromEntries(call.params.map(({ added = "" }, n) => [added, flags[n] ?? ""])) }],
    values: { ifChanged: true },
  });
  if ("kind" in planned) return [];
  return Array.isArray(planned) ? planned : planned.changes;
}

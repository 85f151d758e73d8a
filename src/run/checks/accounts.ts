/** Refuses changes of accounts that servers refuse: roles that only owners give, deleted accounts. */
import { getOwnUser, hasUserAddress, type User } from "../../api/users.ts";
import { type Change, callIn, isOneOf } from "../../engine/change.ts";
import { Refused, Usage } from "../../errors.ts";
import { administers, cannotReactivate, ownersOnly, roleName, roles, roleWithArticle } from "../../model/person.ts";
import type { Context } from "../context.ts";

export const ownRole = (role: number): string => `This account is ${roleWithArticle(role)}.`;

const ownAccount = async ({ server }: Context) => (await server()).lookUp(getOwnUser, {});

/** Throws `Refused` if the caller's role does not allow a change of this role. */
async function refuseHigherRole(context: Context, role: number, verb: string): Promise<void> {
  const me = await ownAccount(context);
  if (me.role <= Math.min(role, roles.administrator)) return;
  const allowed = role === roles.owner ? "owners" : "administrators and owners";
  throw new Refused(ownersOnly(`${verb} ${roleName(role)}s`, allowed), { hint: ownRole(me.role) });
}

interface RoleChange {
  /** The account in the path: an id, or an address. */
  readonly account: unknown;
  readonly role: number;
}

function roleChangeOf(change: Change): RoleChange | undefined {
  const call = callIn(change);
  const { role, user_id, bot_id, email } = call.args;
  if (!isOneOf(call, ["users.update", "users.update-by-email", "bots.update"]) || typeof role !== "number")
    return undefined;
  return { account: user_id ?? bot_id ?? email, role };
}

/** Undefined if the caller cannot see the account. The server refuses unknown people. */
async function userOf({ names, line }: Context, account: unknown): Promise<User | undefined> {
  // A long batch reads all accounts once.
  if (typeof account === "number") return names.person(account, { many: line !== undefined });
  return (await names.accounts()).find((user) => hasUserAddress(user, String(account)));
}

/** Throws if the server would refuse the new role. */
async function checkRole(context: Context, { account, role }: RoleChange): Promise<void> {
  if (administers(role)) await refuseHigherRole(context, role, "make");
  const { yes, dryRun } = context.flags;
  if (yes || dryRun) return;
  const user = await userOf(context, account);
  if (user && user.role !== role && administers(user.role))
    await refuseHigherRole(context, user.role, "change the role of");
}

/** Returns the role of an invitation for owners or administrators. */
function invitedRole(change: Change): number | undefined {
  const call = callIn(change);
  const { invite_as: role } = call.args;
  const invites = isOneOf(call, ["invite.add", "invite.link"]);
  return invites && typeof role === "number" && administers(role) ? role : undefined;
}

/** Throws `Usage` for a deleted account, which no server reactivates. */
async function checkReactivation({ names }: Context, change: Change): Promise<void> {
  const call = callIn(change);
  const { user_id } = call.args;
  if (!isOneOf(call, ["users.reactivate"]) || typeof user_id !== "number") return;
  const user = await names.person(user_id, { many: true });
  if (user?.is_deleted)
    throw new Usage(`${change.known ? user.full_name : change.target} ${cannotReactivate}`, {
      hint: `See it with: zulipctl users show ${user_id}`,
    });
}

/** Throws what the run would be refused with before it sends anything. */
export async function checkAccounts(context: Context, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    await checkReactivation(context, change);
    const roleChange = roleChangeOf(change);
    if (roleChange) await checkRole(context, roleChange);
    const invited = invitedRole(change);
    if (invited !== undefined) await refuseHigherRole(context, invited, "invite");
  }
}

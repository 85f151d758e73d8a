/** Roles that are given and taken. */
import { getOwnUser, roleName, roles } from "../../api/users.ts";
import type { Named } from "../../cli/kinds.ts";
import { firstOf } from "../../counted.ts";
import { Usage } from "../../errors.ts";
import type { Question } from "../../question.ts";
import type { Context } from "../../run/context.ts";

type Role = keyof typeof roles;

/** As many are named. */
const most = 5;

/** What is asked before somebody becomes an owner or administrator, or is one no longer; nothing where `--yes` has answered. */
export async function question(
  { find, flags, line }: Context,
  id: number,
  role: Role | undefined,
): Promise<Question | undefined> {
  if (role === undefined || flags.yes || flags.dryRun) return undefined;
  // A long batch reads everybody once.
  const user = await find.person(id, { many: line !== undefined });
  // Whom nobody knows the server will refuse.
  if (!user) return undefined;
  const [before, after] = [user.role, roles[role]];
  if (before === after || Math.min(before, after) > roles.administrator) return undefined;
  return { question: `Change the role of ${user.full_name} from ${roleName(before)} to ${role}` };
}

/** Throws `Usage` where the account in use would lose rights that it could not give itself again. */
export async function refuseLockout({ flags, server }: Context, id: number, role: Role): Promise<void> {
  if (flags.dryRun) return;
  const me = await (await server()).lookUp(getOwnUser, {});
  if (me.user_id !== id || roles[role] <= me.role) return;
  throw new Usage(`your account would lose the role ${roleName(me.role)}`, {
    hint: "If you mean it, add: --allow-lockout",
  });
}

/** What is asked before owners and administrators come back; nothing where `--yes` has answered. */
export async function reactivation({ find, flags }: Context, all: readonly Named[]): Promise<Question | undefined> {
  if (flags.yes || flags.dryRun) return undefined;
  const ids = new Set(all.map(({ id }) => id));
  const people = (await find.everybody()).filter((user) => ids.has(user.user_id) && !user.is_bot);
  const powerful = people.filter((user) => user.role <= roles.administrator);
  const [first] = powerful;
  if (!first) return undefined;
  const names = powerful.map((user) => `${user.full_name} is an ${roleName(user.role)}`);
  return {
    question: all.length === 1 ? `Reactivate ${first.full_name}` : `Reactivate ${all.length} accounts`,
    consequence: `${firstOf(names, most)}.`,
  };
}

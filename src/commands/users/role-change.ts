/** Roles that are given and taken. */
import { roleName, roles } from "../../api/users.ts";
import type { Context } from "../../run/context.ts";
import { roleOf } from "./role.ts";

type Role = keyof typeof roles;

/** What is asked before somebody becomes an owner or administrator, or is one no longer; nothing where `--yes` has answered. */
export async function question(
  { find, flags, line }: Context,
  id: number,
  role: Role | undefined,
): Promise<string | undefined> {
  if (role === undefined || flags.yes || flags.dryRun) return undefined;
  // A long batch reads everybody once.
  const user = await find.person(id, { many: line !== undefined });
  // Whom nobody knows the server will refuse.
  if (!user) return undefined;
  const [before, after] = [roleOf(user), roles[role]];
  if (before === after || Math.min(before, after) > roles.administrator) return undefined;
  return `This makes ${user.full_name}, who is ${withArticle(roleName(before))}, ${withArticle(role)}`;
}

const withArticle = (role: string) => `${/^[ao]/.test(role) ? "an" : "a"} ${role}`;

/** Accounts and groups that a plan brings back: lists and permissions may name them again. */
import type { Part } from "./part.ts";
import type { State } from "./state.ts";

export const isAboutAccount = ({ entry }: Part): boolean => entry.thing?.startsWith("user ") === true;

/** Returns the accounts and groups that come back with these parts. */
export async function reactivatedBy(parts: readonly Part[], state: State): Promise<ReadonlySet<string>> {
  const isBack = (part: Part) =>
    part.kind === "value" &&
    part.to !== part.from &&
    ((part.name === "is_active" && part.from === true) || (part.name === "deactivated" && part.from === false));
  const found = new Set(parts.filter(isBack).map(({ entry }) => entry.thing ?? ""));
  // Whose deactivation was not answered may still be active.
  for (const [id, { is_active, is_deleted }] of parts.some(isAboutAccount) ? await state.users() : [])
    if (is_active || is_deleted) found.delete(`user ${id}`);
  return found;
}

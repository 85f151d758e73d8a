/** Servers below feature level 317 do not tell the id of a group that they have made. */
import { getGroups } from "../api/groups.ts";
import type { Server } from "../client/server.ts";
import { Failure } from "../errors.ts";

/** What tells the one that was made; nothing where that cannot be read. No two groups have the same name. */
export async function madeGroup(server: Server, name: string): Promise<{ group_id?: number }> {
  try {
    const { user_groups } = await server.call(getGroups, {});
    const made = user_groups.find((group) => group.name === name);
    return made ? { group_id: made.id } : {};
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return {};
  }
}

/** Records of people whose ids are known. */
import { getUsers, type User } from "../../api/users.ts";
import { formOf } from "../../argv/flags.ts";
import { parts } from "../../resolve/parts.ts";
import type { Context } from "../../run/context.ts";
import type { Person } from "./columns.ts";

/**
 * In the order of the ids, and the id alone of one whom the account may not see, or where ids are all that is printed.
 * `flag` is what they come from, for messages.
 */
export async function peopleOf({ server, flags }: Context, ids: readonly number[], flag: string): Promise<Person[]> {
  const form = formOf(flags);
  if (form === "ids" || form === "none") return ids.map((user_id) => ({ user_id }));
  const to = await server();
  // A server of level 384 can be asked for some people alone.
  const chosen = (await to.level()) >= 384;
  const asked = chosen ? parts(to.site, getUsers, { name: "user_ids", ids, flag }, {}) : [{}];
  const known = new Map<number, User>();
  for (const args of ids.length ? asked : [])
    for (const user of (await to.call(getUsers, args)).members) known.set(user.user_id, user);
  return ids.map((user_id) => known.get(user_id) ?? { user_id });
}

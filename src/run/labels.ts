/** What tables of lists show in place of ids: names, for one more read of each kind. */
import { getUsers, type User } from "../api/users.ts";
import { choiceOf } from "../argv/flags.ts";
import { Refused, TooOld } from "../errors.ts";
import { parts } from "../resolve/parts.ts";
import type { Named } from "../resolve/resolver.ts";
import type { Context } from "./context.ts";

/** The id itself where nobody knows a name for it. */
export type Label = (id: number) => string | number;

const bare: Label = (id) => id;

/** Records of people whose ids are known. `flag` is what they come from, for messages. */
export async function usersById(
  { server }: Pick<Context, "server">,
  ids: readonly number[],
  flag: string,
): Promise<ReadonlyMap<number, User>> {
  const from = await server();
  // From level 384 on a server can be asked for some people alone.
  const chosen = (await from.level()) >= 384;
  const asked = chosen ? parts(from.site, getUsers, { name: "user_ids", ids, flag }, {}) : [{}];
  const users = new Map<number, User>();
  for (const args of ids.length ? asked : [])
    for (const user of (await from.call(getUsers, args)).members) users.set(user.user_id, user);
  return users;
}

/** Whether the result is a table with this column. */
export function showsColumn({ flags }: Pick<Context, "flags">, head: string): boolean {
  const { form, fields } = choiceOf(flags);
  return form === "table" && (!fields || fields.some((field) => field.toLowerCase() === head.toLowerCase()));
}

/** Names for these ids, of which each may be absent. Where the server refuses the read, the ids stand. */
export async function labels(
  context: Context,
  kind: Named,
  wanted: Iterable<number | null | undefined>,
): Promise<Label> {
  const ids = [...new Set(wanted)].filter((id) => typeof id === "number");
  if (!ids.length) return bare;
  try {
    if (kind === "user") {
      const users = await usersById(context, ids, "--fields");
      return (id) => users.get(id)?.full_name ?? id;
    }
    const called = await context.find.callsAll(kind);
    return (id) => called(id) ?? id;
  } catch (error) {
    if (!(error instanceof Refused || error instanceof TooOld)) throw error;
    return bare;
  }
}

/** What tables of lists show in place of ids: names, for one more read of each kind. */
import { getUsers } from "../api/users.ts";
import { choiceOf } from "../argv/flags.ts";
import { Refused, TooOld } from "../errors.ts";
import { parts } from "../resolve/parts.ts";
import type { Named } from "../resolve/resolver.ts";
import type { Context } from "./context.ts";

/** The id itself where nobody knows a name for it. */
export type Label = (id: number) => string | number;

const bare: Label = (id) => id;

/** A server of level 384 can be asked for some people alone. */
async function people({ find, server }: Context, ids: readonly number[]): Promise<(id: number) => string | undefined> {
  const to = await server();
  if ((await to.level()) < 384) return find.callsAll("user");
  const names = new Map<number, string>();
  for (const args of parts(to.site, getUsers, { name: "user_ids", ids, flag: "--fields" }, {}))
    for (const { user_id, full_name } of (await to.call(getUsers, args)).members) names.set(user_id, full_name);
  return (id) => names.get(id);
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
    const called = kind === "user" ? await people(context, ids) : await context.find.callsAll(kind);
    return (id) => called(id) ?? id;
  } catch (error) {
    if (!(error instanceof Refused || error instanceof TooOld)) throw error;
    return bare;
  }
}

/** Replaces ids in tables by names, with one read for each kind. */
import { choosesUsers, getUsers, type User } from "../api/users.ts";
import { outputOptions } from "../argv/global-flags.ts";
import { Refused, TooOld } from "../errors.ts";
import type { NameKind } from "../resolve/look-ups.ts";
import { splitByLength } from "../resolve/split-reads.ts";
import type { Context } from "./context.ts";

/** Returns the name, or the id without one. */
export type Label = (id: number) => string | number;

const bare: Label = (id) => id;

/** Reads people by id. `flag` is for messages. */
export async function usersById(
  { server }: Pick<Context, "server">,
  ids: readonly number[],
  flag: string,
): Promise<ReadonlyMap<number, User>> {
  const from = await server();
  const asked = choosesUsers(await from.level())
    ? splitByLength(from.site, getUsers, { name: "user_ids", ids, flag }, {})
    : [{}];
  const users = new Map<number, User>();
  for (const args of ids.length ? asked : [])
    for (const user of (await from.call(getUsers, args)).members) users.set(user.user_id, user);
  return users;
}

/** Returns whether the result has this column: tables do, and `--fields` names it in any form. */
export function showsColumn({ flags }: Pick<Context, "flags">, head: string): boolean {
  const { form, fields } = outputOptions(flags);
  // Members have small letters. They are the server's values.
  if (form !== "table") return /\p{Lu}/u.test(head) && fields?.includes(head) === true;
  return !fields || fields.some((field) => field.toLowerCase() === head.toLowerCase());
}

/** Reads names for ids. If the server refuses the read, ids stay. */
export async function labels(
  context: Context,
  kind: NameKind,
  all: Iterable<number | null | undefined>,
): Promise<Label> {
  const ids = [...new Set(all)].filter((id) => typeof id === "number");
  if (!ids.length) return bare;
  try {
    if (kind === "user") {
      const users = await usersById(context, ids, "--fields");
      return (id) => users.get(id)?.full_name ?? id;
    }
    const called = await context.names.nameLookup(kind);
    return (id) => called(id) ?? id;
  } catch (error) {
    if (!(error instanceof Refused || error instanceof TooOld)) throw error;
    return bare;
  }
}

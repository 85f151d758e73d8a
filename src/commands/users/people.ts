/** Records of people whose ids are known. */
import { addressOf, hiddenAddress, roleName, type User } from "../../api/users.ts";
import { formOf } from "../../argv/flags.ts";
import type { Column } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { usersById } from "../../run/labels.ts";

/** A record of a person, or the id alone of one whom the account may not see. */
export type Person = User | { user_id: number };

const seen =
  <T>(tell: (user: User) => T) =>
  (person: Person): T | undefined =>
    "full_name" in person ? tell(person) : undefined;

const faded = seen(({ is_active }) => (is_active === false ? ("dim" as const) : undefined));

/** People as a table shows them. */
export const userColumns: Column<Person>[] = [
  { head: "ID", value: ({ user_id }) => user_id, align: "right" },
  { head: "NAME", value: seen(({ full_name }) => full_name), style: faded },
  { head: "EMAIL", value: seen((user) => addressOf(user) ?? hiddenAddress), whole: true },
  { head: "ROLE", value: seen((user) => roleName(user.role)) },
  {
    head: "STATE",
    value: seen(({ is_bot, is_active }) =>
      [is_bot && "bot", is_active === false && "deactivated"].filter(Boolean).join(", "),
    ),
    style: faded,
  },
];

/** In the order of the ids: the id alone of one whom the account may not see, or where ids are all that is printed. */
export async function peopleOf(context: Context, ids: readonly number[], flag: string): Promise<Person[]> {
  const form = formOf(context.flags);
  const known = form === "ids" || form === "none" ? new Map() : await usersById(context, ids, flag);
  return ids.map((user_id) => known.get(user_id) ?? { user_id });
}

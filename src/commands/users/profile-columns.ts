/** Columns for custom profile fields. Their values are written as `users update --profile-field` reads them. */
import { getProfileFields, type ProfileField } from "../../api/profile-fields.ts";
import { type User, userAddress } from "../../api/users.ts";
import type { Records } from "../../client/records.ts";
import { membersOf } from "../../common/object-members.ts";
import { fieldTypes, optionTexts, peopleInValue } from "../../model/profile-field.ts";
import type { Column } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { usersById } from "../../run/labels.ts";
import { call } from "../../wire/call.ts";

/** The read that `profileColumns` sends, for dry runs. */
export const readFields = call(getProfileFields, {});

const storedIn = ({ id }: ProfileField, record: User): unknown =>
  membersOf(membersOf(membersOf(record).profile_data)[id]).value;

/** Returns the column of a field. `addresses` is filled before it is printed. */
function columnOf(field: ProfileField, head: string, addresses: ReadonlyMap<number, string>): Column<User> {
  const options = optionTexts(field);
  const value = (user: User) => {
    const stored = storedIn(field, user);
    if (field.type !== fieldTypes.people) return options.get(String(stored)) ?? stored;
    const names = peopleInValue(stored).map((id) => addresses.get(id) ?? `id:${id}`);
    return names.join(", ") || undefined;
  };
  return { head, value, insteadOf: "profile_data" };
}

/** `taken`: names of other fields of the list. `isShown`: addresses are read only for columns that are printed. */
export async function profileColumns(context: Context, taken: ReadonlySet<string>, isShown: (head: string) => boolean) {
  const { custom_fields } = await (await context.server()).call(getProfileFields, {});
  const addresses = new Map<number, string>();
  const named = custom_fields.map((field) => ({
    field,
    head: taken.has(field.name.toLowerCase()) ? `${field.name} (profile)` : field.name,
  }));
  const ofPeople = named.filter(({ field, head }) => field.type === fieldTypes.people && isShown(head));

  /** Reads the addresses of the people in the values of these accounts. */
  async function withAddresses<R extends User>(records: R[] | Records<R>): Promise<R[] | Records<R>> {
    if (!ofPeople.length) return records;
    const all: R[] = [];
    for await (const record of records) all.push(record);
    const known = new Map<number, User>(all.map((user) => [user.user_id, user]));
    const ids = new Set(all.flatMap((user) => ofPeople.flatMap(({ field }) => peopleInValue(storedIn(field, user)))));
    const others = await usersById(
      context,
      [...ids].filter((id) => !known.has(id)),
      "--fields",
    );
    for (const user of [...known.values(), ...others.values()]) {
      const address = userAddress(user);
      if (address !== undefined) addresses.set(user.user_id, address);
    }
    return all;
  }

  return { columns: named.map(({ field, head }) => columnOf(field, head, addresses)), withAddresses };
}

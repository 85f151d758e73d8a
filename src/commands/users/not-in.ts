/** `--not-in`: everybody who is not on a list. */

import { userAddress } from "../../api/users.ts";
import { readLists } from "../../argv/read-text.ts";
import type { TextInput } from "../../argv/text-input.ts";
import type { CommandParameter } from "../../cli/parameter.ts";
import { toggle } from "../../cli/value-parameters.ts";
import { counted } from "../../common/counted.ts";
import { nfc } from "../../common/folding.ts";
import { hasMembers } from "../../common/object-members.ts";
import { Refused, Usage } from "../../errors.ts";
import { divideAddresses, isAddress, readAddress, withoutName } from "../../notation/address.ts";
import { trimmed } from "../../notation/blanks.ts";
import { readId } from "../../notation/id.ts";
import type { Listing } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { findListed } from "../../resolve/listed.ts";
import type { Context } from "../../run/context.ts";

/** A list of people as read: addresses in lower case, and items to look up. */
interface ListedPeople {
  readonly addresses: ReadonlySet<string>;
  readonly others: readonly TextInput[];
}

/** Reads the addresses in a column of a file: `@students.csv:email`. Undefined for other values. */
async function columnOf({ world }: Context, flag: string, value: TextInput): Promise<string[] | undefined> {
  const [, file, typedColumn] = /^@(.+\.(?:csv|tsv|ndjson|jsonl|json)):([^/]+)$/i.exec(value.text) ?? [];
  if (!file || !typedColumn || !value.startsWithTyped("@")) return undefined;
  const [{ BatchInput }, { RowReader, formatOf }] = await Promise.all([
    import("../../batch/input.ts"),
    import("../../batch/reader.ts"),
  ]);
  const column = nfc(trimmed(typedColumn));
  const input = new BatchInput(file, () => world.files.stream(file));
  const where = [{ column, value: "", negated: true }];
  const addresses: string[] = [];
  let emptyPlace: string | undefined;
  const reader = new RowReader(input, formatOf(file) ?? "csv", [], { where });
  for await (const { row, line, sharesLine, command, cell, leftOut } of reader.rows()) {
    const place = `${flag} ${file}, line ${line}${sharesLine ? `, row ${row}` : ""}`;
    // Whoever is on a line that cannot be read would not be on the list.
    if ("message" in command) throw new Usage(`${place}: ${command.message}`);
    if (leftOut) emptyPlace ??= place;
    else
      for (const each of divideAddresses(cell?.(column) ?? ""))
        addresses.push(readAddress(each, `${place}, column ${column}`));
  }
  if (emptyPlace) throw new Usage(`${emptyPlace}, column ${column}: the cell is empty`);
  return addresses;
}

/** The list. With `addressesOnly`, such as for invitations, only groups can be on it beside addresses. */
export const listedPeople = ({ addressesOnly = false } = {}): CommandParameter<ListedPeople, TextInput[]> => ({
  metavar: "list",
  doc: `only those who are not on this list: @file, @file.csv:column, group:…, or - for stdin`,
  many: true,
  file: true,
  offers: { of: "user", list: true },
  read: async (raw: TextInput[], { context, flag }): Promise<ListedPeople> => {
    const addresses = new Set<string>();
    const others: TextInput[] = [];
    for (const value of raw) {
      const cells = await columnOf(context, flag, value);
      for (const cell of cells ?? []) addresses.add(cell.toLowerCase());
      if (cells) continue;
      const lists = await readLists(context.world, flag, [value], { people: true }).catch((error: unknown) => {
        if (error instanceof Usage && error.details.more?.columns !== undefined && /\.[ct]sv$/i.test(value.text))
          error.details.hint = `Name the column of addresses: ${flag} ${value.text}:<column>`;
        throw error;
      });
      for (const item of lists.flat()) {
        const text = withoutName(trimmed(item.text));
        if (isAddress(text)) addresses.add(text.toLowerCase());
        else if (!text) continue;
        else if (addressesOnly && !text.startsWith("group:"))
          throw new Usage(`${item.place ?? flag}: "${text}" is not an e-mail address`);
        else others.push(item);
      }
    }
    return { addresses, others };
  },
});

export const allowEmptyList = toggle("with --not-in: allow an empty list, which nobody is on");

/** Throws `Usage` for an empty list: everybody would be listed. */
export const checkListed = ({ addresses, others }: ListedPeople, allowEmpty: unknown): void =>
  checkCount(addresses.size + others.length, allowEmpty);

function checkCount(count: number, allowEmpty: unknown): void {
  if (count || allowEmpty) return;
  throw new Usage("--not-in: the list is empty, so everybody would be listed", {
    hint: "If that is right, add: --allow-empty",
  });
}

const flag = "--not-in";

/** Finds the accounts that are not stated by their addresses. Groups without members make an empty list, too. */
async function idsOfOthers(
  context: Context,
  { addresses, others }: ListedPeople,
  allowEmpty: unknown,
): Promise<Set<number>> {
  const ids = new Set<number>();
  const items: TextInput[] = [];
  for (const item of others) {
    const id = readId(trimmed(item.text));
    if (id === undefined) items.push(item);
    else ids.add(id);
  }
  for (const item of items) for (const { id } of await findListed(context.names, "user", [item], flag)) ids.add(id);
  checkCount(addresses.size + ids.size, allowEmpty);
  return ids;
}

/** Returns the addresses on the list, with those of the members of groups, in lower case. */
export async function addressesOfListed(
  context: Context,
  listed: ListedPeople,
  allowEmpty: unknown,
): Promise<ReadonlySet<string>> {
  if (!listed.others.length) return listed.addresses;
  const ids = await idsOfOthers(context, listed, allowEmpty);
  const accounts = (await context.names.accounts()).filter(({ user_id }) => ids.has(user_id));
  return new Set([...listed.addresses, ...accounts.flatMap((one) => userAddress(one)?.toLowerCase() ?? [])]);
}

/** Finds who is on the list. Notes how many addresses have no account. */
export async function idsOfListed(
  context: Context,
  listed: ListedPeople,
  allowEmpty: unknown,
): Promise<ReadonlySet<number>> {
  const { addresses } = listed;
  const ids = await idsOfOthers(context, listed, allowEmpty);
  const found = new Set<string>();
  let hidden = 0;
  for (const user of await context.names.accounts()) {
    const address = userAddress(user);
    if (address === undefined && user.is_active !== false) hidden++;
    for (const each of [address, user.email])
      if (each !== undefined && addresses.has(each.toLowerCase())) {
        ids.add(user.user_id);
        found.add(each.toLowerCase());
      }
  }
  if (hidden && addresses.size)
    throw new Refused(
      `${flag}: ${counted(hidden, "address is", "addresses are")} hidden from this account, so it cannot tell who is on the list`,
      { outcome: "not_sent" },
    );
  const unknown = addresses.size - found.size;
  if (unknown)
    await context.note(programLine(`${flag}: ${counted(unknown, "address has", "addresses have")} no account`));
  return ids;
}

const isListed = (value: unknown): value is ListedPeople => hasMembers(value) && "addresses" in value;

/** Returns a list of people without those who are on the list of `--not-in`, if there is one. */
export async function withoutListed<R extends { user_id: number }>(
  context: Context,
  listing: Listing<R>,
  listed: unknown,
  allowEmpty: unknown,
): Promise<Listing<R>> {
  if (!isListed(listed)) return listing;
  checkListed(listed, allowEmpty);
  const ids = await idsOfListed(context, listed, allowEmpty);
  const records: R[] = [];
  for await (const record of listing.records) if (!ids.has(record.user_id)) records.push(record);
  return { ...listing, records };
}

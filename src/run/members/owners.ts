/** Reads the channels or groups of a command about members. */

import { itemsElsewhere, namesOf, typedItem } from "../../argv/text.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { Usage } from "../../errors.ts";
import type { Column, Result, Row } from "../../output/form.ts";
import type { Context } from "../context.ts";
import type { MembersSpec, Owner } from "./spec.ts";

type Found = Pick<Owner, "id" | "typed">;

/**
 * Reads `design`, `design,general`, `@file` (channels) or `-`, without duplicates. An existing name with a comma is one
 * name.
 */
export async function ownersOf({ find, world }: Context, { of }: MembersSpec, operand: TextInput): Promise<Found[]> {
  const flag = `<${of}>`;
  const names = (await itemsElsewhere(world, flag, operand, { mark: of === "group" })) ?? (await typedNames());
  const found = new Map<number, Found>();
  for (const typed of names) {
    const id = await find[of](typed, flag);
    if (!found.has(id)) found.set(id, { id, typed });
  }
  return [...found.values()];

  async function typedNames(): Promise<string[]> {
    const whole = typedItem(operand);
    if (!whole.includes(",") || operand.hasData) return [whole];
    if (!/^[\d\s,]+$/.test(whole) && (await find.has(of, whole))) return [whole];
    return namesOf(world, flag, [operand]);
  }
}

/** Looks up the name if calls need it. */
export async function withName({ find }: Context, { of, named }: MembersSpec, owner: Found): Promise<Owner> {
  if (!named) return { ...owner, name: owner.typed };
  const name = (await find.callsAll(of))(owner.id);
  if (name === undefined)
    throw new Usage(`<${of}>: ${of} ${owner.id} not found, or not visible to this account`, {
      hint: `List them with: zulipctl ${of} list`,
    });
  return { ...owner, name };
}

/** Lists the members. For several owners with a column for their names. */
export async function shown(
  context: Context,
  spec: MembersSpec,
  owners: readonly Found[],
  values: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const show = await spec.show();
  const [first] = owners;
  if (first && owners.length === 1) return show(context, first, values);
  const records: Row[] = [];
  let columns: Column[] = [];
  for (const owner of owners) {
    const people = await show(context, owner, values);
    ({ columns } = people);
    for await (const person of people.records) records.push({ [spec.of]: owner.typed, ...person });
  }
  const firsts = new Set(new Map(records.toReversed().map((record) => [record.user_id, record])).values());
  return {
    kind: "listing",
    records,
    // Each person once.
    id: (record) => (firsts.has(record) ? record.user_id : undefined),
    columns: [{ head: spec.of.toUpperCase(), value: (record) => record[spec.of], importance: "high" }, ...columns],
  };
}

/** What is told of channels and groups in the lists of permissions. */
import { formOf } from "../../argv/flags.ts";
import { Usage } from "../../errors.ts";
import type { Cell, Scope } from "../../permissions/judgement.ts";
import { untold } from "../../permissions/rules.ts";
import type { Context } from "../../run/context.ts";

interface Thing {
  scope: Scope;
  target_id: number | null;
}

/** Says which of these settings are judged without a rule. */
export async function tellUntold({ warn }: Context, cells: Iterable<Cell>): Promise<void> {
  const names = new Set<string>();
  for (const { note, permission } of cells) if (note === untold) names.add(permission);
  if (names.size)
    await warn(`zulipctl: settings unknown to this version, shown by their members only: ${[...names].join(", ")}`);
}

/** Whether names are to stand where programs get what the server has. */
export const forPeople = ({ flags }: Context): boolean => ["table", "csv", "tsv"].includes(formOf(flags));

/** What `-o ids` gives of each record: each thing once, however many of its permissions there are. */
export function eachThingOnce<R extends Thing>(
  { flags }: Context,
  records: readonly R[],
  hint: string,
): (record: R) => number | undefined {
  if (formOf(flags) === "ids" && new Set(records.map(({ scope }) => scope)).size > 1)
    throw new Usage("-o ids would mix ids of channels and of groups", { hint });
  const firsts = new Set(new Map([...records].reverse().map((record) => [record.target_id, record])).values());
  return (record) => (firsts.has(record) ? (record.target_id ?? undefined) : undefined);
}

import type { Column, Listing } from "../../output/form.ts";
import { ordinary } from "../../permissions/extra.ts";
import { wayNames, wayText } from "../../permissions/words.ts";
import type { Context } from "../../run/context.ts";
import {
  eachThingOnce,
  forPeople,
  loadEvaluation,
  type Thing,
  thingColumns,
  thingMembers,
  thingOf,
  warnUnknownSettings,
} from "./evaluation.ts";
import { finds } from "./targets.ts";

interface Row extends Thing {
  through: readonly string[] | string;
}

const columns: Column<Row>[] = [
  ...thingColumns,
  { head: "THROUGH", value: ({ through }) => through, importance: "high" },
];

interface Flags {
  onlyExtra?: boolean;
  live?: boolean;
  from?: string;
}

/** All that somebody may do. */
export async function of(context: Context, { onlyExtra, live, from }: Flags, typed: string): Promise<Listing<Row>> {
  const evaluation = await loadEvaluation(context, from);
  const id = await finds(evaluation.snapshot).user(typed, "<user>");
  const person = evaluation.accounts.find(({ user_id }) => user_id === id)!;
  const common = onlyExtra ? ordinary(evaluation, person) : undefined;
  const named = forPeople(context);
  const records: Row[] = [];
  const doubtful = new Set<string>();
  for (const cell of evaluation.cells()) {
    const { permission, away } = cell;
    if (live && away) continue;
    const may = evaluation.may(id, cell);
    if (may === undefined) doubtful.add(permission);
    if (!may || common?.(cell)) continue;
    const way = evaluation.way(id, cell)!;
    const through = named ? wayText(way, person.full_name) : wayNames(way);
    records.push({ ...thingOf(cell), through });
  }
  await warnUnknownSettings(context, evaluation.cells());
  if (doubtful.size)
    await context.warn(`zulipctl: skipped, unknown for ${person.full_name}: ${[...doubtful].join(", ")}`);
  return {
    kind: "listing",
    records,
    known: [...thingMembers, "through"],
    id: eachThingOnce(context, records, "For one channel or group, see permissions list and permissions check."),
    columns,
  };
}

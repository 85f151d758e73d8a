import type { Column, Listing } from "../../output/form.ts";
import { ordinary } from "../../permissions/extra.ts";
import type { Scope } from "../../permissions/judgement.ts";
import { wayNames, wayText } from "../../permissions/words.ts";
import type { Requests } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { eachThingOnce, forPeople, judged, tellUntold } from "./judgement.ts";
import { finds } from "./targets.ts";

interface Row {
  scope: Scope;
  target: string | null;
  target_id: number | null;
  permission: string;
  through: readonly string[] | string;
}

const columns: Column<Row>[] = [
  { head: "SCOPE", value: ({ scope }) => scope },
  { head: "TARGET", value: ({ target }) => target, importance: "high" },
  { head: "PERMISSION", value: ({ permission }) => permission, importance: "high", whole: true },
  { head: "THROUGH", value: ({ through }) => through, importance: "high" },
];

interface Flags {
  onlyExtra?: boolean;
  live?: boolean;
  from?: string;
}

/** All that somebody may do. */
export async function of(
  context: Context,
  { onlyExtra, live, from }: Flags,
  typed: string,
): Promise<Listing<Row> | Requests> {
  const judgement = await judged(context, from);
  if ("requests" in judgement) return judgement;
  const id = await finds(judgement.snapshot).user(typed, "<user>");
  const person = judgement.accounts.find(({ user_id }) => user_id === id)!;
  const common = onlyExtra ? ordinary(judgement, person) : undefined;
  const named = forPeople(context);
  const records: Row[] = [];
  const doubtful = new Set<string>();
  for (const cell of judgement.cells()) {
    const { scope, name, target_id, permission, away } = cell;
    if (live && away) continue;
    const may = judgement.may(id, cell);
    if (may === undefined) doubtful.add(permission);
    if (!may || common?.(cell)) continue;
    const way = judgement.way(id, cell)!;
    const through = named ? wayText(way, person.full_name) : wayNames(way);
    records.push({ scope, target: name, target_id, permission, through });
  }
  await tellUntold(context, judgement.cells());
  if (doubtful.size)
    await context.warn(`zulipctl: skipped, unknown for ${person.full_name}: ${[...doubtful].join(", ")}`);
  return {
    kind: "listing",
    records,
    known: ["scope", "target", "target_id", "permission", "through"],
    id: eachThingOnce(context, records, "For one channel or group, see permissions list and permissions check."),
    columns,
  };
}

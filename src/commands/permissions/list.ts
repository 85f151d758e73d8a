import type { GroupSetting } from "../../api/group-setting.ts";
import { Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import type { Cell, Counts, Evaluation, Scope } from "../../permissions/evaluation.ts";
import { containing, groupsNamedBy } from "../../permissions/evaluation.ts";
import { permissionNamed } from "../../permissions/names.ts";
import { scopes } from "../../permissions/rules.ts";
import { grantedTo } from "../../permissions/words.ts";
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
import { checkTarget, finds, type Target, targetOf } from "./targets.ts";

interface Filters extends Target {
  scope?: Scope;
  permission?: string;
  grantedTo?: string;
}

/** Which permissions are wanted. A channel or group says its scope. */
async function wanted(evaluation: Evaluation, filters: Filters): Promise<Cell[]> {
  const { permission, grantedTo: granted } = filters;
  const named = await targetOf(evaluation, filters);
  const target = named.target ?? undefined;
  const within = target === undefined ? filters.scope : named.scope;
  const grantee = granted === undefined ? undefined : await finds(evaluation.snapshot).group(granted, "--granted-to");
  const name =
    permission === undefined
      ? undefined
      : permissionNamed(evaluation.facts, permission, within ? [within] : scopes, "--permission");
  const above = grantee === undefined ? undefined : containing(evaluation, grantee);
  return [...evaluation.cells()].filter(
    (cell) =>
      (within === undefined || cell.scope === within) &&
      (target === undefined || cell.target_id === target) &&
      (name === undefined || cell.permission === name) &&
      (above === undefined || groupsNamedBy(cell).some((id) => above.has(id))),
  );
}

/** Flags that no snapshot is needed for to see that they contradict each other. */
function checkFilters(filters: Filters): void {
  checkTarget(filters);
  const { scope, channel, group } = filters;
  const named = channel !== undefined ? "channel" : group !== undefined ? "group" : undefined;
  if (scope !== undefined && named !== undefined && scope !== named)
    throw new Usage(`--scope ${scope} cannot be combined with --${named}`);
}

interface Row extends Thing, Counts {
  /** Names, where it is for people. */
  granted_to: GroupSetting | string | null;
}

const columns: Column<Row>[] = [
  ...thingColumns,
  { head: "GRANTED TO", value: ({ granted_to }) => granted_to, importance: "high" },
  { head: "PEOPLE", value: ({ people }) => people, align: "right" },
  { head: "GUESTS", value: ({ guests }) => guests, align: "right" },
  { head: "BOTS", value: ({ bots }) => bots, align: "right" },
];

export async function list(context: Context, flags: Filters & { from?: string }): Promise<Listing<Row>> {
  checkFilters(flags);
  const evaluation = await loadEvaluation(context, flags.from);
  const cells = await wanted(evaluation, flags);
  const named = forPeople(context);
  const records = cells.map((cell) => {
    const { granted_to } = cell;
    return {
      ...thingOf(cell),
      granted_to: named && granted_to !== null ? grantedTo(evaluation, granted_to) : granted_to,
      ...evaluation.counts(cell),
    };
  });
  await warnUnknownSettings(context, cells);
  const open = new Set(cells.filter((cell) => evaluation.doubtful(cell).length).map(({ permission }) => permission));
  if (open.size) await context.warn(`zulipctl: not counted, unknown: ${[...open].join(", ")}`);
  const id = eachThingOnce(context, records, "Add --scope.");
  return {
    kind: "listing",
    records,
    known: [...thingMembers, "granted_to", "people", "guests", "bots"],
    id,
    columns,
  };
}

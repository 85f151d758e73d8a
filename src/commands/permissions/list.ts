import type { GroupSetting } from "../../api/group-setting.ts";
import { formOf } from "../../argv/flags.ts";
import { Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import { containing, groupsNamedBy } from "../../permissions/groups.ts";
import type { Cell, Counts, Judgement, Scope } from "../../permissions/judgement.ts";
import { permissionNamed } from "../../permissions/names.ts";
import { scopes } from "../../permissions/rules.ts";
import { grantedTo } from "../../permissions/words.ts";
import type { Requests } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { finds } from "./finding.ts";
import { judged } from "./judged.ts";

interface Filters {
  scope?: Scope;
  channel?: string;
  group?: string;
  permission?: string;
  grantedTo?: string;
}

/** Which permissions are wanted. A channel or group says its scope. */
async function wanted(judgement: Judgement, filters: Filters): Promise<Cell[]> {
  const { scope, channel, group, permission, grantedTo: granted } = filters;
  const find = finds(judgement.snapshot);
  const channelId = channel === undefined ? undefined : await find.channel(channel, "--channel");
  const groupId = group === undefined ? undefined : await find.group(group, "--group");
  const grantee = granted === undefined ? undefined : await find.group(granted, "--granted-to");
  const within: Scope | undefined = channelId !== undefined ? "channel" : groupId !== undefined ? "group" : scope;
  const target = channelId ?? groupId;
  const name =
    permission === undefined
      ? undefined
      : permissionNamed(judgement.facts, permission, within ? [within] : scopes, "--permission");
  const above = grantee === undefined ? undefined : containing(judgement, grantee);
  return [...judgement.cells()].filter(
    (cell) =>
      (within === undefined || cell.scope === within) &&
      (target === undefined || cell.target_id === target) &&
      (name === undefined || cell.permission === name) &&
      (above === undefined || groupsNamedBy(cell).some((id) => above.has(id))),
  );
}

/** Flags that no snapshot is needed for to see that they contradict each other. */
function checkFilters({ scope, channel, group }: Filters): void {
  if (channel !== undefined && group !== undefined)
    throw new Usage("--channel and --group contradict each other: a permission is of one of them");
  const named = channel !== undefined ? "channel" : group !== undefined ? "group" : undefined;
  if (scope !== undefined && named !== undefined && scope !== named)
    throw new Usage(`--scope ${scope} and --${named} contradict each other`);
}

interface Row extends Counts {
  scope: Scope;
  target: string | null;
  target_id: number | null;
  permission: string;
  /** Names, where it is for people. */
  granted_to: GroupSetting | string | null;
}

const columns: Column<Row>[] = [
  { head: "SCOPE", value: ({ scope }) => scope },
  { head: "TARGET", value: ({ target }) => target },
  { head: "PERMISSION", value: ({ permission }) => permission },
  { head: "GRANTED TO", value: ({ granted_to }) => granted_to },
  { head: "PEOPLE", value: ({ people }) => people, align: "right" },
  { head: "GUESTS", value: ({ guests }) => guests, align: "right" },
  { head: "BOTS", value: ({ bots }) => bots, align: "right" },
];

export async function list(context: Context, flags: Filters & { from?: string }): Promise<Listing<Row> | Requests> {
  checkFilters(flags);
  const judgement = await judged(context, flags.from);
  if ("requests" in judgement) return judgement;
  const cells = await wanted(judgement, flags);
  const named = ["table", "csv", "tsv"].includes(formOf(context.flags));
  const records = cells.map((cell) => {
    const { scope, name, target_id, permission, granted_to } = cell;
    return {
      scope,
      target: name,
      target_id,
      permission,
      granted_to: named && granted_to !== null ? grantedTo(judgement, granted_to) : granted_to,
      ...judgement.counts(cell),
    };
  });
  if (formOf(context.flags) === "ids" && new Set(records.map(({ scope }) => scope)).size > 1)
    throw new Usage("-o ids would mix ids of channels with those of groups", { hint: "Add --scope." });
  // Each thing once, however many of its permissions there are.
  const firsts = new Set(new Map([...records].reverse().map((record) => [record.target_id, record])).values());
  return {
    kind: "listing",
    records,
    known: ["scope", "target", "target_id", "permission", "granted_to", "people", "guests", "bots"],
    id: (record) => (firsts.has(record) ? (record.target_id ?? undefined) : undefined),
    columns,
  };
}

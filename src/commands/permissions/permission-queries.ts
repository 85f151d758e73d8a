import { userAddress } from "../../api/users.ts";
import { counted } from "../../common/counted.ts";
import { DifferenceFailure, Refused, Usage } from "../../errors.ts";
import type { GroupSetting } from "../../model/permission.ts";
import { roleName } from "../../model/person.ts";
import type { Naming } from "../../notation/id.ts";
import { type Person, roleOf } from "../../organization/snapshot.ts";
import type { Column, Listing, Single } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import {
  type AccountCounts,
  type Cell,
  type Evaluation,
  groupsInSetting,
  type PermissionPath,
  type Scope,
} from "../../permissions/evaluation.ts";
import { isOrdinary } from "../../permissions/extras.ts";
import { permissionNamed } from "../../permissions/permission-names.ts";
import {
  actionText,
  exceptionsText,
  pathNames,
  pathText,
  settingsText,
  settingText,
} from "../../permissions/permission-text.ts";
import { scopes } from "../../permissions/rules.ts";
import { permissionTitle } from "../../permissions/titles.ts";
import { whyCount } from "../../permissions/why.ts";
import type { Context, Ended } from "../../run/context.ts";
import { userColumns } from "../users/list.ts";
import {
  type CellRecord,
  cellListing,
  cellOf,
  cellRecord,
  checkTarget,
  forPeople,
  idInSnapshot,
  loadEvaluation,
  type TypedTarget,
  targetOf,
  warnUnknownSettings,
} from "./load-evaluation.ts";

interface Filters extends TypedTarget {
  scope?: Scope;
  permission?: string;
  grantedTo?: Naming;
}

/** The chosen permissions. A channel or group implies the scope. */
async function chosenCells(evaluation: Evaluation, filters: Filters): Promise<Cell[]> {
  const { permission, grantedTo: granted } = filters;
  const { target, scope } = await targetOf(evaluation, filters);
  const within = target === null ? filters.scope : scope;
  const grantee =
    granted === undefined ? undefined : await idInSnapshot(evaluation.snapshot, "group", granted, "--granted-to");
  const name =
    permission === undefined
      ? undefined
      : permissionNamed(evaluation.facts, permission, within ? [within] : scopes, "--permission");
  return [...evaluation.cells()].filter(
    (cell) =>
      (within === undefined || cell.scope === within) &&
      (target === null || cell.target_id === target) &&
      (name === undefined || cell.permission === name) &&
      (grantee === undefined || evaluation.facts.withSubgroups(groupsInSetting(cell)).has(grantee)),
  );
}

type ListRow = CellRecord &
  AccountCounts & { title: string; granted_to: GroupSetting | string | null; why: string[] | string };

const listColumns: Column<ListRow>[] = [
  { head: "GRANTED TO", value: ({ granted_to }) => granted_to, importance: "high" },
  { head: "PEOPLE", value: ({ people }) => people, align: "right" },
  { head: "GUESTS", value: ({ guests }) => guests, align: "right" },
  { head: "BOTS", value: ({ bots }) => bots, align: "right" },
  { head: "WHY", value: ({ why }) => why },
  { head: "TITLE", value: ({ title }) => title },
];

const throughColumn = {
  head: "THROUGH",
  value: ({ through }: { through: unknown }) => through,
  importance: "high" as const,
};

export async function listPermissions(context: Context, flags: Filters & { from?: string }): Promise<Listing<ListRow>> {
  const scope = checkTarget(flags);
  if (flags.scope !== undefined && scope !== "organization" && flags.scope !== scope)
    throw new Usage(`--scope ${flags.scope} cannot be combined with --${scope}`);
  const evaluation = await loadEvaluation(context, flags.from);
  const cells = await chosenCells(evaluation, flags);
  const withNames = forPeople(context);
  const records = cells.map((cell) => {
    const { granted_to } = cell;
    return {
      ...cellRecord(cell),
      granted_to: withNames && granted_to !== null ? settingText(evaluation, granted_to) : granted_to,
      ...evaluation.counts(cell),
      why: withNames ? whyCount(cell).join("; ") : whyCount(cell),
      title: permissionTitle(cell.permission),
    };
  });
  await warnUnknownSettings(context, cells);
  const undecided = new Set(
    cells.filter((cell) => evaluation.undecided(cell).length).map(({ permission }) => permission),
  );
  if (undecided.size) await context.warn(programLine(`unknown, not counted: ${[...undecided].join(", ")}`));
  const listing = cellListing(context, records, {
    columns: listColumns,
    members: ["granted_to", "people", "guests", "bots", "why", "title"],
    hint: "Add --scope.",
  });
  const note = "WHY: more: who has it besides GRANTED TO; fewer: what some of GRANTED TO do not have.";
  return records.some(({ why }) => why.length) ? { ...listing, note } : listing;
}

interface WithPath {
  through: readonly string[] | string;
}

/** Formats how somebody has a permission. */
const throughOf = (context: Context, path: PermissionPath, { full_name }: Person): WithPath["through"] =>
  forPeople(context) ? pathText(path, full_name) : pathNames(path);

/** Somebody who has a permission in a channel. */
interface ChannelPerson extends WithPath {
  channel: string;
  channel_id: number | null;
  user_id: number;
  full_name: string;
  email: string | null;
  role: string;
}

/** Lists who has a permission in each channel: a row for each channel and person. */
async function inAllChannels(
  context: Context,
  flags: TypedTarget & { from?: string },
  permission: string,
): Promise<Listing<ChannelPerson>> {
  if (flags.channel !== undefined || flags.group !== undefined)
    throw new Usage("--all-channels cannot be combined with --channel or --group");
  const evaluation = await loadEvaluation(context, flags.from);
  const name = permissionNamed(evaluation.facts, permission, ["channel"], "<permission>");
  const cells = [...evaluation.cells()].filter(
    (cell) => cell.scope === "channel" && cell.permission === name && !cell.isInactive,
  );
  const records = cells.flatMap((cell) =>
    evaluation.holders(cell).flatMap((person): ChannelPerson[] => {
      const path = evaluation.path(person.user_id, cell);
      if (!path) return [];
      const { user_id, full_name } = person;
      return [
        {
          channel: cell.name ?? "",
          channel_id: cell.target_id,
          ...{ user_id, full_name, email: userAddress(person) ?? null, role: roleName(roleOf(person)) },
          through: throughOf(context, path, person),
        },
      ];
    }),
  );
  const unknown = new Set(cells.flatMap((cell) => evaluation.undecided(cell).map(({ user_id }) => user_id))).size;
  return {
    kind: "listing",
    records,
    id: ({ user_id }) => user_id,
    allFields: ["channel", "channel_id", "user_id", "full_name", "email", "role", "through"],
    columns: [
      { head: "CHANNEL", value: ({ channel }) => channel, importance: "high" },
      { head: "NAME", value: ({ full_name }) => full_name, importance: "high" },
      { head: "EMAIL", value: ({ email }) => email ?? "hidden", whole: true },
      { head: "ROLE", value: ({ role }) => role },
      throughColumn,
    ],
    ...(unknown && {
      finish: async () =>
        new Refused(`of ${counted(unknown, "account")} it is unknown in some channels whether they have ${name}`),
    }),
  };
}

export async function listHolders(
  context: Context,
  { allChannels, ...flags }: TypedTarget & { from?: string; allChannels?: boolean },
  permission: string,
): Promise<Listing<Person & WithPath> | Listing<ChannelPerson>> {
  if (allChannels) return inAllChannels(context, flags, permission);
  checkTarget(flags, permission);
  const evaluation = await loadEvaluation(context, flags.from);
  const cell = await cellOf(evaluation, permission, flags);
  const records = evaluation.holders(cell).flatMap((person) => {
    const path = evaluation.path(person.user_id, cell);
    return path ? [{ ...person, through: throughOf(context, path, person) }] : [];
  });
  const undecided = evaluation.undecided(cell);
  const [first] = undecided;
  const ending =
    first &&
    (async () =>
      new Refused(
        `of ${counted(undecided.length, "account")} it is unknown whether they can ${actionText(cell)}: ${evaluation.whyUnknown(first.user_id, cell)}`,
      ));
  return {
    kind: "listing",
    records,
    id: ({ user_id }: { user_id: number }) => user_id,
    columns: [...userColumns, throughColumn],
    optionalFields: ["bot_type", "bot_owner_id", "profile_data"],
    ...(cell.rule.note !== undefined && { note: `${cell.permission}: ${cell.rule.note}` }),
    ...(ending && { finish: ending }),
  };
}

export async function listAllowed(
  context: Context,
  { onlyExtra, live, from }: { onlyExtra?: boolean; live?: boolean; from?: string },
  user: Naming,
): Promise<Listing<CellRecord & WithPath>> {
  const evaluation = await loadEvaluation(context, from);
  const id = await idInSnapshot(evaluation.snapshot, "user", user, "<user>");
  const person = evaluation.account(id);
  const common = onlyExtra ? isOrdinary(evaluation, person) : undefined;
  const records: (CellRecord & WithPath)[] = [];
  const undecided = new Set<string>();
  for (const cell of evaluation.cells()) {
    const { permission, isInactive } = cell;
    if (live && isInactive) continue;
    const allowed = evaluation.isAllowed(id, cell);
    if (allowed === undefined) undecided.add(permission);
    const path = allowed && !common?.(cell) ? evaluation.path(id, cell) : undefined;
    if (path) records.push({ ...cellRecord(cell), through: throughOf(context, path, person) });
  }
  await warnUnknownSettings(context, evaluation.cells());
  if (undecided.size)
    await context.warn(programLine(`skipped, unknown for ${person.full_name}: ${[...undecided].join(", ")}`));
  return cellListing(context, records, {
    columns: [throughColumn],
    members: ["through"],
    hint: "For one channel or group, see permissions list and permissions check.",
  });
}

/** Explains whether somebody may do something: exit code 0 for yes, 8 for no, 1 if unknown. */
export async function explainPermission(
  context: Context,
  flags: TypedTarget & { from?: string },
  user: Naming,
  permission: string,
): Promise<Single | Ended> {
  checkTarget(flags, permission);
  const evaluation = await loadEvaluation(context, flags.from);
  const id = await idInSnapshot(evaluation.snapshot, "user", user, "<user>");
  const cell = await cellOf(evaluation, permission, flags);
  const person = evaluation.account(id);
  const allowed = evaluation.isAllowed(id, cell) ?? null;
  const paths = evaluation.paths(id, cell);
  const missing = evaluation.missing(id, cell);
  const unknown = evaluation.whyUnknown(id, cell);
  const exceptions = exceptionsText(evaluation, id, cell);
  const { note } = cell.rule;
  const withNames = forPeople(context);
  const verdict = allowed === null ? "unknown" : allowed ? "yes" : exceptions === undefined ? "no" : "partly";
  const why = allowed
    ? paths.map((path) => [pathText(path, person.full_name), settingsText(cell, path)].filter(Boolean).join("  "))
    : [...(exceptions === undefined ? [] : [exceptions]), unknown ?? missing.join("; ")];
  const result: Single = {
    kind: "single",
    record: {
      allowed,
      ...cellRecord(cell),
      ways: withNames ? paths.map((path) => pathText(path, person.full_name)).join("; ") : paths.map(pathNames),
      missing: withNames ? missing.join("; ") : missing,
      ...(exceptions !== undefined && { exceptions }),
      ...(unknown !== undefined && { unknown }),
    },
    columns: [],
    id: () => (allowed ? id : undefined),
    lines: [verdict, ...why.map((line) => `  ${line}`), ...(note === undefined ? [] : [`  (${note})`])],
  };
  if (allowed) return result;
  const [name, act] = [person.full_name, actionText(cell)];
  const failure =
    allowed === null
      ? new Refused(`${name} may perhaps ${act}: ${unknown}`)
      : new DifferenceFailure(
          exceptions === undefined ? `${name} may not ${act}` : `${name} may ${act} only ${exceptions}`,
        );
  return { kind: "ended", failure, result };
}

/** Evaluates permissions of a snapshot, fresh or from a file. */

import { getChannels } from "../../api/channels.ts";
import { getGroups } from "../../api/groups.ts";
import { getOwnUser, getUsers } from "../../api/users.ts";
import { outputForm } from "../../argv/global-flags.ts";
import { requireOldest } from "../../client/level.ts";
import { firstOfEach } from "../../common/first-of-each.ts";
import { Usage } from "../../errors.ts";
import type { Naming } from "../../notation/id.ts";
import { readsOf, takeSnapshot } from "../../organization/fetch-snapshot.ts";
import { namesIn } from "../../organization/naming.ts";
import { channelsOf, type Snapshot, seesOnlyPart } from "../../organization/snapshot.ts";
import type { Column, Listing } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { type Cell, type Evaluation, evaluate, type Scope } from "../../permissions/evaluation.ts";
import { checkName, permissionNamed } from "../../permissions/permission-names.ts";
import { unknownSetting } from "../../permissions/rules.ts";
import { activePeopleOf, namesGroup } from "../../resolve/group-people.ts";
import type { LookUpServer } from "../../resolve/look-ups.ts";
import { Resolver } from "../../resolve/resolver.ts";
import type { Context } from "../../run/context.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import { readSnapshotFile } from "../org/read.ts";

/** The members of a record that name a permission. */
export interface CellRecord {
  scope: Scope;
  target: string | null;
  target_id: number | null;
  permission: string;
}

export const cellRecord = ({ scope, name, target_id, permission }: Cell): CellRecord => ({
  scope,
  target: name,
  target_id,
  permission,
});

const cellMembers = ["scope", "target", "target_id", "permission"];

const cellColumns: Column<CellRecord>[] = [
  { head: "SCOPE", value: ({ scope }) => scope },
  { head: "TARGET", value: ({ target }) => target, importance: "high" },
  { head: "PERMISSION", value: ({ permission }) => permission, importance: "high", whole: true },
];

/** Warns about settings without a rule. */
export async function warnUnknownSettings({ warn }: Context, cells: Iterable<Cell>): Promise<void> {
  const names = new Set<string>();
  for (const { rule, permission } of cells) if (rule.note === unknownSetting) names.add(permission);
  if (names.size)
    await warn(programLine(`settings unknown to this version, shown by their members only: ${[...names].join(", ")}`));
}

/** Returns whether ids are replaced by names. */
export const forPeople = ({ flags }: Context): boolean => ["table", "csv", "tsv"].includes(outputForm(flags));

/**
 * Returns the id for `-o ids`: each target once, however many records it has. Throws `Usage` if the ids would be of
 * several kinds.
 */
export function idOfTarget<R>(
  { flags }: Context,
  records: readonly R[],
  targetOf: (record: R) => { kind: string; id: unknown },
  hint: string,
): (record: R) => unknown {
  const kinds = new Set(records.map((record) => targetOf(record).kind));
  if (outputForm(flags) === "ids" && kinds.size > 1)
    throw new Usage(`-o ids would mix ids of ${[...kinds].join(", ")}`, { hint });
  const firsts = firstOfEach(records, (record) => targetOf(record).id);
  return (record) => (firsts.has(record) ? (targetOf(record).id ?? undefined) : undefined);
}

export function cellListing<R extends CellRecord>(
  context: Context,
  records: readonly R[],
  { columns, members, hint }: { columns: readonly Column<R>[]; members: readonly string[]; hint: string },
): Listing<R> {
  return {
    kind: "listing",
    records: [...records],
    allFields: [...cellMembers, ...members],
    id: idOfTarget(context, records, ({ scope, target_id }) => ({ kind: scope, id: target_id }), hint),
    columns: [...cellColumns, ...columns],
  };
}

async function warnIfPartial({ warn }: Context, { organization }: Snapshot): Promise<void> {
  if (seesOnlyPart(organization))
    await warn(
      programLine("only administrators and owners see the whole organization: results cover what this account sees"),
    );
}

/** Reads the snapshot in a file, if its server is supported. */
export async function savedSnapshot(context: Context, path: string, flag: string): Promise<Snapshot> {
  const snapshot = await readSnapshotFile(context, path, flag);
  const { feature_level, site } = snapshot;
  requireOldest(feature_level, new URL(site).host);
  await warnIfPartial(context, snapshot);
  return snapshot;
}

/** Reads the snapshot of `--from`, or of the server. */
export async function loadSnapshot(context: Context, from: string | undefined, findings = false): Promise<Snapshot> {
  if (from !== undefined) return savedSnapshot(context, from, "--from");
  const { command, flags, server, world } = context;
  const connected = await server();
  if (flags.dryRun) await context.showInstead(readsOf(await connected.level(), { partial: true, findings }));
  const snapshot = await takeSnapshot(connected, { command, now: world.clock.now(), partial: true, findings });
  await warnIfPartial(context, snapshot);
  return snapshot;
}

/** Evaluates a snapshot. */
export const loadEvaluation = async (context: Context, from: string | undefined): Promise<Evaluation> =>
  evaluate(await loadSnapshot(context, from));

/** Answers look-ups from the snapshot, as its server would have done. */
function answersOf(snapshot: Snapshot): LookUpServer {
  const { organization, feature_level, site } = snapshot;
  const answers = new Map<AnyOperation, unknown>([
    [getChannels, { streams: channelsOf(snapshot) }],
    [getGroups, { user_groups: organization.realm_user_groups }],
    [
      getUsers,
      {
        members: [
          ...organization.realm_users.map((person) => ({ ...person, is_active: true })),
          ...organization.realm_non_active_users.map((person) => ({ ...person, is_active: false })),
        ],
      },
    ],
    [getOwnUser, { user_id: organization.user_id }],
  ]);
  const answer = async (operation: AnyOperation) => answers.get(operation) as never;
  return { host: new URL(site).host, level: async () => feature_level, lookUp: answer, call: answer };
}

/** Looks up people in the snapshot: one person, or `group:<name>`. */
export async function peopleInSnapshot(snapshot: Snapshot, typed: Naming, flag: string): Promise<number[]> {
  if (!namesGroup(typed)) return [await idInSnapshot(snapshot, "user", typed, flag)];
  const people = await activePeopleOf(new Resolver(async () => answersOf(snapshot)), typed, flag);
  return people.map(({ user_id }) => user_id);
}

/** Looks up a name or id in the snapshot. Throws `Usage` if it is missing. */
export async function idInSnapshot(
  snapshot: Snapshot,
  kind: "channel" | "group" | "user",
  typed: Naming,
  flag: string,
) {
  const names = new Resolver(async () => answersOf(snapshot));
  // The names are known, so digits may be one.
  await names.nameLookup(kind);
  const id = await names[kind](typed, flag);
  if (!namesIn(snapshot)[kind].has(id))
    throw new Usage(`${flag}: ${kind} ${id} not found, or not visible to this account`);
  return id;
}

export interface TypedTarget {
  channel?: Naming;
  group?: Naming;
}

/** Checks the flags that choose a target, before anything is read. */
export function checkTarget({ channel, group }: TypedTarget, permission?: string): Scope {
  if (channel !== undefined && group !== undefined) throw new Usage("--channel cannot be combined with --group");
  const scope = channel !== undefined ? "channel" : group !== undefined ? "group" : "organization";
  if (permission !== undefined) checkName(permission, [scope], "<permission>");
  return scope;
}

/** Looks up the target's id. Null for the organization. */
export async function targetOf(
  { snapshot }: Evaluation,
  flags: TypedTarget,
): Promise<{ scope: Scope; target: number | null }> {
  const scope = checkTarget(flags);
  const typed = flags.channel ?? flags.group;
  if (scope === "organization" || typed === undefined) return { scope, target: null };
  return { scope, target: await idInSnapshot(snapshot, scope, typed, `--${scope}`) };
}

export async function cellOf(evaluation: Evaluation, name: string, flags: TypedTarget): Promise<Cell> {
  const { scope, target } = await targetOf(evaluation, flags);
  return evaluation.cell(scope, target, permissionNamed(evaluation.facts, name, [scope], "<permission>"));
}

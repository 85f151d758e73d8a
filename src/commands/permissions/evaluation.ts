/** What the commands look at: a snapshot of the server's, or one that was kept. */
import { formOf } from "../../argv/flags.ts";
import { requireOldest } from "../../client/level.ts";
import { Usage } from "../../errors.ts";
import { readsOf, takeSnapshot } from "../../organization/fetch-snapshot.ts";
import { type Snapshot, seesPart } from "../../organization/snapshot.ts";
import type { Column } from "../../output/form.ts";
import { type Cell, type Evaluation, evaluate, type Scope } from "../../permissions/evaluation.ts";
import { unknownSetting } from "../../permissions/rules.ts";
import type { Context } from "../../run/context.ts";
import { kept } from "../org/files.ts";

/** What a record says of the permission that it is about. */
export interface Thing {
  scope: Scope;
  target: string | null;
  target_id: number | null;
  permission: string;
}

export const thingOf = ({ scope, name, target_id, permission }: Cell): Thing => ({
  scope,
  target: name,
  target_id,
  permission,
});

export const thingMembers = ["scope", "target", "target_id", "permission"];

export const thingColumns: Column<Thing>[] = [
  { head: "SCOPE", value: ({ scope }) => scope },
  { head: "TARGET", value: ({ target }) => target, importance: "high" },
  { head: "PERMISSION", value: ({ permission }) => permission, importance: "high", whole: true },
];

/** Says which of these settings are evaluated without a rule. */
export async function warnUnknownSettings({ warn }: Context, cells: Iterable<Cell>): Promise<void> {
  const names = new Set<string>();
  for (const { note, permission } of cells) if (note === unknownSetting) names.add(permission);
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

async function warnOfPart({ warn }: Context, { organization }: Snapshot): Promise<void> {
  if (seesPart(organization))
    await warn(
      "zulipctl: only administrators and owners see the whole organization: results cover what this account sees",
    );
}

/** The snapshot in a file that a flag names, if its server is new enough. */
export async function keptSnapshot(context: Context, path: string, flag: string): Promise<Snapshot> {
  const snapshot = await kept(context, path, flag);
  const { feature_level, site } = snapshot;
  requireOldest(feature_level, new URL(site).host);
  await warnOfPart(context, snapshot);
  return snapshot;
}

/** Who may do what: in the file that `--from` names, or else on the server. */
export async function loadEvaluation(context: Context, from: string | undefined): Promise<Evaluation> {
  if (from !== undefined) return evaluate(await keptSnapshot(context, from, "--from"));
  const { command, flags, server, world } = context;
  const to = await server();
  if (flags.dryRun) await context.showInstead(readsOf(await to.level(), { partial: true }));
  const snapshot = await takeSnapshot(to, { command, now: world.clock.now(), partial: true });
  await warnOfPart(context, snapshot);
  return evaluate(snapshot);
}

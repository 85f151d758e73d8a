/** What the commands look at: a snapshot of the server's, or one that was kept. */
import { formOf } from "../../argv/flags.ts";
import { requireOldest } from "../../client/level.ts";
import { Usage } from "../../errors.ts";
import { readsOf, takeSnapshot } from "../../organization/fetch-snapshot.ts";
import { type Snapshot, seesPart } from "../../organization/snapshot.ts";
import { type Cell, type Evaluation, evaluate, type Scope } from "../../permissions/evaluation.ts";
import { unknownSetting } from "../../permissions/rules.ts";
import { type Requests, requests } from "../../run/conclusion.ts";
import { type Context, showRequest } from "../../run/context.ts";
import { kept } from "../org/files.ts";

interface Thing {
  scope: Scope;
  target_id: number | null;
}

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

async function shown({ server }: Context): Promise<Requests> {
  const to = await server();
  const reads = readsOf(await to.level(), { partial: true });
  return requests(await Promise.all(reads.map((read) => showRequest(to, read))));
}

async function taken(context: Context): Promise<Snapshot> {
  const { command, server, world } = context;
  const snapshot = await takeSnapshot(await server(), { command, now: world.clock.now(), partial: true });
  await tellPart(context, snapshot);
  return snapshot;
}

async function tellPart({ warn }: Context, { organization }: Snapshot): Promise<void> {
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
  await tellPart(context, snapshot);
  return snapshot;
}

/** Who may do what: in the file that `--from` names, or else on the server. What a dry run shows, where there is one. */
export async function loadEvaluation(context: Context, from: string | undefined): Promise<Evaluation | Requests> {
  if (from === undefined && context.flags.dryRun) return shown(context);
  return evaluate(from === undefined ? await taken(context) : await keptSnapshot(context, from, "--from"));
}

import { Usage } from "../../errors.ts";
import { foldSite } from "../../organization/content.ts";
import type { Snapshot } from "../../organization/snapshot.ts";
import type { Column, Listing } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import {
  describeChanges,
  type PermissionChange,
  permissionChanges,
  statedChanges,
} from "../../permissions/permission-changes.ts";
import type { Context } from "../../run/context.ts";
import { planFiles, printNotices } from "../org/plan.ts";
import { readCompared } from "../org/read.ts";
import { type CellRecord, cellListing, cellRecord, forPeople, loadSnapshot, savedSnapshot } from "./load-evaluation.ts";

interface DiffRow extends CellRecord {
  gain: readonly number[] | string;
  lose: readonly number[] | string;
}

const columns: Column<DiffRow>[] = [
  { head: "GAIN", value: ({ gain }) => gain, importance: "high" },
  { head: "LOSE", value: ({ lose }) => lose, importance: "high" },
];

type States = readonly [before: Snapshot, after: Snapshot];

/** Compares an earlier snapshot with the current state, or with a later snapshot. */
async function statesSince(context: Context, against: string, from: string | undefined): Promise<States> {
  const before = await savedSnapshot(context, against, "--against");
  const after = await loadSnapshot(context, from);
  if (foldSite(before.site) !== foldSite(after.site))
    throw new Usage(`--against: ${against} is from ${before.site}, not from ${after.site}`);
  return [before, after];
}

/** Compares the current state with the desired state of files. */
async function plannedStates(context: Context, operands: readonly string[], from: string | undefined): Promise<States> {
  const compared = await readCompared(context, operands, from, savedSnapshot);
  const plan = await planFiles(context, compared, {});
  await printNotices(context, compared.document, plan);
  for (const { says, name } of plan.comparison.refused)
    await context.warn(programLine(`would be refused: ${name}: ${says}`));
  return [plan.before, plan.result];
}

export async function diffPermissions(
  context: Context,
  { against, from }: { against?: string; from?: string },
  operands: readonly string[],
): Promise<Listing<DiffRow>> {
  if (operands.length && against !== undefined) throw new Usage("a file cannot be combined with --against");
  if (!operands.length && against === undefined)
    throw new Usage("permissions diff requires an organization file, or --against and a snapshot", {
      hint: "zulipctl permissions diff organization.yaml; zulipctl permissions diff --against before.json",
    });
  const states =
    against === undefined ? await plannedStates(context, operands, from) : await statesSince(context, against, from);
  const { changes, undecided } = context.world.signals.runBlocking(() => permissionChanges(...states));
  if (undecided.length) await context.warn(programLine(`skipped, unknown before or after: ${undecided.join(", ")}`));
  const format = (people: PermissionChange["gain"]) =>
    forPeople(context) ? people.map(({ full_name }) => full_name).join(", ") : people.map(({ user_id }) => user_id);
  const records: DiffRow[] = changes.map(({ cell, gain, lose }) => ({
    ...cellRecord(cell),
    gain: format(gain),
    lose: format(lose),
  }));
  const sentences = describeChanges(statedChanges(changes));
  if (!sentences.length) await context.note("Nobody gains or loses anything.");
  const hint = "Use another form: -o json.";
  return { ...cellListing(context, records, { columns, members: ["gain", "lose"], hint }), lines: sentences };
}

import { Usage } from "../../errors.ts";
import { planned } from "../../organization/plan.ts";
import type { Snapshot } from "../../organization/snapshot.ts";
import type { Column, Listing } from "../../output/form.ts";
import { type Shift, sentencesOf, shiftsBetween } from "../../permissions/difference.ts";
import type { Scope } from "../../permissions/evaluation.ts";
import type { Requests } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { documentOf, sourcesOf } from "../org/files.ts";
import { checkPlanned, checkWhole, tellNotices } from "../org/plan.ts";
import { shownReads, takes } from "../org/snapshot.ts";
import { eachThingOnce, forPeople, keptSnapshot, loadEvaluation } from "./evaluation.ts";

interface Row {
  scope: Scope;
  target: string | null;
  target_id: number | null;
  permission: string;
  gain: readonly number[] | string;
  lose: readonly number[] | string;
}

const columns: Column<Row>[] = [
  { head: "SCOPE", value: ({ scope }) => scope },
  { head: "TARGET", value: ({ target }) => target, importance: "high" },
  { head: "PERMISSION", value: ({ permission }) => permission, importance: "high", whole: true },
  { head: "GAIN", value: ({ gain }) => gain, importance: "high" },
  { head: "LOSE", value: ({ lose }) => lose, importance: "high" },
];

interface Flags {
  against?: string;
  from?: string;
}

interface States {
  before: Snapshot;
  after: Snapshot;
}

const names = (people: Shift["gain"]) => people.map(({ full_name }) => full_name).join(", ");
const ids = (people: Shift["gain"]) => people.map(({ user_id }) => user_id);

const same = (site: string) => site.toLowerCase().replace(/\/+$/, "");

/** What was kept earlier, and what is now or was kept later. */
async function sinceThen(context: Context, against: string, from: string | undefined): Promise<States | Requests> {
  const before = await keptSnapshot(context, against, "--against");
  const now = await loadEvaluation(context, from);
  if ("requests" in now) return now;
  const after = now.snapshot;
  if (same(before.site) !== same(after.site))
    throw new Usage(`--against: ${against} is from ${before.site}, not from ${after.site}`);
  return { before, after };
}

/** What is now, and what would be when everything is as the files say. */
async function asPlanned(
  context: Context,
  operands: readonly string[],
  from: string | undefined,
): Promise<States | Requests> {
  const document = await documentOf(context, await sourcesOf(context, operands));
  if (from === undefined && context.flags.dryRun) return shownReads(context);
  const before = from === undefined ? await takes(context) : await keptSnapshot(context, from, "--from");
  if (from !== undefined) checkWhole(before, from);
  const plan = context.world.signals.computing(() => planned(before, document.value, {}));
  await checkPlanned(document, before, plan.comparison);
  await tellNotices(context, document, plan);
  for (const { says, name } of plan.comparison.refused)
    await context.warn(`zulipctl: would be refused: ${name}: ${says}`);
  return { before, after: plan.result };
}

function checkWords(operands: readonly string[], { against }: Flags): void {
  if (operands.length && against !== undefined)
    throw new Usage("a file cannot be combined with --against: one is what would be, the other what was");
  if (!operands.length && against === undefined)
    throw new Usage("permissions diff requires an organization file, or --against and a snapshot", {
      hint: "zulipctl permissions diff organization.yaml; zulipctl permissions diff --against before.json",
    });
}

export async function diff(
  context: Context,
  flags: Flags,
  operands: readonly string[],
): Promise<Listing<Row> | Requests> {
  checkWords(operands, flags);
  const { against, from } = flags;
  const states =
    against === undefined ? await asPlanned(context, operands, from) : await sinceThen(context, against, from);
  if ("requests" in states) return states;
  const { shifts, doubtful } = context.world.signals.computing(() => shiftsBetween(states.before, states.after));
  if (doubtful.length) await context.warn(`zulipctl: skipped, unknown before or after: ${doubtful.join(", ")}`);
  const tell = forPeople(context) ? names : ids;
  const records: Row[] = shifts.map(({ cell: { scope, name, target_id, permission }, gain, lose }) => ({
    scope,
    target: name,
    target_id,
    permission,
    gain: tell(gain),
    lose: tell(lose),
  }));
  const said = sentencesOf(shifts);
  if (!said.length) await context.note("Nobody gains or loses anything.");
  return {
    kind: "listing",
    records,
    said,
    known: ["scope", "target", "target_id", "permission", "gain", "lose"],
    id: eachThingOnce(context, records, "Use another form: -o json."),
    columns,
  };
}

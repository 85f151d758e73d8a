import { counted } from "../../common/counted.ts";
import { DifferenceFailure } from "../../errors.ts";
import { peopleById, type Snapshot } from "../../organization/snapshot.ts";
import type { Column, Listing } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import { evaluate } from "../../permissions/evaluation.ts";
import { type AcceptedFinding, endOf, readAccepted } from "../../permissions/findings/accepted.ts";
import { findingInput, findingsOf } from "../../permissions/findings/all-findings.ts";
import {
  type Activity,
  activityIn,
  administratorsOf,
  type FindingItem,
  inactivityLimit,
  messageOf,
} from "../../permissions/findings/finding-items.ts";
import { type FindingName, findingNames } from "../../permissions/findings/finding-kinds.ts";
import { inPageOrder } from "../../permissions/page-order.ts";
import type { Context } from "../../run/context.ts";
import { savedExports } from "../audit/source.ts";
import { failureOfProblems, fileAt } from "../org/read.ts";
import { forPeople, idOfTarget, loadSnapshot } from "./load-evaluation.ts";

interface FindingRow {
  finding: FindingName;
  severity: string;
  target: FindingItem["target"] | string;
  people: readonly number[] | string;
  message: string;
  fix: string | null;
}

interface Options {
  only?: FindingName[];
  accept?: string;
  exitCode?: boolean;
  from?: string;
}

const columns: Column<FindingRow>[] = [
  {
    head: "SEVERITY",
    value: ({ severity }) => severity,
    style: ({ severity }) => (severity === "high" ? "bad" : severity === "medium" ? "warn" : undefined),
  },
  { head: "FINDING", value: ({ finding }) => finding, importance: "low", whole: true },
  { head: "TARGET", value: ({ target }) => target, importance: "low" },
  { head: "MESSAGE", value: ({ message }) => message, importance: "high" },
  { head: "FIX", value: ({ fix }) => fix, importance: "high", whole: true },
];

/** For administrators and owners without presence, reads the newest export of `audit fetch`. */
export async function loadActivity({ world }: Context, snapshot: Snapshot): Promise<ReadonlyMap<number, Activity>> {
  const activity = activityIn(snapshot);
  const missing = administratorsOf(snapshot).filter(({ user_id }) => !activity.has(user_id));
  const [newest] = missing.length ? await savedExports(world, snapshot.site) : [];
  if (!newest || world.clock.now() - newest.fetched > inactivityLimit) return activity;
  const { peopleInExport } = await import("../audit/activity.ts");
  const source = { name: newest.path, bytes: world.files.stream(newest.path) };
  for (const { id, last_active } of await peopleInExport(world.files, source))
    if (last_active !== null && missing.some(({ user_id }) => user_id === id))
      activity.set(id, { lastActive: Date.parse(last_active), knownAt: newest.fetched });
  return activity;
}

async function readAcceptedFile(context: Context, path: string | undefined): Promise<AcceptedFinding[]> {
  if (path === undefined) return [];
  const result = readAccepted(await fileAt(context, path));
  if ("problems" in result) throw failureOfProblems({ problems: result.problems, count: result.problems.length });
  return result.accepted;
}

type RatedItem = Pick<FindingRow, "severity"> & { name: FindingName; item: FindingItem };

/** Removes accepted findings. Warns about entries without an effect. */
async function withoutAccepted(
  { note, world }: Context,
  found: readonly RatedItem[],
  accepted: readonly AcceptedFinding[],
) {
  const remaining = new Set(found);
  for (const entry of accepted) {
    const same = found.filter(({ name, item }) => name === entry.finding && item.text === entry.target);
    const { file, line, column } = entry.place;
    const noteEntry = (what: string) =>
      note(sanitizeLine(programLine(`${file}:${line}:${column}: ${what}: ${entry.finding}, ${entry.target}`)));
    if (!same.length) await noteEntry("no longer found");
    else if (endOf(entry) <= world.clock.now()) await noteEntry(`accepted until ${entry.until}, counts again`);
    else for (const each of same) remaining.delete(each);
  }
  return [...remaining];
}

export async function listFindings(
  context: Context,
  { only = findingNames, accept, exitCode, from }: Options,
): Promise<Listing<FindingRow>> {
  const accepted = (await readAcceptedFile(context, accept)).filter(({ finding }) => only.includes(finding));
  const snapshot = inPageOrder(await loadSnapshot(context, from, true));
  const activity = await loadActivity(context, snapshot);
  const all = context.world.signals
    .runBlocking(() => findingsOf(findingInput(evaluate(snapshot), activity)))
    .filter(({ name }) => only.includes(name));
  for (const { title, unknown } of all)
    if (unknown) await context.note(programLine(`${title.toLowerCase()}: ${unknown}`));
  const found = all.flatMap(({ name, severity, items }) => items.map((item) => ({ name, severity, item })));
  const remaining = await withoutAccepted(context, found, accepted);
  const targets = new Map<FindingRow, FindingItem["target"]>();
  const withNames = forPeople(context);
  const accounts = peopleById(snapshot);
  const records = remaining.map(({ name, severity, item }) => {
    const names = item.people.flatMap((id) => accounts.get(id)?.full_name ?? []);
    const row: FindingRow = {
      finding: name,
      severity,
      target: withNames ? item.text : item.target,
      people: withNames ? names.join(", ") : item.people,
      message: messageOf(name, item),
      fix: item.fix,
    };
    targets.set(row, item.target);
    return row;
  });
  const id = idOfTarget(context, records, (record) => targets.get(record)!, "Add --only.");
  const failure =
    exitCode && remaining.length ? new DifferenceFailure(counted(remaining.length, "finding")) : undefined;
  if (!remaining.length) await context.note("No findings.");
  return {
    kind: "listing",
    records,
    columns,
    allFields: ["finding", "severity", "target", "people", "message", "fix"],
    hidesEmptyTable: true,
    id,
    ...(failure && { finish: async () => failure }),
  };
}

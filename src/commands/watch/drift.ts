/** Compares the organization with files after each change, and reports drift. */

import { Usage } from "../../errors.ts";
import { planRecord } from "../../organization/plan/describe.ts";
import { jsonText } from "../../output/sanitize.ts";
import type { Context } from "../../run/context.ts";
import { planFiles } from "../org/plan.ts";
import { documentOf, fetchSnapshot, sourcesOf } from "../org/read.ts";

export interface DriftRecord {
  /** When it was noticed, as ISO 8601. */
  readonly time: string;
  readonly kind: "drift";
  readonly action: "drift.found" | "drift.resolved";
  readonly target: { readonly kind: string; readonly id: null; readonly name: string };
  /** The difference as `org plan -o json` prints it. */
  readonly change: unknown;
}

interface Drift {
  readonly record: DriftRecord;
  readonly sentence: string;
}

interface DriftRow {
  readonly section: string;
  readonly name: string;
  readonly action: string;
  readonly fields?: readonly { readonly field: string; readonly from?: unknown; readonly to: unknown }[];
  /** Why the files cannot be compared any more. */
  readonly problems?: readonly { readonly message: string }[];
}

/** Each value by itself: one can return to the desired state before others. */
const splitFields = (row: DriftRow): DriftRow[] =>
  row.fields?.length ? row.fields.map((each) => ({ ...row, fields: [each] })) : [row];

function sentenceOf({ section, name, action, fields, problems }: DriftRow, found: boolean): string {
  const thing = name === section ? name.replace("_", " ") : `${section} "${name}"`;
  const field = fields?.[0] ? ` (${fields[0].field})` : "";
  if (!found) return problems ? "the files can be compared again" : `resolved: ${thing}${field}`;
  if (action === "deactivated") return `drift: ${thing} is deactivated, and the file describes it`;
  if (problems) return `drift: ${problems.map(({ message }) => message).join("; ")}`;
  const parts = (fields ?? []).map(
    ({ field, from, to }) => `${field} is ${jsonText(from ?? null)}, and the file says ${jsonText(to)}`,
  );
  return `drift: ${thing}: ${parts.length ? parts.join("; ") : `the file would ${action} it`}`;
}

/** Reads files once, and returns a function that compares. Throws `Usage` for errors in files. */
export async function driftFinder(context: Context, paths: readonly string[]): Promise<() => Promise<Drift[]>> {
  const document = await documentOf(context, await sourcesOf(context, paths));
  let known = new Map<string, DriftRow>();
  let isFirst = true;
  return async () => {
    const snapshot = await fetchSnapshot(context);
    let rows: readonly DriftRow[];
    try {
      const plan = await planFiles(context, { document, snapshot }, {});
      const { deactivated } = plan.comparison;
      rows = [
        ...(planRecord(plan).changes as readonly DriftRow[]).flatMap(splitFields),
        ...deactivated.map(({ section, name }) => ({ section, name, action: "deactivated" })),
      ];
    } catch (error) {
      // A thing in the files was renamed or removed: this is drift too.
      if (isFirst || !(error instanceof Usage)) throw error;
      const problems = error.details.more?.problems;
      if (!Array.isArray(problems)) throw error;
      const others = [...known.values()].filter((row) => !row.problems);
      rows = [...others, { section: "files", name: paths.join(", "), action: "problem", problems }];
    }
    isFirst = false;
    const current = new Map(rows.map((row) => [jsonText([row.section, row.name, row.action, row.fields?.[0]]), row]));
    const time = new Date(context.world.clock.now()).toISOString();
    const driftOf = (row: DriftRow, found: boolean): Drift => ({
      record: {
        time,
        kind: "drift",
        action: found ? "drift.found" : "drift.resolved",
        target: { kind: row.section, id: null, name: row.name },
        change: row,
      },
      sentence: sentenceOf(row, found),
    });
    const subjectOf = ({ section, name, fields }: DriftRow) => jsonText([section, name, fields?.[0]?.field]);
    const different = new Set(rows.map(subjectOf));
    const found = [...current].flatMap(([key, row]) => (known.has(key) ? [] : [driftOf(row, true)]));
    // A thing with another difference is reported above.
    const resolved = [...known.values()].flatMap((row) => (different.has(subjectOf(row)) ? [] : [driftOf(row, false)]));
    known = current;
    return [...found, ...resolved];
  };
}

import { Difference, Refused } from "../../errors.ts";
import type { Single } from "../../output/form.ts";
import { exceptionsText, inWords, settingsText, wayNames, wayText } from "../../permissions/words.ts";
import type { Context, Ended } from "../../run/context.ts";
import { forPeople, loadEvaluation, thingOf } from "./evaluation.ts";
import { cellOf, checkTarget, finds, type Target } from "./targets.ts";

/** Whether somebody may do something, and why: 0 for yes, 8 for no, 1 where the snapshot cannot decide it. */
export async function check(
  context: Context,
  flags: Target & { from?: string },
  user: string,
  typed: string,
): Promise<Single | Ended> {
  checkTarget(flags, typed);
  const evaluation = await loadEvaluation(context, flags.from);
  const id = await finds(evaluation.snapshot).user(user, "<user>");
  const cell = await cellOf(evaluation, typed, flags);
  const person = evaluation.accounts.find(({ user_id }) => user_id === id)!;
  const allowed = evaluation.may(id, cell) ?? null;
  const [ways, lacks, unknown] = [evaluation.ways(id, cell), evaluation.lacks(id, cell), evaluation.unknown(id, cell)];

  const exceptions = exceptionsText(evaluation, id, cell);
  const { note } = cell;
  const named = forPeople(context);
  const word = allowed === null ? "unknown" : allowed ? "yes" : exceptions === undefined ? "no" : "partly";
  const why = allowed
    ? ways.map((way) => [wayText(way, person.full_name), settingsText(cell, way)].filter(Boolean).join("  "))
    : [...(exceptions === undefined ? [] : [exceptions]), unknown ?? lacks.join("; ")];
  const result: Single = {
    kind: "single",
    record: {
      allowed,
      ...thingOf(cell),
      ways: named ? ways.map((way) => wayText(way, person.full_name)).join("; ") : ways.map(wayNames),
      lacks: named ? lacks.join("; ") : lacks,
      ...(exceptions !== undefined && { exceptions }),
      ...(unknown !== undefined && { unknown }),
    },
    columns: [],
    id: () => (allowed ? id : undefined),
    said: [word, ...why.map((line) => `  ${line}`), ...(note === undefined ? [] : [`  (${note})`])],
  };
  if (allowed) return result;
  const may = `${person.full_name} may`;
  const failure =
    allowed === null
      ? new Refused(`${may} perhaps ${inWords(cell)}: ${unknown}`)
      : new Difference(
          exceptions === undefined ? `${may} not ${inWords(cell)}` : `${may} ${inWords(cell)} only ${exceptions}`,
        );
  return { kind: "ended", failure, result };
}

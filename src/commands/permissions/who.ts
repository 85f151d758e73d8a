import { counted } from "../../counted.ts";
import { Refused } from "../../errors.ts";
import type { Person } from "../../organization/snapshot.ts";
import type { Column, Listing } from "../../output/form.ts";
import { inWords, wayNames, wayText } from "../../permissions/words.ts";
import type { Context } from "../../run/context.ts";
import { userColumns } from "../users/people.ts";
import { forPeople, loadEvaluation } from "./evaluation.ts";
import { cellOf, checkTarget, type Target } from "./targets.ts";

type Row = Person & { through: readonly string[] | string };

const columns: Column<Row>[] = [
  ...userColumns,
  { head: "THROUGH", value: ({ through }) => through, importance: "high" },
];

export async function who(context: Context, flags: Target & { from?: string }, typed: string): Promise<Listing<Row>> {
  checkTarget(flags, typed);
  const evaluation = await loadEvaluation(context, flags.from);
  const cell = await cellOf(evaluation, typed, flags);
  const named = forPeople(context);
  const records = evaluation.who(cell).map((person): Row => {
    const way = evaluation.way(person.user_id, cell)!;
    return { ...person, through: named ? wayText(way, person.full_name) : wayNames(way) };
  });
  const doubtful = evaluation.doubtful(cell);
  const ending = async () => {
    const [first] = doubtful;
    return new Refused(
      `of ${counted(doubtful.length, "account")} it is unknown whether they can ${inWords(cell)}: ${evaluation.unknown(first!.user_id, cell)}`,
    );
  };
  return {
    kind: "listing",
    records,
    id: ({ user_id }) => user_id,
    columns,
    rare: ["bot_type", "bot_owner_id", "profile_data"],
    ...(cell.note !== undefined && { note: `${cell.permission}: ${cell.note}` }),
    ...(doubtful.length && { ending }),
  };
}

import { Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import { type Shift, sentencesOf, shiftsBetween } from "../../permissions/difference.ts";
import type { Judgement, Scope } from "../../permissions/judgement.ts";
import type { Requests } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { judged, judgedIn } from "./judged.ts";
import { eachThingOnce, forPeople } from "./things.ts";

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
  { head: "TARGET", value: ({ target }) => target },
  { head: "PERMISSION", value: ({ permission }) => permission },
  { head: "GAIN", value: ({ gain }) => gain },
  { head: "LOSE", value: ({ lose }) => lose },
];

const names = (people: Shift["gain"]) => people.map(({ full_name }) => full_name).join(", ");
const ids = (people: Shift["gain"]) => people.map(({ user_id }) => user_id);

const same = (site: string) => site.toLowerCase().replace(/\/+$/, "");

/** Two states of one organization: before, and after. */
async function states(
  context: Context,
  { against, from }: { against: string; from?: string },
): Promise<{ before: Judgement; after: Judgement } | Requests> {
  const before = await judgedIn(context, against, "--against");
  const after = await judged(context, from);
  if ("requests" in after) return after;
  const [one, other] = [before.snapshot.site, after.snapshot.site];
  if (same(one) !== same(other)) throw new Usage(`--against: ${against} is of ${one}, and not of ${other}`);
  return { before, after };
}

export async function diff(
  context: Context,
  { against, from }: { against?: string; from?: string },
): Promise<Listing<Row> | Requests> {
  if (against === undefined)
    throw new Usage("permissions diff needs a file", { hint: "Name a kept snapshot: --against organization.json" });
  const both = await states(context, { against, ...(from !== undefined && { from }) });
  if ("requests" in both) return both;
  const { shifts, doubtful } = shiftsBetween(both.before, both.after);
  if (doubtful.length)
    await context.warn(`zulipctl: left out where it is not known before or afterwards: ${doubtful.join(", ")}`);
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
    id: eachThingOnce(context, records, "Take another form: -o json."),
    columns,
  };
}

/** `org diff`: what would change in one organization to make it like another. Nothing is applied. */
import { Usage } from "../../errors.ts";
import { readsOf } from "../../organization/fetch-snapshot.ts";
import type { OrganizationPlan } from "../../organization/make-plan.ts";
import { type Conclusion, type Context, requests, showRequest } from "../../run/context.ts";
import { differenceFrom, withAccess } from "./plan.ts";
import { showReads } from "./read.ts";
import { checkForm, isForPeople, renderPlan } from "./render.ts";
import { type Only, planFor, readSide, sideOf, snapshotOfSide } from "./sides.ts";

interface DiffFlags {
  only?: Only;
  exitCode?: boolean;
  details?: boolean;
  summary?: boolean;
}

/** Removes counts of sections that `--only` leaves out. */
function withSections(planned: OrganizationPlan, only: Only): OrganizationPlan {
  if (!only) return planned;
  const { comparison } = planned;
  const unmanaged = Object.entries(comparison.unmanaged).filter(([name]) => only.some((section) => section === name));
  return { ...planned, comparison: { ...comparison, unmanaged: Object.fromEntries(unmanaged) } };
}

async function inTurn<T, R>(all: readonly T[], of: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const each of all) results.push(await of(each));
  return results;
}

export async function diffOrganizations(
  context: Context,
  { only, exitCode, details, summary }: DiffFlags,
  one: string,
  other: string,
  more: readonly string[] = [],
): Promise<Conclusion | undefined> {
  checkForm(context);
  if (more.length && !summary)
    throw new Usage(`org diff compares 2 sides: to compare ${more.length + 2}, add: --summary`);
  if (details && summary) throw new Usage("--details cannot be combined with --summary");
  const a = await sideOf(context, one, "<a>");
  const b = await sideOf(context, other, "<b>");
  const others = await inTurn(more, (name) => sideOf(context, name, "<side>"));
  const sides = [a, b, ...others];
  if (sides.every((side) => "document" in side)) await showReads(context);
  if (context.flags.dryRun) {
    const servers = sides.flatMap((side) => ("server" in side ? [side.server] : []));
    const shown = servers.map(async (server) =>
      Promise.all(readsOf(await server.level()).map((read) => showRequest(server, read))),
    );
    return requests((await Promise.all(shown)).flat());
  }
  const second = await readSide(context, b);
  const first = await readSide(context, a);
  const read = [first, second, ...(await inTurn(others, (side) => readSide(context, side)))];
  if (summary) {
    const base = read.find((side) => "snapshot" in side) ?? first;
    return (await import("./diff-summary.ts")).summarize(context, read, base, { only, exitCode });
  }
  const planned = await planFor(context, await snapshotOfSide(context, first, read, only), second, only);
  const failure = exitCode ? differenceFrom(other, planned) : undefined;
  const shown = isForPeople(context) ? await withAccess(context, planned) : planned;
  return renderPlan(context, withSections(shown, only), { failure, details });
}

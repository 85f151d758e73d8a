/** `org diff`: what would change in one organization to make it like another. Nothing is applied. */
import type { Server } from "../../client/server.ts";
import { noLimit } from "../../common/removal-limit.ts";
import { resolveAccount } from "../../credentials/accounts.ts";
import { listProfiles } from "../../credentials/profiles.ts";
import { Usage } from "../../errors.ts";
import { contentFor, describeProblem, onlyOf } from "../../organization/comparable.ts";
import type { Content, Document } from "../../organization/content.ts";
import { readsOf, takeSnapshot } from "../../organization/fetch-snapshot.ts";
import { differenceFrom } from "../../organization/plan/obstacle.ts";
import { makePlan, type Plan } from "../../organization/plan.ts";
import { beginsLike, format, type Snapshot } from "../../organization/snapshot.ts";
import type { SectionName } from "../../organization/words.ts";
import { type Conclusion, type Context, requests, showRequest } from "../../run/context.ts";
import { documentOf, fileAt, sourcesOf } from "./files.ts";
import { planFiles } from "./plan-files.ts";
import { checkWhole, fetchSnapshot, readSnapshotFile, showReads } from "./read.ts";
import { checkForm, render } from "./render.ts";

interface Flags {
  only?: readonly SectionName[];
  exitCode?: boolean;
  details?: boolean;
}

/** One side of the comparison: an organization, a snapshot, or files. */
type Side = { name: string } & ({ server: Server } | { path: string } | { document: Document });

const all = { prune: true, allowEmpty: true, allowLockout: true, maxRemovals: noLimit };

async function profileNamed({ world, flags, connectAs }: Context, name: string, operand: string): Promise<Side> {
  const names = (await listProfiles(world)).map((profile) => profile.name);
  if (!names.includes(name))
    throw new Usage(`${operand}: "${name}" is not a file, a folder or a profile`, {
      hint: names.length ? `Profiles: ${names.join(", ")}.` : "Create a profile with: zulipctl fetch-key --site <url>",
    });
  const server = connectAs(await resolveAccount(world, { ...flags, profile: name }));
  await server.featureLevel.requireOldest();
  return { name, server };
}

async function sideOf(context: Context, name: string, operand: string): Promise<Side> {
  const kind = name === "-" ? "other" : await context.world.files.kind(name);
  if (!kind) return profileNamed(context, name, operand);
  const sources = kind === "file" ? [await fileAt(context, name)] : await sourcesOf(context, [name]);
  const beginning = new TextDecoder().decode(sources[0]?.bytes.subarray(0, 200));
  if (kind === "file" && beginsLike(format, beginning)) return { name, path: name };
  return { name, document: await documentOf(context, sources) };
}

async function snapshotOf(context: Context, side: Side): Promise<Snapshot | undefined> {
  if ("server" in side) return takeSnapshot(side.server, { command: context.command, now: context.world.clock.now() });
  if (!("path" in side)) return undefined;
  const snapshot = await readSnapshotFile(context, side.path, side.name);
  checkWhole(snapshot, side.name);
  return snapshot;
}

/** Removes counts of sections that `--only` leaves out. */
function withSections(planned: Plan, only: Flags["only"]): Plan {
  if (!only) return planned;
  const { comparison } = planned;
  const unmanaged = Object.entries(comparison.unmanaged).filter(([name]) => only.some((section) => section === name));
  return { ...planned, comparison: { ...comparison, unmanaged: Object.fromEntries(unmanaged) } };
}

/** Compares two organizations. Warns about parts that cannot be compared. */
async function compareContent({ warn, world }: Context, from: Snapshot, content: Content, name: string): Promise<Plan> {
  const options = { ...all, comparedWith: name, partial: true };
  const planned = world.signals.runBlocking(() => makePlan(from, content, options));
  for (const problem of planned.comparison.problems)
    await warn(`zulipctl: not compared: ${describeProblem(content, problem)}`);
  return planned;
}

/**
 * Compares both sides. A file describes a part of an organization: the rest is taken from the other side, or from the
 * account.
 */
async function compareSides(context: Context, a: Side, b: Side, only: Flags["only"]): Promise<Plan> {
  const planOf = (snapshot: Snapshot, document: Document, comparedWith?: string) => {
    const value = onlyOf(document.value, only);
    return planFiles(context, { snapshot, document: { ...document, value } }, { ...all, comparedWith });
  };
  const to = await snapshotOf(context, b);
  const base = (await snapshotOf(context, a)) ?? to ?? (await fetchSnapshot(context));
  const { name } = b;
  const from = "document" in a ? (await planOf(base, a.document)).result : base;
  if ("document" in b) return planOf(from, b.document, name);
  return compareContent(context, from, to ? contentFor(from, to, { only, name }) : {}, name);
}

export async function diff(
  context: Context,
  flags: Flags,
  one: string,
  other: string,
): Promise<Conclusion | undefined> {
  checkForm(context);
  const [a, b] = [await sideOf(context, one, "<a>"), await sideOf(context, other, "<b>")];
  if ("document" in a && "document" in b) await showReads(context);
  if (context.flags.dryRun) {
    const servers = [a, b].flatMap((side) => ("server" in side ? [side.server] : []));
    const shown = servers.map(async (server) =>
      Promise.all(readsOf(await server.level()).map((read) => showRequest(server, read))),
    );
    return requests((await Promise.all(shown)).flat());
  }
  const planned = await compareSides(context, a, b, flags.only);
  const failure = flags.exitCode ? differenceFrom(b.name, planned) : undefined;
  return render(context, withSections(planned, flags.only), { failure, details: flags.details });
}

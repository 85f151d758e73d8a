/** The sides of `org diff`: profiles, snapshots and files, and how one is compared with another. */

import type { Server } from "../../client/server.ts";
import { resolveAccount } from "../../credentials/accounts.ts";
import { listProfiles } from "../../credentials/profiles.ts";
import { Usage } from "../../errors.ts";
import { unlimitedRemovals } from "../../model/removal-limit.ts";
import { contentFor, describeProblem, onlyOf } from "../../organization/comparable.ts";
import type { Content, Document } from "../../organization/content.ts";
import { takeSnapshot } from "../../organization/fetch-snapshot.ts";
import { makePlan, type OrganizationPlan } from "../../organization/make-plan.ts";
import type { SectionName } from "../../organization/section-names.ts";
import { beginsLike, type Snapshot, snapshotFormat } from "../../organization/snapshot.ts";
import { programLine } from "../../output/line.ts";
import type { Context } from "../../run/context.ts";
import { planFiles } from "./plan.ts";
import { checkWhole, documentOf, fetchSnapshot, fileAt, readSnapshotFile, sourcesOf } from "./read.ts";

/** An organization, a snapshot, or files. */
type Side = { name: string } & ({ server: Server } | { path: string } | { document: Document });

/** A side with its organization, or with files, which have none. */
export type ReadSide = { name: string } & ({ snapshot: Snapshot } | { document: Document });

export type Only = readonly SectionName[] | undefined;

const all = { prune: true, allowEmpty: true, allowLockout: true, maxRemovals: unlimitedRemovals };

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

export async function sideOf(context: Context, name: string, operand: string): Promise<Side> {
  const kind = name === "-" ? "other" : await context.world.files.kind(name);
  if (!kind) return profileNamed(context, name, operand);
  const sources = kind === "file" ? [await fileAt(context, name)] : await sourcesOf(context, [name]);
  const beginning = new TextDecoder().decode(sources[0]?.bytes.subarray(0, 200));
  if (kind === "file" && beginsLike(snapshotFormat, beginning)) return { name, path: name };
  return { name, document: await documentOf(context, sources) };
}

/** Reads the organization of a side. */
export async function readSide(context: Context, side: Side): Promise<ReadSide> {
  const { name } = side;
  if ("document" in side) return side;
  if ("server" in side) {
    const options = { command: context.command, now: context.world.clock.now() };
    return { name, snapshot: await takeSnapshot(side.server, options) };
  }
  const snapshot = await readSnapshotFile(context, side.path, name);
  checkWhole(snapshot, name);
  return { name, snapshot };
}

/** Compares two organizations. Warns about parts that cannot be compared. */
async function compareContent(
  { warn, world }: Context,
  from: Snapshot,
  content: Content,
  name: string,
  only: Only,
): Promise<OrganizationPlan> {
  const options = { ...all, comparedWith: name, partial: true };
  const planned = await world.signals.runBlocking(() => makePlan(from, content, options));
  const { problems } = planned.comparison;
  for (const problem of problems) await warn(programLine(`not compared: ${describeProblem(content, problem)}`));
  if (only && problems.length)
    await warn(programLine("to compare them too, add the section of what is not found to --only"));
  return planned;
}

/** Returns what a side says of an organization, as a file. */
export function contentOf(from: Snapshot, side: ReadSide, only: Only): Content {
  const { name } = side;
  return "document" in side ? onlyOf(side.document.value, only) : contentFor(from, side.snapshot, { only, name });
}

/** Returns what would make an organization like a side. `content`: what `contentOf` returns for both. */
export async function planFor(
  context: Context,
  from: Snapshot,
  side: ReadSide,
  only: Only,
  content = contentOf(from, side, only),
): Promise<OrganizationPlan> {
  const { name } = side;
  if (!("document" in side)) return compareContent(context, from, content, name, only);
  const document = { ...side.document, value: content };
  return planFiles(context, { snapshot: from, document }, { ...all, comparedWith: name });
}

/**
 * Returns the organization of a side. A file describes a part of one: the rest is taken from another side, or from the
 * account.
 */
export async function snapshotOfSide(
  context: Context,
  side: ReadSide,
  all: readonly ReadSide[],
  only: Only,
): Promise<Snapshot> {
  if ("snapshot" in side) return side.snapshot;
  const other = all.find((each) => "snapshot" in each);
  return (await planFor(context, other?.snapshot ?? (await fetchSnapshot(context)), side, only)).result;
}

/** `org diff`: what would change in one organization for it to be as another. Nothing applies it. */
import type { Server } from "../../client/server.ts";
import { counted } from "../../counted.ts";
import { resolveAccount } from "../../credentials/accounts.ts";
import { listProfiles } from "../../credentials/profiles.ts";
import { Difference, Usage } from "../../errors.ts";
import { contentFor, onlyOf, withoutProblems } from "../../organization/comparable.ts";
import type { Content, Document } from "../../organization/content.ts";
import { readsOf, takeSnapshot } from "../../organization/fetch-snapshot.ts";
import { type Plan, planned } from "../../organization/plan.ts";
import { format, type Snapshot } from "../../organization/snapshot.ts";
import type { SectionName } from "../../organization/words.ts";
import { type Conclusion, type Context, requests, showRequest } from "../../run/context.ts";
import { documentOf, fileAt, kept, sourcesOf } from "./files.ts";
import { checkForm, checkPlanned, checkWhole, differing, shownPlan } from "./plan.ts";

interface Flags {
  only?: readonly SectionName[];
  exitCode?: boolean;
}

/** One of the two: an organization, a snapshot of one, or files. */
type Side = { name: string } & ({ server: Server } | { path: string } | { document: Document });

const all = { prune: true, empty: true, lockout: true, removals: Number.POSITIVE_INFINITY };

const isSnapshot = (bytes: Uint8Array): boolean =>
  new TextDecoder().decode(bytes.subarray(0, 200)).trimStart().slice(1).trimStart().startsWith(`"format": "${format}"`);

async function profileNamed({ world, flags, at }: Context, name: string, operand: string): Promise<Side> {
  const names = (await listProfiles(world)).map((profile) => profile.name);
  if (!names.includes(name))
    throw new Usage(`${operand}: "${name}" is no file, no folder and no profile`, {
      hint: names.length ? `Profiles: ${names.join(", ")}.` : "Create a profile with: zulipctl fetch-key --site <url>",
    });
  const server = at(await resolveAccount(world, { ...flags, profile: name }));
  await server.featureLevel.requireOldest();
  return { name, server };
}

async function sideOf(context: Context, name: string, operand: string): Promise<Side> {
  const kind = name === "-" ? "file" : await context.world.files.kind(name);
  if (!kind) return profileNamed(context, name, operand);
  if (kind === "file" && name !== "-" && isSnapshot((await fileAt(context, name)).bytes)) return { name, path: name };
  return { name, document: await documentOf(context, await sourcesOf(context, [name])) };
}

async function snapshotOf(context: Context, side: Side): Promise<Snapshot | undefined> {
  if ("server" in side) return takeSnapshot(side.server, { command: context.command, now: context.world.clock.now() });
  if (!("path" in side)) return undefined;
  const snapshot = await kept(context, side.path, side.name);
  checkWhole(snapshot, side.name);
  return snapshot;
}

/** Without a word about sections that nobody asked for. */
function shortened(made: Plan, only: Flags["only"]): Plan {
  if (!only) return made;
  const { comparison } = made;
  const unmanaged = Object.entries(comparison.unmanaged).filter(([name]) => only.some((section) => section === name));
  return { ...made, comparison: { ...comparison, unmanaged: Object.fromEntries(unmanaged) } };
}

/** What cannot be compared is left out, and said. */
async function comparedWith({ warn }: Context, from: Snapshot, content: Content, than: string): Promise<Plan> {
  const options = { ...all, than };
  const made = planned(from, content, options);
  const { problems } = made.comparison;
  if (!problems.length) return made;
  const { content: rest, left } = withoutProblems(content, problems);
  for (const line of left) await warn(`zulipctl: not compared: ${line}`);
  return planned(from, rest, options);
}

/** The plan of files. Throws `Usage` for what is wrong with them beside the organization. */
async function plannedFrom(snapshot: Snapshot, document: Document, only: Flags["only"], than = ""): Promise<Plan> {
  const made = planned(snapshot, onlyOf(document.value, only), { ...all, than });
  await checkPlanned(document, snapshot, made.comparison);
  return made;
}

/** Files say a part of an organization: the rest is as in the other one, or as in the account's. */
async function compared(context: Context, a: Side, b: Side, only: Flags["only"]): Promise<[Snapshot, Plan]> {
  const to = await snapshotOf(context, b);
  const server = await ("document" in a && "document" in b ? context.server() : undefined);
  const base = (await snapshotOf(context, a)) ?? to ?? (server && (await snapshotOf(context, { name: "", server })));
  if (!base) throw new Error("neither files nor an organization");
  const from = "document" in a ? (await plannedFrom(base, a.document, only)).result : base;
  if ("document" in b) return [from, await plannedFrom(from, b.document, only, b.name)];
  return [from, await comparedWith(context, from, to ? contentFor(from, to, { only, name: b.name }) : {}, b.name)];
}

export async function diff(
  context: Context,
  flags: Flags,
  one: string,
  other: string,
): Promise<Conclusion | undefined> {
  checkForm(context);
  const [a, b] = [await sideOf(context, one, "<a>"), await sideOf(context, other, "<b>")];
  if (context.flags.dryRun) {
    const servers = [a, b].flatMap((side) => ("server" in side ? [side.server] : []));
    const shown = servers.map(async (server) =>
      Promise.all(readsOf(await server.level()).map((read) => showRequest(server, read))),
    );
    return requests((await Promise.all(shown)).flat());
  }
  const [from, made] = await compared(context, a, b, flags.only);
  const count = flags.exitCode ? differing(made) : 0;
  const failure = count
    ? new Difference(`${counted(count, "thing differs", "things differ")} from ${b.name}`)
    : undefined;
  return shownPlan(context, from, shortened(made, flags.only), failure);
}

/** What the commands look at: a snapshot of the server's, or one that was kept. */
import { requireOldest } from "../../client/level.ts";
import { type Snapshot, seesPart } from "../../organization/snapshot.ts";
import { readsOf, takeSnapshot } from "../../organization/take.ts";
import { type Judgement, judgementOf } from "../../permissions/judgement.ts";
import { type Requests, requests } from "../../run/conclusion.ts";
import { type Context, showRequest } from "../../run/context.ts";
import { kept } from "../org/files.ts";

async function shown({ server }: Context): Promise<Requests> {
  const to = await server();
  const reads = readsOf(await to.level(), { partial: true });
  return requests(await Promise.all(reads.map((read) => showRequest(to, read))));
}

async function taken(context: Context): Promise<Snapshot> {
  const { command, server, world } = context;
  const snapshot = await takeSnapshot(await server(), { command, now: world.clock.now(), partial: true });
  await tellPart(context, snapshot);
  return snapshot;
}

async function tellPart({ warn }: Context, { organization }: Snapshot): Promise<void> {
  if (seesPart(organization))
    await warn(
      "zulipctl: only administrators and owners see the whole organization: results cover what this account sees",
    );
}

/** The snapshot in a file that a flag names, if its server is not too old to be judged. */
export async function keptSnapshot(context: Context, path: string, flag: string): Promise<Snapshot> {
  const snapshot = await kept(context, path, flag);
  const { feature_level, site } = snapshot;
  requireOldest(feature_level, new URL(site).host);
  await tellPart(context, snapshot);
  return snapshot;
}

/** Who may do what: in the file that `--from` names, or else on the server. What a dry run shows, where there is one. */
export async function judged(context: Context, from: string | undefined): Promise<Judgement | Requests> {
  if (from === undefined && context.flags.dryRun) return shown(context);
  return judgementOf(from === undefined ? await taken(context) : await keptSnapshot(context, from, "--from"));
}

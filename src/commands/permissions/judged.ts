/** What the commands look at: a snapshot of the server's, or one that was kept. */
import { register } from "../../api/events.ts";
import { tooOld } from "../../client/level.ts";
import { type Snapshot, seesPart } from "../../organization/snapshot.ts";
import { readsOf, takeSnapshot } from "../../organization/take.ts";
import { type Judgement, judgementOf } from "../../permissions/judgement.ts";
import { firstLevel } from "../../permissions/rules.ts";
import { type Requests, requests } from "../../run/conclusion.ts";
import { type Context, showRequest } from "../../run/context.ts";
import { kept } from "../org/files.ts";

async function shown({ server }: Context): Promise<Requests> {
  const to = await server();
  const reads = readsOf(await to.level(), { partial: true });
  return requests(await Promise.all(reads.map((read) => showRequest(to, read))));
}

async function taken({ command, server, world }: Context): Promise<Snapshot> {
  const to = await server();
  await to.insist(register, (level) => (level < firstLevel ? [{ flag: undefined, needs: firstLevel }] : []), {
    command,
  });
  return takeSnapshot(to, { command, now: world.clock.now(), partial: true });
}

/** Who may do what: in the file that `--from` names, or else on the server. What a dry run shows, where there is one. */
export async function judged(context: Context, from: string | undefined): Promise<Judgement | Requests> {
  if (from !== undefined) return judgedIn(context, from, "--from");
  return context.flags.dryRun ? shown(context) : judge(context, await taken(context));
}

/** Who may do what in a file that a flag names. */
export const judgedIn = async (context: Context, path: string, flag: string): Promise<Judgement> =>
  judge(context, await kept(context, path, flag));

async function judge({ command, warn }: Context, snapshot: Snapshot): Promise<Judgement> {
  const { feature_level, organization, site } = snapshot;
  if (feature_level < firstLevel) throw tooOld(command, new URL(site).host, { needs: firstLevel, has: feature_level });
  if (seesPart(organization))
    await warn(
      "zulipctl: only administrators and owners see the whole organization: this is what the account sees of it",
    );
  return judgementOf(snapshot);
}

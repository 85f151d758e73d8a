/** Opens or resumes a journal and runs the rows, as `batch` does. */

import { getChannels } from "../../src/api/channels.ts";
// Loaded before any story: to load it takes real time, for which a story does not wait.
import "../../src/client/archived-channel.ts";
import { RetryBudget } from "../../src/client/retry.ts";
import { Server } from "../../src/client/server.ts";
import type { Change } from "../../src/engine/change.ts";
import { JournaledRun } from "../../src/engine/journaled-run.ts";
import type { ChangeRow } from "../../src/engine/task.ts";
import { transport } from "../../src/engine/transport.ts";
import { Failure } from "../../src/errors.ts";
import { defaultLevel } from "../../src/sandbox/index.ts";
import { Secret, type World } from "../../src/world/world.ts";
import type { Chance } from "./chance.ts";
import { type People, site } from "./organization.ts";
import type { Attempt, Batch } from "./story.ts";

const manner = { timeout: 30_000, level: defaultLevel, allowIgnored: false, grace: 30_000, many: true };

/** Throws only unexpected errors. */
export async function run(world: World, batch: Batch, attempt: Attempt, people: People, chance: Chance): Promise<void> {
  const { email, key } = people.owner;
  const account = { site, email, tls: {}, key: async () => new Secret(key) };
  const server = new Server(world, account, { ...manner, retryBudget: new RetryBudget(120_000) });
  try {
    const known = (await world.files.read(batch.path)) !== undefined;
    const openedRun = await JournaledRun.open(
      world,
      { run: batch.path, path: batch.path, resumeName: batch.path, kind: "batch" },
      known,
    );
    try {
      const rows = await withCurrentNames(
        server,
        batch.planned.map(({ row }) => row),
      );
      await runRows(openedRun, server, batch, attempt, rows, chance);
    } finally {
      await openedRun.close();
      await server.close();
    }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    attempt.failure = failure;
  }
}

/** Returns the rows with the current names of channels. Throws the `Failure` of the read. */
async function withCurrentNames(server: Server, rows: readonly ChangeRow[]): Promise<ChangeRow[]> {
  if (!rows.some(({ changes }) => changes.some(({ operation }) => operation.withName))) return [...rows];
  const { streams } = await server.call(getChannels, {});
  const names = new Map(streams.map(({ stream_id, name }) => [stream_id, name]));
  const renamed = (each: Change): Change => {
    const { operation, args } = each;
    const name = operation.withName && names.get(args.stream_id as number);
    return name === undefined ? each : { ...each, args: operation.withName!(args, name) };
  };
  return rows.map((row) => ({ ...row, changes: row.changes.map(renamed) }));
}

async function runRows(
  taken: JournaledRun,
  server: Server,
  { planned, merge, portion }: Batch,
  attempt: Attempt,
  rows: readonly ChangeRow[],
  chance: Chance,
): Promise<void> {
  const input = { site, account: "account", input: "hash", words: "hash", rows: planned.length };
  const engine = await taken.begin(input, [], transport(server), {
    merge,
    portion,
    checkUnanswered: attempt.calm || !chance.hits(0.05) ? 60_000 : undefined,
    retryUnknown: attempt.retryUnknown,
    mostFailures: attempt.calm || !chance.hits(0.05) ? undefined : chance.whole(1, 3),
  });
  // A reader that stops early, as if the output cannot be written.
  const retryBudget =
    attempt.calm || !chance.hits(0.03) ? Number.POSITIVE_INFINITY : chance.whole(0, planned.length - 1);
  for await (const finished of engine.run(rows)) {
    if (attempt.finished.length >= retryBudget) return;
    attempt.finished.push(finished);
  }
  attempt.ended = true;
  attempt.failure = engine.stopped;
}

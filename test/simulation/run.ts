/** What the command does, as far as the engine is concerned: opens or resumes a journal and runs the rows. */
import { Patience } from "../../src/client/patience.ts";
import { Server } from "../../src/client/server.ts";
import { carrier } from "../../src/engine/carrier.ts";
import type { Header } from "../../src/engine/journal.ts";
import { type Key, keyOf } from "../../src/engine/piece.ts";
import { Run } from "../../src/engine/run.ts";
import type { Row } from "../../src/engine/window.ts";
import { Failure } from "../../src/errors.ts";
import { Secret, type World } from "../../src/world.ts";
import type { Chance } from "./chance.ts";
import type { Attempt, Batch } from "./life.ts";
import { type People, site } from "./organization.ts";

const manner = { timeout: 30_000, level: 442, allowIgnored: false, grace: 30_000, many: true };

/** Throws only what is a bug. */
export async function run(world: World, of: Batch, made: Attempt, people: People, chance: Chance): Promise<void> {
  const { email, key } = people.owner;
  const account = { site, email, tls: {}, key: async () => new Secret(key) };
  const server = new Server(world, account, { ...manner, patience: new Patience(120_000) });
  try {
    const known = (await world.files.read(of.path)) !== undefined;
    const taken = await Run.open(world, of.path, known);
    try {
      await go(taken, server, of, made, rowsOf(world, of, chance), chance);
    } finally {
      await taken.close();
      await server.close();
    }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    made.failure = failure;
  }
}

/** At once, or as they come out of a pipe. */
function rowsOf({ clock }: World, { wishes }: Batch, chance: Chance): Iterable<Row> | AsyncIterable<Row> {
  const rows = wishes.map(({ row }) => row);
  if (!chance.hits(0.2)) return rows;
  return (async function* () {
    for (const row of rows) {
      await clock.sleep(chance.next() * 200);
      yield row;
    }
  })();
}

async function go(
  taken: Run,
  server: Server,
  { path, wishes, concurrency, merge, ahead }: Batch,
  made: Attempt,
  rows: Iterable<Row> | AsyncIterable<Row>,
  chance: Chance,
): Promise<void> {
  const header: Header = {
    journal: "zulipctl batch",
    version: 1,
    run: path,
    site,
    account: "account",
    input: "hash",
    words: "hash",
    rows: wishes.length,
    began: "2026-01-15T12:00:00Z",
  };
  const unanswered = taken.earlier?.unanswered() ?? new Set<Key>();
  const changes = new Map(
    wishes.flatMap(({ row: { row, changes } }) =>
      changes.map((each, part) => [keyOf(row, part), each] as const).filter(([key]) => unanswered.has(key)),
    ),
  );
  const engine = await taken.begin(header, [], changes, carrier(server), {
    concurrency,
    merge,
    ahead,
    settle: made.calm || !chance.hits(0.05) ? 60_000 : undefined,
    retryUnknown: made.retryUnknown,
    mostFailures: made.calm || !chance.hits(0.05) ? undefined : chance.whole(1, 3),
  });
  // A reader that goes away, as when the result cannot be written.
  const patience = made.calm || !chance.hits(0.03) ? Number.POSITIVE_INFINITY : chance.whole(0, wishes.length - 1);
  for await (const finished of engine.run(rows)) {
    if (made.finished.length >= patience) return;
    made.finished.push(finished);
  }
  made.ended = true;
  made.failure = engine.stopped;
}

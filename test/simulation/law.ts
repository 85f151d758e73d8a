/** What must hold after every story, told from what the server saw. */
import type { Entry } from "../../src/engine/journal.ts";
import type { Attempt, Batch, Story } from "./life.ts";
import type { Passage } from "./network.ts";
import { thingsOf, type Wish } from "./organization.ts";

/** A request that asked for a thing, and who sent it. */
interface Asked extends Passage {
  by: Attempt;
  /** How many things it asked for. */
  size: number;
}

const applied = ({ served }: Passage): boolean => served?.status === 200;
const show = ({ left, served, answered, stayed }: Passage): string =>
  `left ${left.toFixed(0)}${stayed ? " (stayed)" : ""}, ${served ? `served ${served.at.toFixed(0)}: ${served.status} ${served.text.trim()}` : "not served"}, ${answered ? "answered" : "no answer"}`;

/** The first breach; undefined where there is none. */
export function breach(story: Story): string | undefined {
  if (story.bug) return `a bug: ${story.bug instanceof Error ? story.bug.stack : story.bug}`;
  for (const batch of story.batches) {
    const found = ended(batch) ?? records(story, batch) ?? rows(story, batch);
    if (found) return `${batch.path}: ${found}`;
  }
  return state(story);
}

/** The last run, of which nothing disturbed, came to its end; every run that did told of all rows in order. */
function ended({ attempts, wishes }: Batch): string | undefined {
  const last = attempts.at(-1)!;
  if (!last.ended) return `the last run did not end: ${last.failure?.message}`;
  if (last.failure) return `the last run stopped: ${last.failure.message}`;
  for (const { ended, finished } of attempts) {
    const told = finished.map(({ row }) => row.row);
    const expected = wishes.map(({ row }) => row.row).slice(0, told.length);
    if (told.join() !== expected.join()) return `rows were told in the order ${told}`;
    if (ended && told.length !== wishes.length) return `${told.length} of ${wishes.length} rows were told`;
  }
  return undefined;
}

/** No more requests than may be on their way at once were ever recorded as sent without an answer. */
function records({ disk }: Story, { path, concurrency }: Batch): string | undefined {
  const open = new Set<number>();
  for (const line of disk.text(path)!.split("\n").slice(1, -1)) {
    const entry = JSON.parse(line) as Entry;
    if ("sent" in entry) open.add(entry.sent);
    if ("returned" in entry) open.delete(entry.returned);
    if ("answered" in entry) open.delete(entry.answered);
    if ("unanswered" in entry) open.delete(entry.unanswered);
    if ("settled" in entry) open.delete(entry.settled);
    if (open.size > concurrency) return `${open.size} requests are recorded as sent without an answer`;
  }
  return open.size ? `requests ${[...open]} are recorded as sent, and nothing after` : undefined;
}

/** The rows that were ever recorded in one request with a row for which reading says that it is done from the beginning. */
function muddled({ disk }: Story, { path, wishes }: Batch): Set<unknown> {
  const vain = new Set<unknown>(wishes.flatMap(({ vain, row }) => (vain ? [row.row] : [])));
  const lines = disk.text(path)!.split("\n").slice(1, -1);
  return new Set(
    lines.flatMap((line) => {
      const entry = JSON.parse(line) as Entry;
      return "sent" in entry && entry.rows.some((row) => vain.has(row)) ? entry.rows : [];
    }),
  );
}

function rows(story: Story, batch: Batch): string | undefined {
  const asked = new Map<string, Asked[]>();
  for (const by of batch.attempts)
    for (const passage of by.passages) {
      const things = thingsOf(passage.request);
      for (const thing of things)
        asked.set(thing, [...(asked.get(thing) ?? []), { ...passage, by, size: things.length }]);
    }
  const told = { muddled: muddled(story, batch), cut: batch.attempts.some(cutShort) };
  const last = batch.attempts.at(-1)!;
  for (const [n, wish] of batch.wishes.entries()) {
    const { outcome } = last.finished[n]!.deliveries[0]!;
    for (const thing of wish.things) {
      const all = (asked.get(thing) ?? []).sort((one, other) => one.left - other.left);
      const found = verdict(wish, outcome, all, told) ?? repetition(wish, all);
      if (found) return `row ${wish.row.row} (${thing}), ${outcome}: ${found}\n  ${all.map(show).join("\n  ")}`;
    }
    // What an earlier run has told of a row stays true.
    for (const { finished } of batch.attempts) {
      const earlier = finished[n]?.deliveries[0]?.outcome;
      const final = earlier === "done" || earlier === "refused";
      if (final && earlier !== outcome) return `row ${wish.row.row} was ${earlier} and is ${outcome}`;
    }
  }
  return undefined;
}

const cutShort = ({ process, interrupted }: Attempt): boolean => !process.alive || interrupted;

interface Told {
  muddled: Set<unknown>;
  /** A run was cut short, so that an answer may have come and not been heard. */
  cut: boolean;
}

function verdict(
  { membership, vain, row }: Wish,
  outcome: string,
  all: readonly Asked[],
  told: Told,
): string | undefined {
  const times = all.filter(applied).length;
  const doubtful = told.cut || all.some(({ answered, stayed }) => !stayed && !answered);
  const repeated = doubtful && !membership && all.some(({ by }) => by.retryUnknown);
  if (times > 1 && !repeated) return `applied ${times} times`;
  if (outcome === "done") return times === 0 && !(vain && doubtful) ? "never applied" : undefined;
  if (outcome === "refused") return times > 0 && !repeated ? "applied nevertheless" : undefined;
  if (outcome !== "unknown") return "the last run must come to a verdict";
  if (!doubtful) return "although every request was answered";
  return membership && !told.muddled.has(row.row) ? "a membership change that no reading settled" : undefined;
}

/** A thing is asked for again only where that is certain to do no harm, or wished for. */
function repetition({ membership }: Wish, all: readonly Asked[]): string | undefined {
  const left = all.filter(({ stayed }) => !stayed);
  for (const [n, next] of left.entries()) {
    const before = left[n - 1];
    if (!before) continue;
    const since = next.left - before.left;
    const wished = next.by.retryUnknown && next.by !== before.by;
    if (wished) continue;
    if (before.answered && before.served!.status >= 400) {
      // The parts of a refused whole; or a refusal that nobody lived to write down; or the refusal of a repetition, where
      // the read that must follow failed.
      const unsettled = left.slice(0, n - 1).some(({ answered }) => !answered) && since >= 60_000;
      const open = membership && next.by !== before.by && (cutShort(before.by) || unsettled);
      if (before.size === 1 && !open) return "sent again after it was refused";
      continue;
    }
    if (!membership) return `sent again after ${since.toFixed(0)} ms without being asked to`;
    if (before.served?.status === 200 && before.served.at < next.left - 5000)
      return "sent again although it had been applied";
    if (since < 60_000) return `sent again after ${since.toFixed(0)} ms, before it could be settled`;
  }
  return undefined;
}

/** The server holds what it was asked for and what it had before. */
function state({ state, people, batches }: Story): string | undefined {
  const passages = batches.flatMap(({ attempts }) => attempts.flatMap(({ passages }) => passages));
  const served = passages.filter(applied).sort((one, other) => one.served!.at - other.served!.at);
  const done = new Set(served.flatMap(({ request }) => thingsOf(request)));
  for (const { id, members } of people.groups) {
    const expected = people.users.filter(
      (user) => done.has(`${id} + ${user}`) || (members.includes(user) && !done.has(`${id} - ${user}`)),
    );
    const present = [...state.groups.get(id)!.members].sort((one, other) => one - other);
    if (present.join() !== expected.join()) return `group ${id} has ${present} and not ${expected}`;
  }
  return undefined;
}

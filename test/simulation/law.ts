/** Checks the rules that must hold after every story, from what the server saw. */
import { type TaskKey, taskKey } from "../../src/engine/task.ts";
import { playStory } from "./life.ts";
import type { Transfer } from "./network.ts";
import { nameIn, newNameIn, type Part, targetOf, thingsOf } from "./organization.ts";
import { type Attempt, type Batch, entries, type Story } from "./story.ts";
import { checkRows } from "./verdict.ts";

/** Returns the first broken rule. */
export function brokenRule(story: Story): string | undefined {
  const { bug } = story;
  if (bug) return `a bug: ${bug instanceof Error ? bug.stack : bug}`;
  const stale = checkNames(story);
  if (stale) return stale;
  for (const batch of story.batches) {
    const found =
      checkEnd(batch) ??
      checkLostLock(batch) ??
      checkRecords(story, batch) ??
      checkOverlap(batch) ??
      checkOrder(story, batch) ??
      checkRows(story, batch);
    if (found) return `${batch.path}: ${found}`;
  }
  return checkState(story);
}

/**
 * Checks that every request named its channel by the current name. A request on its way during a rename may miss its
 * channel: it counts as not applied.
 */
function checkNames({ batches, people, state }: Story): string | undefined {
  const sent = batches.flatMap(({ attempts }) => attempts.flatMap(changesIn));
  const renames = sent.filter(({ request }) => newNameIn(request) !== undefined);
  let astray = 0;
  for (const one of sent) {
    const name = nameIn(one.request);
    if (name === undefined || one.didNothing) continue;
    const own = renames.filter((rename) => lineOf(rename) === lineOf(one) && rename.served?.status === 200);
    const before = own
      .filter(({ served }) => served!.at <= one.sentAt)
      .sort((a, b) => a.served!.at - b.served!.at)
      .at(-1);
    const currentName = before ? newNameIn(before.request) : lineOf(one).slice(1);
    if (name !== currentName)
      return `"${name}" was sent at ${one.sentAt.toFixed(0)}, when the channel was "${currentName}"`;
    const coming = own.find(
      ({ sentAt, served, request }) => sentAt < one.sentAt && served!.at > one.sentAt && newNameIn(request) !== name,
    );
    if (coming) return `"${name}" was sent at ${one.sentAt.toFixed(0)}, while a rename was on its way`;
    if (own.some(({ served }) => one.served && served!.at > one.sentAt && served!.at < one.served.at)) {
      delete one.served;
      astray++;
    }
  }
  const made = state.channels.size - people.channels.length;
  return made > astray ? `${made} channels were created` : undefined;
}

/** Checks that the last run ended, and that every run that ended reported all rows in order. */
function checkEnd({ attempts, planned }: Batch): string | undefined {
  const last = attempts.at(-1)!;
  if (!last.ended) return `the last run did not end: ${last.failure?.message}`;
  if (last.failure) return `the last run stopped: ${last.failure.message}`;
  for (const { ended, finished } of attempts) {
    const reported = finished.map(({ row }) => row.row);
    const expected = planned.map(({ row }) => row.row).slice(0, reported.length);
    if (reported.join() !== expected.join()) return `rows were reported in the order ${reported}`;
    if (ended && reported.length !== planned.length)
      return `${reported.length} of ${planned.length} rows were reported`;
  }
  return undefined;
}

/** Checks that a process that lost the journal sends nothing more. */
function checkLostLock({ path, attempts }: Batch): string | undefined {
  for (const attempt of attempts) {
    const at = attempt.process.lostLocks.get(path) ?? Number.POSITIVE_INFINITY;
    // A request without an effect and an answer found no connection.
    const lateRequest = changesIn(attempt).find(
      ({ sentAt, didNothing, hasAnswer, served }) => sentAt > at && (hasAnswer || served || !didNothing),
    );
    if (lateRequest)
      return `${lineOf(lateRequest)} was sent at ${lateRequest.sentAt.toFixed(0)}, and the lock lost at ${at.toFixed(0)}`;
  }
  return undefined;
}

/** Checks that at most one request is recorded as sent without an answer. */
function checkRecords(story: Story, batch: Batch): string | undefined {
  const open = new Set<number>();
  for (const entry of entries(story, batch)) {
    if ("sent" in entry) open.add(entry.sent);
    if ("returned" in entry) open.delete(entry.returned);
    if ("answered" in entry) open.delete(entry.answered);
    if ("unanswered" in entry) open.delete(entry.unanswered);
    if ("settled" in entry) open.delete(entry.settled);
    if (open.size > 1) return `${open.size} requests are recorded as sent without an answer`;
  }
  return open.size ? `requests ${[...open]} are recorded as sent, and nothing after` : undefined;
}

const changesIn = ({ passages }: Attempt): Transfer[] => passages.filter(({ request }) => request.method !== "GET");

/** Requests for one target keep their order. */
const lineOf = ({ request }: Transfer): string => targetOf(thingsOf(request)[0]!);

const overlap = (one: Transfer, other: Transfer): boolean =>
  one.sentAt < (other.settledAt ?? Number.POSITIVE_INFINITY) &&
  other.sentAt < (one.settledAt ?? Number.POSITIVE_INFINITY);

function checkOverlap({ attempts }: Batch): string | undefined {
  for (const attempt of attempts) {
    const sent = changesIn(attempt);
    for (const one of sent)
      if (sent.some((other) => other !== one && overlap(one, other)))
        return `${lineOf(one)} was sent while another change was on its way`;
  }
  return undefined;
}

/** Checks that rows of each target were sent in the order of the file. */
function checkOrder(story: Story, batch: Batch): string | undefined {
  const targets = new Map(
    batch.planned.flatMap(({ row: { row }, parts }) =>
      parts.map(({ things: [thing = ""] }, part): [TaskKey, string] => [taskKey(row, part), targetOf(thing)]),
    ),
  );
  // An earlier run leaves out a request without the name of its channel, and a removal without its addition. They
  // follow later.
  const nameless = ({ things: [thing = ""] }: Part) => thing.startsWith("#") && / [+-] /.test(thing);
  const late = new Set(
    batch.planned.flatMap(({ row, parts }, n) =>
      parts.flatMap((piece, part) => {
        const left = batch.attempts.some((by) => by.finished[n]?.results[part]?.outcome === "not_sent");
        return row.changes[part]?.afterAdditions || (nameless(piece) && left) ? [taskKey(row.row, part)] : [];
      }),
    ),
  );
  const places = new Map([...targets.keys()].map((key, place) => [key, place]));
  const reached = new Map<string, number>();
  const seen = new Set<TaskKey>();
  for (const entry of entries(story, batch))
    for (const key of "sent" in entry ? entry.rows : []) {
      if (seen.has(key) || late.has(key)) continue;
      seen.add(key);
      const target = targets.get(key)!;
      if (places.get(key)! < (reached.get(target) ?? -1)) return `${key} was overtaken on its way to ${target}`;
      reached.set(target, places.get(key)!);
    }
  return undefined;
}

/** Checks that the server has its earlier state and all applied changes. */
function checkState({ state, people, batches }: Story): string | undefined {
  const passages = batches.flatMap(({ attempts }) => attempts.flatMap(changesIn));
  const applied = passages
    .filter(({ served }) => served?.status === 200)
    .sort((one, other) => one.served!.at - other.served!.at)
    .flatMap(({ request }) => thingsOf(request));
  const done = new Set(applied);
  const differ = (what: string, present: unknown[], expected: unknown[]) =>
    present.join() === expected.join() ? undefined : `${what}: there is ${present} and not ${expected}`;
  const lists = [
    ...people.groups.map(({ id, members }) => ({ of: String(id), members, now: state.groups.get(id)!.members })),
    ...people.channels.map(({ id, name, subscribers }) => ({
      of: `#${name}`,
      members: subscribers,
      now: state.channels.get(id)!.subscribers,
    })),
  ];
  for (const { of, members, now } of lists) {
    const expected = people.users.filter(
      (user) => done.has(`${of} + ${user}`) || (members.includes(user) && !done.has(`${of} - ${user}`)),
    );
    const present = people.users.filter((user) => now.has(user));
    const found = differ(of, present, expected);
    if (found) return found;
  }
  for (const { id, name } of people.channels) {
    const { name: called, description } = state.channels.get(id)!;
    const last = (word: string) => applied.filter((thing) => thing.startsWith(`#${name} ${word} `)).at(-1);
    const found =
      differ("name", [`#${name} called ${called}`], [last("called") ?? `#${name} called ${name}`]) ??
      differ("description", [`#${name} described ${description}`], [last("described") ?? `#${name} described `]);
    if (found) return found;
  }
  const those = (beginning: string) => applied.filter((thing) => thing.startsWith(beginning));
  return (
    differ(
      "folders",
      [...state.folders.values()].map(({ name }) => `folder ${name}`).sort(),
      those("folder ").sort(),
    ) ?? differ("drafts", [...state.drafts.values()].map(({ content }) => content).sort(), those("draft ").sort())
  );
}

export interface Failed {
  seed: number;
  breach: string;
}

/** Undefined if all rules hold. */
export async function checkSeed(seed: number, found: () => Promise<string | undefined>): Promise<Failed | undefined> {
  try {
    const breach = await found();
    return breach === undefined ? undefined : { seed, breach };
  } catch (error) {
    return { seed, breach: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

export const simulate = (seed: number): Promise<Failed | undefined> =>
  checkSeed(seed, async () => brokenRule(await playStory(seed)));

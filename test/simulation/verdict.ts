/** Whether what was told of each row is what became of it, and whether it was sent again only where that is allowed. */

import type { ChangeResult } from "../../src/engine/change.ts";
import { type Key, keyOf } from "../../src/engine/task.ts";
import { NeedsLogin } from "../../src/errors.ts";
import { entries } from "./law.ts";
import type { Attempt, Batch, Story } from "./life.ts";
import type { Passage } from "./network.ts";
import { type Part, readOf, targetOf, thingsOf } from "./organization.ts";

/** A request that asked for a thing, and who sent it. */
interface Asked extends Passage {
  by: Attempt;
  /** How many things it asked for. */
  size: number;
}

/** Among others, of other rows. */
const merged = ({ request }: Asked, { things }: Part): boolean =>
  thingsOf(request).some((thing) => !things.includes(thing));

/** Whether this is so, as an answer to a read of the group tells. */
function shows({ served }: Passage, thing: string): boolean {
  const [, sign, user] = thing.split(" ");
  const { members, subscribers = [] } = JSON.parse(served!.text) as { members?: number[]; subscribers?: number[] };
  return (members ?? subscribers).includes(Number(user)) === (sign === "+");
}

/** What a process was told when it read the group of a thing. */
const readings = ({ passages }: Attempt, thing: string): Passage[] =>
  passages.filter(
    (passage) =>
      passage.request.method === "GET" &&
      new URL(passage.request.url).pathname.endsWith(readOf(thing)) &&
      passage.served?.status === 200 &&
      heard(passage),
  );

/** A request was refused, and the read that came next showed why this part of it had to be. */
const judged = ({ things }: Part, all: readonly Asked[]): boolean =>
  all.some((asked) => {
    if (!refused(asked) || !heard(asked)) return false;
    const { by, over, request } = asked;
    const next = by.passages.find(
      ({ left, request: { url, method } }) => left >= over! && method !== "GET" && url === request.url,
    );
    return readings(by, things[0]!).some(
      (reading) =>
        reading.left >= over! &&
        reading.left <= (next?.left ?? Number.POSITIVE_INFINITY) &&
        things.some((thing) => shows(reading, thing)),
    );
  });

/** Milliseconds within which a process that heard an answer has it on disk. */
const writing = 150;
/** Milliseconds for which a membership change must have been looked for before it counts as lost. */
const settling = 60_000;

const applied = ({ served }: Passage): boolean => served?.status === 200;
const refused = ({ served }: Passage): boolean => served !== undefined && served.status >= 400;
const heard = ({ told, answered }: Passage): boolean => told && answered;
/** Whoever goes on from here knows as much as the process that sent it. */
const kept = ({ told, over, by }: Asked): boolean => told && by.process.ceased - over! > writing;
/** Whoever goes on from here knows the answer. */
const certain = (asked: Asked): boolean => heard(asked) && kept(asked);
/** It may have been applied, for all that whoever goes on from here must know. */
const doubtful = (asked: Asked): boolean => !(asked.stayed ? kept(asked) : certain(asked));

const show = (asked: Asked): string => {
  const { left, over, served, answered, stayed } = asked;
  const judged = served ? `served ${served.at.toFixed(0)}: ${served.status} ${served.text.trim()}` : "not served";
  const how = certain(asked) ? "heard" : answered ? "answered" : "no answer";
  return `${left.toFixed(0)}-${over?.toFixed(0)}${stayed ? " (it did nothing)" : ""}, ${judged}, ${how}`;
};

/** The pieces that were ever recorded in one request with one of which reading cannot tell whether it was applied. */
function muddled(story: Story, batch: Batch): Set<Key> {
  const unclear = new Set<Key>(
    batch.wishes.flatMap(({ row: { row }, parts }) =>
      parts.flatMap(({ muddling }, n) => (muddling ? [keyOf(row, n)] : [])),
    ),
  );
  return new Set(
    entries(story, batch).flatMap((entry) =>
      "sent" in entry && entry.rows.some((key) => unclear.has(key)) ? entry.rows : [],
    ),
  );
}

export function rows(story: Story, batch: Batch): string | undefined {
  const asked = new Map<string, Asked[]>();
  for (const by of batch.attempts)
    for (const passage of by.passages) {
      const things = thingsOf(passage.request);
      for (const thing of things) {
        const all = asked.get(thing) ?? [];
        all.push({ ...passage, by, size: things.length });
        asked.set(thing, all);
      }
    }
  const unclear = muddled(story, batch);
  const recorded = new Map<Key, number>();
  for (const entry of entries(story, batch))
    if ("sent" in entry) for (const key of entry.rows) recorded.set(key, (recorded.get(key) ?? 0) + 1);
  for (const [n, { row, parts }] of batch.wishes.entries())
    for (const [part, wish] of parts.entries()) {
      const key = keyOf(row.row, part);
      const told = batch.attempts.map(({ finished }) => finished[n]?.results[part]);
      const { outcome } = told.at(-1)!;
      const kept = withoutAdditions(batch, n, part);
      if (kept) {
        const sent = wish.things.flatMap((thing) => (asked.get(thing) ?? []).filter(({ stayed }) => !stayed));
        if (sent.length) return `${key} was sent, although ${kept} before it is not done`;
        if (outcome === "not_sent") continue;
      }
      for (const thing of wish.things) {
        const all = (asked.get(thing) ?? []).sort((one, other) => one.left - other.left);
        const unsent = (recorded.get(key) ?? 0) > all.length;
        if (outcome === "not_sent" && nameless(batch, thing) && !all.some((one) => applied(one) && certain(one)))
          continue;
        const found =
          answered(story, thing, told.at(-1)!) ??
          verdict(wish, outcome, all, { unclear: unclear.has(key), unsent }) ??
          repetition(wish, all, { attempts: batch.attempts, unsent }) ??
          batch.attempts.map((by, n) => before(wish, told[n], by, all, outcome)).find((each) => each);
        if (found) return `${key} (${thing}), ${outcome}: ${found}\n  ${all.map(show).join("\n  ")}`;
      }
    }
  return undefined;
}

/** Where a change is a removal: the key of an addition of its row that is not done. */
function withoutAdditions({ wishes, attempts }: Batch, n: number, part: number): Key | undefined {
  const wish = wishes[n];
  if (!wish?.row.changes[part]?.afterAdditions) return undefined;
  const results = attempts.at(-1)?.finished[n]?.results;
  const open = wish.row.changes.findIndex(
    (change, at) => at < part && !change.afterAdditions && results?.[at]?.outcome !== "done",
  );
  return open < 0 ? undefined : keyOf(wish.row.row, open);
}

/**
 * It is told by the name of its channel, which a rename that is not known to be done leaves open; so does one without an
 * answer that was repeated, since it may still arrive.
 */
const nameless = ({ wishes, attempts }: Batch, thing: string): boolean =>
  / [+-] /.test(thing) &&
  wishes.some(({ parts }, n) =>
    parts.some(
      ({ things }, part) =>
        things[0]!.startsWith(`${targetOf(thing)} called `) &&
        (attempts.at(-1)!.finished[n]?.results[part]?.outcome !== "done" ||
          attempts.some(({ passages }) =>
            passages.some((one) => !one.stayed && !heard(one) && thingsOf(one.request).includes(things[0]!)),
          )),
    ),
  );

/** Each draft's row is told that draft's own id, where an answer came. */
function answered({ state }: Story, thing: string, told: ChangeResult): string | undefined {
  if (!thing.startsWith("draft ") || told.outcome !== "done") return undefined;
  const made = [...state.drafts.values()].filter(({ content }) => content === thing).map(({ id }) => String(id));
  const { ids } = told.answer as { ids: number[] };
  return made.includes(ids.join()) ? undefined : `its ids are ${ids} and not ${made}`;
}

interface Known {
  /** It was in one request with something of which reading cannot tell. */
  unclear: boolean;
  /** A request that never left was recorded: nobody lived to send it, and nobody can know that. */
  unsent: boolean;
}

/** Of what the last run told. */
function verdict(wish: Part, outcome: string, all: readonly Asked[], { unclear, unsent }: Known): string | undefined {
  const { membership, vain, possible } = wish;
  const times = all.filter(applied).length;
  const doubts = unsent || all.some(doubtful);
  // A subscription that is so already is not refused when it is repeated.
  const repeatable = !membership || wish.things[0]!.startsWith("#");
  const retried = repeatable && doubts && all.some(({ by }) => by.retryUnknown);
  const alone = (asked: Asked) => refused(asked) && heard(asked) && !merged(asked, wish);
  if (times > 1 && !retried) return `applied ${times} times`;
  if (all.some((asked) => applied(asked) && certain(asked)) && outcome !== "done") return "although it was answered";
  switch (outcome) {
    case "done":
      if (all.some((asked) => applied(asked) && heard(asked))) return undefined;
      return membership && doubts && (times > 0 || vain) ? undefined : "although no answer says so";
    case "refused":
      if (times > 0) return "applied nevertheless";
      if (possible) return "although nothing is wrong with it";
      return all.some(alone) || judged(wish, all) ? undefined : "although it was not refused by itself";
    case "unknown":
      if (!doubts) return "although every request was answered";
      return membership && !unclear ? "a membership change that no reading settled" : undefined;
    default:
      return "the last run must come to a verdict";
  }
}

/** Of what an earlier run told: it stays true. */
function before(
  { membership, vain }: Part,
  told: { outcome: string; failure?: unknown } | undefined,
  by: Attempt,
  all: readonly Asked[],
  last: string,
): string | undefined {
  if (told?.outcome === "done" || (told?.outcome === "refused" && !(told.failure instanceof NeedsLogin))) {
    // A journal that could no longer be written keeps no answer.
    const lost = (last === "unknown" || (vain && last === "done")) && by.process.ceased < by.over;
    // Another run has taken over and repeated it, and what came later than that was refused for it.
    const overtaken =
      told.outcome === "refused" &&
      by.process.robbed.size > 0 &&
      all.some(({ by: other }) => other !== by && other.retryUnknown);
    return told.outcome === last || lost || overtaken
      ? undefined
      : `it was ${told.outcome} in the run at ${by.began.toFixed(0)}`;
  }
  if (told?.outcome !== "not_sent") return undefined;
  // Whoever has lost the journal tells of itself alone: another run may have sent it since.
  const alone = by.process.robbed.size > 0;
  const sent = all.filter((asked) => asked.left < by.over && (!alone || asked.by === by));
  const why = `it was not sent in the run at ${by.began.toFixed(0)}`;
  if (sent.some(applied)) return `${why}, but applied`;
  return !membership && sent.some((asked) => !asked.stayed && !heard(asked))
    ? `${why}, which nobody can know`
    : undefined;
}

/** For how many milliseconds of one run reading has shown nothing of a membership change before it was sent again. */
function looked(attempts: readonly Attempt[], last: Asked, next: Asked): number {
  const read = readOf(thingsOf(next.request)[0]!);
  const spans = attempts.map(({ passages }) => {
    const reads = passages.filter(
      (passage) =>
        passage.request.method === "GET" &&
        new URL(passage.request.url).pathname.endsWith(read) &&
        passage.left > last.left &&
        (passage.over ?? Number.POSITIVE_INFINITY) <= next.left &&
        heard(passage) &&
        !passage.stayed,
    );
    return reads.length ? reads.at(-1)!.left - Math.min(...reads.map(({ over }) => over!)) : 0;
  });
  return Math.max(...spans);
}

/** A thing is asked for again only where that is certain to do no harm, or wished for. */
function repetition(
  wish: Part,
  all: readonly Asked[],
  { attempts, unsent }: { attempts: readonly Attempt[]; unsent: boolean },
): string | undefined {
  const { membership } = wish;
  const left = all.filter(({ stayed }) => !stayed);
  for (const [n, next] of left.entries()) {
    const last = left[n - 1];
    if (!last) continue;
    const other = next.by !== last.by;
    const since = next.left - last.left;
    const doubts = unsent || all.some((asked) => asked.left < next.left && doubtful(asked));
    if (applied(last) && certain(last)) return "sent again after it was done";
    if (doubts && other && next.by.retryUnknown) continue;
    if (refused(last) && heard(last)) {
      if (merged(last, wish)) {
        // The halves of a refused whole, unless nobody lived to write that down.
        if (next.size >= last.size && !other) return "sent again with no fewer others after they were refused";
        continue;
      }
      // The refusal of a repetition, where the read that must follow failed, is settled by a later run.
      const settled = membership && other && doubts && (since >= settling || !certain(last));
      if (!settled && (certain(last) || !other)) return "sent again after it was refused";
    }
    if (!membership) return `sent again after ${since.toFixed(0)} ms without being asked to`;
    if (applied(last) && last.served!.at < next.left - 5000) return "sent again although it had been applied";
    const span = looked(attempts, last, next);
    if (span < settling - 1) return `sent again after it was looked for ${span.toFixed(0)} ms`;
  }
  return undefined;
}

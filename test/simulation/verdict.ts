/** Checks that each row has its true result, and was sent again only if that is allowed. */

import type { ChangeResult } from "../../src/engine/change.ts";
import { type Key, keyOf } from "../../src/engine/task.ts";
import { NeedsLogin } from "../../src/errors.ts";
import { entries } from "./law.ts";
import type { Attempt, Batch, Story } from "./life.ts";
import type { Passage } from "./network.ts";
import { type Part, readOf, targetOf, thingsOf } from "./organization.ts";

/** A request for a thing, and the process that sent it. */
interface Delivery extends Passage {
  by: Attempt;
  /** The number of things in it. */
  size: number;
}

/** It has things of other rows too. */
const merged = ({ request }: Delivery, { things }: Part): boolean =>
  thingsOf(request).some((thing) => !things.includes(thing));

/** Returns whether an answer to a read shows the thing. */
function shows({ served }: Passage, thing: string): boolean {
  const [, sign, user] = thing.split(" ");
  const { members, subscribers = [] } = JSON.parse(served!.text) as { members?: number[]; subscribers?: number[] };
  return (members ?? subscribers).includes(Number(user)) === (sign === "+");
}

/** Returns the answers to reads of the list of a thing. */
const readings = ({ passages }: Attempt, thing: string): Passage[] =>
  passages.filter(
    (passage) =>
      passage.request.method === "GET" &&
      new URL(passage.request.url).pathname.endsWith(readOf(thing)) &&
      passage.served?.status === 200 &&
      heard(passage),
  );

/** A request was refused, and the next read showed why this part was. */
const explained = ({ things }: Part, all: readonly Delivery[]): boolean =>
  all.some((delivery) => {
    if (!refused(delivery) || !heard(delivery)) return false;
    const { by, over, request } = delivery;
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

/** A process has an answer on disk after so many milliseconds. */
const writing = 150;
/** A membership change counts as lost after so many milliseconds of reads. */
const settling = 60_000;

const applied = ({ served }: Passage): boolean => served?.status === 200;
const refused = ({ served }: Passage): boolean => served !== undefined && served.status >= 400;
const heard = ({ told, answered }: Passage): boolean => told && answered;
/** A later process knows as much as the process that sent it. */
const kept = ({ told, over, by }: Delivery): boolean => told && by.process.ceased - over! > writing;
/** A later process knows the answer. */
const certain = (delivery: Delivery): boolean => heard(delivery) && kept(delivery);
/** A later process cannot know whether it was applied. */
const doubtful = (delivery: Delivery): boolean => !(delivery.stayed ? kept(delivery) : certain(delivery));

const show = (delivery: Delivery): string => {
  const { left, over, served, answered, stayed } = delivery;
  const explained = served ? `served ${served.at.toFixed(0)}: ${served.status} ${served.text.trim()}` : "not served";
  const how = certain(delivery) ? "heard" : answered ? "answered" : "no answer";
  return `${left.toFixed(0)}-${over?.toFixed(0)}${stayed ? " (it did nothing)" : ""}, ${explained}, ${how}`;
};

/** Returns the changes that shared a request with one that no read can settle. */
function muddled(story: Story, batch: Batch): Set<Key> {
  const unclear = new Set<Key>(
    batch.planned.flatMap(({ row: { row }, parts }) =>
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
  const deliveries = new Map<string, Delivery[]>();
  for (const by of batch.attempts)
    for (const passage of by.passages) {
      const things = thingsOf(passage.request);
      for (const thing of things) {
        const all = deliveries.get(thing) ?? [];
        all.push({ ...passage, by, size: things.length });
        deliveries.set(thing, all);
      }
    }
  const unclear = muddled(story, batch);
  const recorded = new Map<Key, number>();
  for (const entry of entries(story, batch))
    if ("sent" in entry) for (const key of entry.rows) recorded.set(key, (recorded.get(key) ?? 0) + 1);
  for (const [n, { row, parts }] of batch.planned.entries())
    for (const [part, piece] of parts.entries()) {
      const key = keyOf(row.row, part);
      const reported = batch.attempts.map(({ finished }) => finished[n]?.results[part]);
      const { outcome } = reported.at(-1)!;
      const kept = withoutAdditions(batch, n, part);
      if (kept) {
        const sent = piece.things.flatMap((thing) => (deliveries.get(thing) ?? []).filter(({ stayed }) => !stayed));
        if (sent.length) return `${key} was sent, although ${kept} before it is not done`;
        if (outcome === "not_sent") continue;
      }
      for (const thing of piece.things) {
        const all = (deliveries.get(thing) ?? []).sort((one, other) => one.left - other.left);
        const unsent = (recorded.get(key) ?? 0) > all.length;
        if (outcome === "not_sent" && nameless(batch, thing) && !all.some((one) => applied(one) && certain(one)))
          continue;
        const found =
          answered(story, thing, reported.at(-1)!) ??
          verdict(piece, outcome, all, { unclear: unclear.has(key), unsent }) ??
          repetition(piece, all, { attempts: batch.attempts, unsent }) ??
          batch.attempts.map((by, n) => before(piece, reported[n], by, all, outcome)).find((each) => each);
        if (found) return `${key} (${thing}), ${outcome}: ${found}\n  ${all.map(show).join("\n  ")}`;
      }
    }
  return undefined;
}

/** Returns for a removal the key of an addition of its row that is not done. */
function withoutAdditions({ planned, attempts }: Batch, n: number, part: number): Key | undefined {
  const piece = planned[n];
  if (!piece?.row.changes[part]?.afterAdditions) return undefined;
  const results = attempts.at(-1)?.finished[n]?.results;
  const open = piece.row.changes.findIndex(
    (change, at) => at < part && !change.afterAdditions && results?.[at]?.outcome !== "done",
  );
  return open < 0 ? undefined : keyOf(piece.row.row, open);
}

/** Its request has the name of a channel, and it is unknown whether a rename of that channel is done or may still come. */
const nameless = ({ planned, attempts }: Batch, thing: string): boolean =>
  / [+-] /.test(thing) &&
  planned.some(({ parts }, n) =>
    parts.some(
      ({ things }, part) =>
        things[0]!.startsWith(`${targetOf(thing)} called `) &&
        (attempts.at(-1)!.finished[n]?.results[part]?.outcome !== "done" ||
          attempts.some(({ passages }) =>
            passages.some((one) => !one.stayed && !heard(one) && thingsOf(one.request).includes(things[0]!)),
          )),
    ),
  );

/** The row of a draft has the id of that draft. */
function answered({ state }: Story, thing: string, reported: ChangeResult): string | undefined {
  if (!thing.startsWith("draft ") || reported.outcome !== "done") return undefined;
  const made = [...state.drafts.values()].filter(({ content }) => content === thing).map(({ id }) => String(id));
  const { ids } = reported.answer as { ids: number[] };
  return made.includes(ids.join()) ? undefined : `its ids are ${ids} and not ${made}`;
}

interface Known {
  /** It shared a request with a change that no read can settle. */
  unclear: boolean;
  /** A request was recorded and not sent, which no later process can know. */
  unsent: boolean;
}

/** Checks the result of the last run. */
function verdict(
  piece: Part,
  outcome: string,
  all: readonly Delivery[],
  { unclear, unsent }: Known,
): string | undefined {
  const { membership, vain, possible } = piece;
  const times = all.filter(applied).length;
  const doubts = unsent || all.some(doubtful);
  // A subscription that is so already is not refused when it is repeated.
  const repeatable = !membership || piece.things[0]!.startsWith("#");
  const retried = repeatable && doubts && all.some(({ by }) => by.retryUnknown);
  const alone = (delivery: Delivery) => refused(delivery) && heard(delivery) && !merged(delivery, piece);
  if (times > 1 && !retried) return `applied ${times} times`;
  if (all.some((delivery) => applied(delivery) && certain(delivery)) && outcome !== "done")
    return "although it was answered";
  switch (outcome) {
    case "done":
      if (all.some((delivery) => applied(delivery) && heard(delivery))) return undefined;
      return membership && doubts && (times > 0 || vain) ? undefined : "although no answer says so";
    case "refused":
      if (times > 0) return "applied nevertheless";
      if (possible) return "although nothing is wrong with it";
      return all.some(alone) || explained(piece, all) ? undefined : "although it was not refused by itself";
    case "unknown":
      if (!doubts) return "although every request was answered";
      return membership && !unclear ? "a membership change that no reading settled" : undefined;
    default:
      return "the last run must come to a verdict";
  }
}

/** Checks the result of an earlier run: it stays true. */
function before(
  { membership, vain }: Part,
  reported: { outcome: string; failure?: unknown } | undefined,
  by: Attempt,
  all: readonly Delivery[],
  last: string,
): string | undefined {
  if (reported?.outcome === "done" || (reported?.outcome === "refused" && !(reported.failure instanceof NeedsLogin))) {
    // A journal that could no longer be written keeps no answer.
    const lost = (last === "unknown" || (vain && last === "done")) && by.process.ceased < by.over;
    // Another run has taken over and repeated it, and what came later than that was refused for it.
    const overtaken =
      reported.outcome === "refused" &&
      by.process.robbed.size > 0 &&
      all.some(({ by: other }) => other !== by && other.retryUnknown);
    return reported.outcome === last || lost || overtaken
      ? undefined
      : `it was ${reported.outcome} in the run at ${by.began.toFixed(0)}`;
  }
  if (reported?.outcome !== "not_sent") return undefined;
  // Whoever has lost the journal tells of itself alone: another run may have sent it since.
  const alone = by.process.robbed.size > 0;
  const sent = all.filter((delivery) => delivery.left < by.over && (!alone || delivery.by === by));
  const why = `it was not sent in the run at ${by.began.toFixed(0)}`;
  if (sent.some(applied)) return `${why}, but applied`;
  return !membership && sent.some((delivery) => !delivery.stayed && !heard(delivery))
    ? `${why}, which nobody can know`
    : undefined;
}

/** Returns for how many milliseconds of one run reads showed nothing before the change was sent again. */
function looked(attempts: readonly Attempt[], last: Delivery, next: Delivery): number {
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

/** A change is sent again only if it certainly did nothing, or with --retry-unknown. */
function repetition(
  piece: Part,
  all: readonly Delivery[],
  { attempts, unsent }: { attempts: readonly Attempt[]; unsent: boolean },
): string | undefined {
  const { membership } = piece;
  const left = all.filter(({ stayed }) => !stayed);
  for (const [n, next] of left.entries()) {
    const last = left[n - 1];
    if (!last) continue;
    const other = next.by !== last.by;
    const since = next.left - last.left;
    const doubts = unsent || all.some((delivery) => delivery.left < next.left && doubtful(delivery));
    if (applied(last) && certain(last)) return "sent again after it was done";
    if (doubts && other && next.by.retryUnknown) continue;
    if (refused(last) && heard(last)) {
      if (merged(last, piece)) {
        // The halves of a refused whole, unless nobody lived to write that down.
        if (next.size >= last.size && !other) return "sent again with no fewer others after they were refused";
        continue;
      }
      // The refusal of a repetition, where the read that must follow failed, is settled by a later run.
      const settled = membership && other && doubts && (since >= settling || !certain(last));
      if (!settled && (certain(last) || !other)) return "sent again after it was refused";
    }
    if (!membership) return `sent again after ${since.toFixed(0)} ms without being delivery to`;
    if (applied(last) && last.served!.at < next.left - 5000) return "sent again although it had been applied";
    const span = looked(attempts, last, next);
    if (span < settling - 1) return `sent again after it was looked for ${span.toFixed(0)} ms`;
  }
  return undefined;
}

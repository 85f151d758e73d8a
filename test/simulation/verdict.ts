/** Checks that each row has its true result, and was sent again only if that is allowed. */

import type { ChangeResult } from "../../src/engine/change.ts";
import { type TaskKey, taskKey } from "../../src/engine/task.ts";
import { NeedsLogin } from "../../src/errors.ts";
import type { Transfer } from "./network.ts";
import { type Part, readOf, targetOf, thingsOf } from "./organization.ts";
import { type Attempt, type Batch, entries, type Story } from "./story.ts";

/** A request for a thing, and the process that sent it. */
interface Delivery extends Transfer {
  by: Attempt;
  /** The number of things in it. */
  size: number;
}

/** Whether it also has things of other rows. */
const isMerged = ({ request }: Delivery, { things }: Part): boolean =>
  thingsOf(request).some((thing) => !things.includes(thing));

/** Returns whether an answer to a read shows the thing. */
function isListed({ served }: Transfer, thing: string): boolean {
  const [, sign, user] = thing.split(" ");
  const { members, subscribers = [] } = JSON.parse(served!.text) as { members?: number[]; subscribers?: number[] };
  return (members ?? subscribers).includes(Number(user)) === (sign === "+");
}

/** Returns the answers to reads of the list of a thing. */
const readsOf = ({ passages }: Attempt, thing: string): Transfer[] =>
  passages.filter(
    (passage) =>
      passage.request.method === "GET" &&
      new URL(passage.request.url).pathname.endsWith(readOf(thing)) &&
      passage.served?.status === 200 &&
      hasSeenAnswer(passage),
  );

/** A request was refused, and the next read showed the reason for this part. */
const isExplained = ({ things }: Part, all: readonly Delivery[]): boolean =>
  all.some((delivery) => {
    if (!isRefused(delivery) || !hasSeenAnswer(delivery)) return false;
    const { by, settledAt, request } = delivery;
    const next = by.passages.find(
      ({ sentAt, request: { url, method } }) => sentAt >= settledAt! && method !== "GET" && url === request.url,
    );
    return readsOf(by, things[0]!).some(
      (reading) =>
        reading.sentAt >= settledAt! &&
        reading.sentAt <= (next?.sentAt ?? Number.POSITIVE_INFINITY) &&
        things.some((thing) => isListed(reading, thing)),
    );
  });

/** The milliseconds until an answer is on disk. */
const writeTime = 150;
/** The milliseconds of reads after which a membership change counts as lost. */
const settleTime = 60_000;

const isApplied = ({ served }: Transfer): boolean => served?.status === 200;
const isRefused = ({ served }: Transfer): boolean => served !== undefined && served.status >= 400;
const hasSeenAnswer = ({ isSettled, hasAnswer }: Transfer): boolean => isSettled && hasAnswer;
/** Whether a later process knows as much as the sender. */
const isRecorded = ({ isSettled, settledAt, by }: Delivery): boolean =>
  isSettled && by.process.unreliableFrom - settledAt! > writeTime;
/** Whether a later process knows the answer. */
const isKnownLater = (delivery: Delivery): boolean => hasSeenAnswer(delivery) && isRecorded(delivery);
/** Whether a later process cannot know if it was applied. */
const isUncertain = (delivery: Delivery): boolean =>
  !(delivery.didNothing ? isRecorded(delivery) : isKnownLater(delivery));

const show = (delivery: Delivery): string => {
  const { sentAt, settledAt, served, hasAnswer, didNothing } = delivery;
  const explained = served ? `served ${served.at.toFixed(0)}: ${served.status} ${served.text.trim()}` : "not served";
  const how = isKnownLater(delivery) ? "heard" : hasAnswer ? "answered" : "no answer";
  return `${sentAt.toFixed(0)}-${settledAt?.toFixed(0)}${didNothing ? " (it did nothing)" : ""}, ${explained}, ${how}`;
};

/** Returns the changes that shared a request with one that no read can settle. */
function unclearKeys(story: Story, batch: Batch): Set<TaskKey> {
  const unclear = new Set<TaskKey>(
    batch.planned.flatMap(({ row: { row }, parts }) =>
      parts.flatMap(({ muddling }, n) => (muddling ? [taskKey(row, n)] : [])),
    ),
  );
  return new Set(
    entries(story, batch).flatMap((entry) =>
      "sent" in entry && entry.rows.some((key) => unclear.has(key)) ? entry.rows : [],
    ),
  );
}

export function checkRows(story: Story, batch: Batch): string | undefined {
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
  const unclear = unclearKeys(story, batch);
  const recorded = new Map<TaskKey, number>();
  for (const entry of entries(story, batch))
    if ("sent" in entry) for (const key of entry.rows) recorded.set(key, (recorded.get(key) ?? 0) + 1);
  for (const [n, { row, parts }] of batch.planned.entries())
    for (const [part, piece] of parts.entries()) {
      const key = taskKey(row.row, part);
      const reported = batch.attempts.map(({ finished }) => finished[n]?.results[part]);
      const { outcome } = reported.at(-1)!;
      const kept = openAddition(batch, n, part);
      if (kept) {
        const sent = piece.things.flatMap((thing) =>
          (deliveries.get(thing) ?? []).filter(({ didNothing }) => !didNothing),
        );
        if (sent.length) return `${key} was sent, although ${kept} before it is not done`;
        if (outcome === "not_sent") continue;
      }
      for (const thing of piece.things) {
        const all = (deliveries.get(thing) ?? []).sort((one, other) => one.sentAt - other.sentAt);
        const unsent = (recorded.get(key) ?? 0) > all.length;
        if (
          outcome === "not_sent" &&
          isNameUnknown(batch, thing) &&
          !all.some((one) => isApplied(one) && isKnownLater(one))
        )
          continue;
        const found =
          wrongIds(story, thing, reported.at(-1)!) ??
          checkResult(piece, outcome, all, { unclear: unclear.has(key), unsent }) ??
          checkRepetition(piece, all, { attempts: batch.attempts, unsent }) ??
          batch.attempts.map((by, n) => checkEarlierResult(piece, reported[n], by, all, outcome)).find((each) => each);
        if (found) return `${key} (${thing}), ${outcome}: ${found}\n  ${all.map(show).join("\n  ")}`;
      }
    }
  return undefined;
}

/** Returns for a removal the key of an addition of its row that is not done. */
function openAddition({ planned, attempts }: Batch, n: number, part: number): TaskKey | undefined {
  const piece = planned[n];
  if (!piece?.row.changes[part]?.afterAdditions) return undefined;
  const results = attempts.at(-1)?.finished[n]?.results;
  const open = piece.row.changes.findIndex(
    (change, at) => at < part && !change.afterAdditions && results?.[at]?.outcome !== "done",
  );
  return open < 0 ? undefined : taskKey(piece.row.row, open);
}

/** Whether its request names a channel whose rename may still be pending. */
const isNameUnknown = ({ planned, attempts }: Batch, thing: string): boolean =>
  / [+-] /.test(thing) &&
  planned.some(({ parts }, n) =>
    parts.some(
      ({ things }, part) =>
        things[0]!.startsWith(`${targetOf(thing)} called `) &&
        (attempts.at(-1)!.finished[n]?.results[part]?.outcome !== "done" ||
          attempts.some(({ passages }) =>
            passages.some(
              (one) => !one.didNothing && !hasSeenAnswer(one) && thingsOf(one.request).includes(things[0]!),
            ),
          )),
    ),
  );

/** Checks that the row of a draft has the id of that draft. */
function wrongIds({ state }: Story, thing: string, reported: ChangeResult): string | undefined {
  if (!thing.startsWith("draft ") || reported.outcome !== "done") return undefined;
  const made = [...state.drafts.values()].filter(({ content }) => content === thing).map(({ id }) => String(id));
  const { ids } = reported.answer as { ids: number[] };
  return made.includes(ids.join()) ? undefined : `its ids are ${ids} and not ${made}`;
}

interface Uncertainty {
  /** It shared a request with a change that no read can check. */
  unclear: boolean;
  /** A request was recorded and not sent. No later process can know that. */
  unsent: boolean;
}

/** Checks the result of the last run. */
function checkResult(
  piece: Part,
  outcome: string,
  all: readonly Delivery[],
  { unclear, unsent }: Uncertainty,
): string | undefined {
  const { membership, vain, possible } = piece;
  const times = all.filter(isApplied).length;
  const doubts = unsent || all.some(isUncertain);
  // Repeating a subscription is not refused.
  const repeatable = !membership || piece.things[0]!.startsWith("#");
  const retried = repeatable && doubts && all.some(({ by }) => by.retryUnknown);
  const alone = (delivery: Delivery) => isRefused(delivery) && hasSeenAnswer(delivery) && !isMerged(delivery, piece);
  if (times > 1 && !retried) return `applied ${times} times`;
  if (all.some((delivery) => isApplied(delivery) && isKnownLater(delivery)) && outcome !== "done")
    return "although it was answered";
  switch (outcome) {
    case "done":
      if (all.some((delivery) => isApplied(delivery) && hasSeenAnswer(delivery))) return undefined;
      return membership && doubts && (times > 0 || vain) ? undefined : "although no answer says so";
    case "refused":
      if (times > 0) return "applied nevertheless";
      if (possible) return "although nothing is wrong with it";
      return all.some(alone) || isExplained(piece, all) ? undefined : "although it was not refused by itself";
    case "unknown":
      if (!doubts) return "although every request was answered";
      return membership && !unclear ? "a membership change that no reading settled" : undefined;
    default:
      return "the last run must come to a verdict";
  }
}

/** Checks the result of an earlier run: it stays true. */
function checkEarlierResult(
  { membership, vain }: Part,
  reported: { outcome: string; failure?: unknown } | undefined,
  by: Attempt,
  all: readonly Delivery[],
  last: string,
): string | undefined {
  if (reported?.outcome === "done" || (reported?.outcome === "refused" && !(reported.failure instanceof NeedsLogin))) {
    // A journal that cannot be written has no answer.
    const lost = (last === "unknown" || (vain && last === "done")) && by.process.unreliableFrom < by.over;
    // Another run took over and repeated it, so the later request was refused.
    const overtaken =
      reported.outcome === "refused" &&
      by.process.lostLocks.size > 0 &&
      all.some(({ by: other }) => other !== by && other.retryUnknown);
    return reported.outcome === last || lost || overtaken
      ? undefined
      : `it was ${reported.outcome} in the run at ${by.began.toFixed(0)}`;
  }
  if (reported?.outcome !== "not_sent") return undefined;
  // A process that lost the journal reports only its own requests: another run may have sent it since.
  const alone = by.process.lostLocks.size > 0;
  const sent = all.filter((delivery) => delivery.sentAt < by.over && (!alone || delivery.by === by));
  const why = `it was not sent in the run at ${by.began.toFixed(0)}`;
  if (sent.some(isApplied)) return `${why}, but applied`;
  return !membership && sent.some((delivery) => !delivery.didNothing && !hasSeenAnswer(delivery))
    ? `${why}, which nobody can know`
    : undefined;
}

/** Returns for how many milliseconds of one run reads showed nothing before the change was sent again. */
function searchedFor(attempts: readonly Attempt[], last: Delivery, next: Delivery): number {
  const read = readOf(thingsOf(next.request)[0]!);
  const spans = attempts.map(({ passages }) => {
    const reads = passages.filter(
      (passage) =>
        passage.request.method === "GET" &&
        new URL(passage.request.url).pathname.endsWith(read) &&
        passage.sentAt > last.sentAt &&
        (passage.settledAt ?? Number.POSITIVE_INFINITY) <= next.sentAt &&
        hasSeenAnswer(passage) &&
        !passage.didNothing,
    );
    return reads.length ? reads.at(-1)!.sentAt - Math.min(...reads.map(({ settledAt }) => settledAt!)) : 0;
  });
  return Math.max(...spans);
}

/** A change is sent again only if it certainly did nothing, or with --retry-unknown. */
function checkRepetition(
  piece: Part,
  all: readonly Delivery[],
  { attempts, unsent }: { attempts: readonly Attempt[]; unsent: boolean },
): string | undefined {
  const { membership } = piece;
  const left = all.filter(({ didNothing }) => !didNothing);
  for (const [n, next] of left.entries()) {
    const last = left[n - 1];
    if (!last) continue;
    const other = next.by !== last.by;
    const since = next.sentAt - last.sentAt;
    const doubts = unsent || all.some((delivery) => delivery.sentAt < next.sentAt && isUncertain(delivery));
    if (isApplied(last) && isKnownLater(last)) return "sent again after it was done";
    if (doubts && other && next.by.retryUnknown) continue;
    if (isRefused(last) && hasSeenAnswer(last)) {
      if (isMerged(last, piece)) {
        // A refused request is split in halves, unless the process died before recording that.
        if (next.size >= last.size && !other) return "sent again with no fewer others after they were refused";
        continue;
      }
      // If the read after a refused repetition failed, a later run checks it.
      const settled = membership && other && doubts && (since >= settleTime || !isKnownLater(last));
      if (!settled && (isKnownLater(last) || !other)) return "sent again after it was refused";
    }
    if (!membership) return `sent again after ${since.toFixed(0)} ms without being delivery to`;
    if (isApplied(last) && last.served!.at < next.sentAt - 5000) return "sent again although it had been applied";
    const span = searchedFor(attempts, last, next);
    if (span < settleTime - 1) return `sent again after it was looked for ${span.toFixed(0)} ms`;
  }
  return undefined;
}

/** Compares the results that the last run printed with what the server received and holds. */
import { type DesiredRow, thingsOf } from "./organization.ts";
import type { RelayedRequest } from "./relay.ts";

/** A record of the result. */
export interface RowResult {
  row: number;
  outcome: string;
}

export interface KilledRuns {
  rows: readonly DesiredRow[];
  results: readonly RowResult[];
  /** The results that killed runs printed. */
  earlierResults: readonly RowResult[];
  /** All changes that arrived, in order. */
  requests: readonly RelayedRequest[];
  /** The number of the run that was not killed. */
  lastRun: number;
  /** By row, the number of requests in the journal. */
  journaled: ReadonlyMap<number, number>;
  /** The things on the server. Duplicates are listed each time. */
  existing: readonly string[];
}

const isApplied = ({ status }: RelayedRequest): boolean => status === 200;
const isRefused = ({ status }: RelayedRequest): boolean => status !== undefined && status >= 400;
const describeRequest = ({ run, status, isAnswered }: RelayedRequest): string =>
  `run ${run}: ${status ?? "lost"}${isAnswered ? "" : " without an answer"}`;

/** Describes each violation. */
export function violations(runs: KilledRuns): string[] {
  const { rows, results, earlierResults, requests, lastRun, journaled, existing } = runs;
  const found: string[] = [];
  const printed = results.map(({ row }) => row);
  if (printed.join() !== rows.map((_, n) => n + 1).join()) found.push(`the printed rows are ${printed}`);
  const targets = new Map(rows.map(({ thing, target }) => [thing, target]));
  const targetOf = (request: RelayedRequest) => targets.get(thingsOf(request)[0]!);
  /** The answer is on disk: the next request for the same target is recorded after it. */
  const isRecorded = (request: RelayedRequest) =>
    request.isAnswered &&
    requests
      .slice(requests.indexOf(request) + 1)
      .some((later) => later.run === request.run && targetOf(later) === targetOf(request));
  const isUncertain = (request: RelayedRequest) =>
    !(isRecorded(request) || (request.run === lastRun && request.isAnswered));
  for (const [n, { thing, isMembership, isPossible }] of rows.entries()) {
    const outcome = results[n]?.outcome;
    const own = requests.filter((request) => thingsOf(request).includes(thing));
    const times = own.filter(isApplied).length;
    const add = (what: string) =>
      found.push(`row ${n + 1} (${thing}), ${outcome}: ${what}; ${own.map(describeRequest).join(", ")}`);
    for (const { outcome: earlier } of earlierResults.filter(({ row }) => row === n + 1))
      if ((earlier === "done" || earlier === "refused") && earlier !== outcome)
        add(`an earlier run printed ${earlier}`);
    if (times > 1) add(`applied ${times} times`);
    // Each description replaces the one before it.
    if (!thing.startsWith("description")) {
      const copies = existing.filter((each) => each === thing).length;
      if (copies !== times) add(`it exists ${copies} times and was applied ${times} times`);
    }
    if (outcome === "done" && times !== 1) add("never applied");
    else if (outcome === "refused" && (times > 0 || isPossible)) add("the server would accept it");
    else if (outcome === "unknown" && isMembership) add("reading settles it");
    // A recorded request that was never sent looks like one that was lost.
    else if (outcome === "unknown" && (journaled.get(n + 1) ?? 0) <= own.length && !own.some(isUncertain))
      add("it was answered");
    else if (!["done", "refused", "unknown"].includes(outcome ?? "")) add("not a final outcome");
    for (const [at, next] of own.entries()) {
      const before = own[at - 1];
      if (!before) continue;
      if (isApplied(before)) add("sent again after it was applied");
      else if (isRefused(before) && !isUncertain(before) && thingsOf(before).length === 1)
        add("sent again after it was refused");
      else if (!isMembership && !isRefused(before)) add("sent again without --retry-unknown");
      else if (isRecorded(before) && before.run === next.run && thingsOf(next).length >= thingsOf(before).length)
        add("sent again with as many others");
    }
  }
  const descriptions = requests
    .filter((request) => isApplied(request) && thingsOf(request)[0]!.startsWith("description"))
    .flatMap(thingsOf);
  const final = descriptions.at(-1);
  if (final && !existing.includes(final)) found.push(`the channel does not have the description ${final}`);
  const order = rows.map(({ thing }) => thing).filter((thing) => descriptions.includes(thing));
  if (order.join() !== descriptions.join()) found.push(`descriptions came in the order ${descriptions}`);
  return found;
}

/** Whether what the last run told of its rows is what became of them. */
import type { Wish } from "./organization.ts";
import { thingsOf } from "./organization.ts";
import type { Seen } from "./relay.ts";

/** A record of the result. */
export interface Told {
  row: number;
  outcome: string;
}

export interface Case {
  wishes: readonly Wish[];
  told: readonly Told[];
  /** What runs told that were killed. */
  earlier: readonly Told[];
  /** All changes that arrived, in order. */
  seen: readonly Seen[];
  /** The number of the run that was not killed. */
  last: number;
  /** How many requests the journal records for each row. */
  recorded: ReadonlyMap<number, number>;
  /** What is there now, as often as it is. */
  present: readonly string[];
}

const applied = ({ status }: Seen): boolean => status === 200;
const refused = ({ status }: Seen): boolean => status !== undefined && status >= 400;

/** Every breach, in words. */
export function breaches({ wishes, told, earlier, seen, last, recorded, present }: Case): string[] {
  const found: string[] = [];
  const rows = told.map(({ row }) => row);
  if (rows.join() !== wishes.map((_, n) => n + 1).join()) found.push(`the rows told are ${rows}`);
  const targets = new Map(wishes.map(({ thing, target }) => [thing, target]));
  const targetOf = (one: Seen) => targets.get(thingsOf(one)[0]!);
  /** The program has it on disk: its next request for the same target is recorded after it. */
  const certain = (one: Seen) =>
    one.answered &&
    seen.slice(seen.indexOf(one) + 1).some((later) => later.run === one.run && targetOf(later) === targetOf(one));
  for (const [n, { thing, membership, possible }] of wishes.entries()) {
    const outcome = told[n]?.outcome;
    const all = seen.filter((one) => thingsOf(one).includes(thing));
    const times = all.filter(applied).length;
    const doubtful = (one: Seen) => !(certain(one) || (one.run === last && one.answered));
    const breach = (what: string) =>
      found.push(
        `row ${n + 1} (${thing}), ${outcome}: ${what}; ${all.map(({ run, status, answered }) => `run ${run}: ${status ?? "lost"}${answered ? "" : " without an answer"}`).join(", ")}`,
      );
    for (const { outcome: before } of earlier.filter(({ row }) => row === n + 1))
      if ((before === "done" || before === "refused") && before !== outcome) breach(`it was told as ${before}`);
    if (times > 1) breach(`applied ${times} times`);
    // Each description takes the place of the one before it.
    if (!thing.startsWith("description")) {
      const there = present.filter((each) => each === thing).length;
      if (there !== times) breach(`it is there ${there} times and was applied ${times} times`);
    }
    if (outcome === "done" && times !== 1) breach("never applied");
    else if (outcome === "refused" && (times > 0 || possible)) breach("nothing is wrong with it");
    else if (outcome === "unknown" && membership) breach("reading settles it");
    // A request that was recorded and never left cannot be told from one that was lost.
    else if (outcome === "unknown" && (recorded.get(n + 1) ?? 0) <= all.length && !all.some(doubtful))
      breach("it was answered");
    else if (!["done", "refused", "unknown"].includes(outcome ?? "")) breach("that is no end");
    for (const [at, next] of all.entries()) {
      const before = all[at - 1];
      if (!before) continue;
      if (applied(before)) breach("sent again after it was applied");
      else if (refused(before) && !doubtful(before) && thingsOf(before).length === 1)
        breach("sent again after it was refused");
      else if (!membership && !refused(before)) breach("sent again, and nobody asked for that");
      else if (certain(before) && before.run === next.run && thingsOf(next).length >= thingsOf(before).length)
        breach("sent again with as many others");
    }
  }
  const descriptions = seen
    .filter((one) => applied(one) && thingsOf(one)[0]!.startsWith("description"))
    .flatMap(thingsOf);
  const final = descriptions.at(-1);
  if (final && !present.includes(final)) found.push(`the channel is not described as ${final}`);
  const order = wishes.map(({ thing }) => thing).filter((thing) => descriptions.includes(thing));
  if (order.join() !== descriptions.join()) found.push(`descriptions came in the order ${descriptions}`);
  return found;
}

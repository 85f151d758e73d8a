/**
 * Where each request of what is left stands in its row. A request has the place that bore its name when the run was
 * begun, as long as nothing was sent from there. Afterwards names tell nothing: of three requests `subscribe`,
 * `subscribe 2` and `subscribe 3`, the two that are left are called `subscribe` and `subscribe 2`. So what was sent is
 * compared with what is to be sent, and a place stays that of what was sent from it.
 */
import type { ChangeResult } from "../../engine/change.ts";
import type { SentCall } from "../../engine/sent-requests.ts";
import { touched } from "../../engine/settle.ts";
import { type Key, keyOf } from "../../engine/task.ts";
import type { Call } from "../../wire/call.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Step } from "../order.ts";
import type { KeptStep, Layout } from "./steps.ts";

/** What the journal of the runs before this one tells. */
export interface Recorded {
  known(key: Key): ChangeResult | undefined;
  again(key: Key): boolean;
  readonly requests: { of(key: Key): readonly SentCall[]; changesOf(row: number): number } | undefined;
}

const stated = (operation: AnyOperation, { args }: SentCall): Call =>
  ({ operation, args }) as Pick<Call, "operation" | "args"> as Call;

/** By what it is about, what a request wants of it. */
function wishes(call: Pick<Call, "operation" | "args">): Map<string, string> {
  const members = touched(call);
  if (members.length)
    return new Map(
      members.flatMap(({ list, added, removed }) => [
        ...added.map((id): [string, string] => [`${list} + ${id}`, ""]),
        ...removed.map((id): [string, string] => [`${list} - ${id}`, ""]),
      ]),
    );
  const own = Object.entries(call.args).filter(([name]) => !call.operation.path.includes(`{${name}}`));
  const said = own.map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
  return new Map(said.length ? said : [["", ""]]);
}

const wishesOf = (operation: AnyOperation, calls: readonly SentCall[]): Map<string, string>[] =>
  calls.flatMap((call) => (call.operation === operation.name ? [wishes(stated(operation, call))] : []));

const within = (some: ReadonlyMap<string, string>, all: ReadonlyMap<string, string>): boolean =>
  [...some].every(([about, wish]) => all.get(about) === wish);

/** Whether the latest of these asked for all that a request asks for, so that what is read of that one tells of this one. */
export function covers(calls: readonly SentCall[], change: Pick<Call, "operation" | "args">): boolean {
  const [last] = wishesOf(change.operation, calls.slice(-1));
  return last !== undefined && within(wishes(change), last);
}

/** Whether one of these may be what asked for something that a request asks for. */
function concerns(calls: readonly SentCall[], change: Pick<Call, "operation" | "args">): boolean {
  const mine = wishes(change);
  return wishesOf(change.operation, calls).some((sent) => [...mine.keys()].some((about) => sent.has(about)));
}

function isSame(calls: readonly SentCall[], change: Pick<Call, "operation" | "args">): boolean {
  const [last] = wishesOf(change.operation, calls.slice(-1));
  const mine = wishes(change);
  return last !== undefined && last.size === mine.size && within(mine, last);
}

/** A server makes it each time that it is asked: what was asked for once has its place for good. */
const isMade = ({ operation, makes }: KeptStep): boolean => makes !== undefined || operation === "invite.add";

/**
 * By place, the request that stands there now: first the places of the order, then those that earlier runs have added,
 * then new ones.
 */
export function placesOf(
  layout: Layout,
  of: number,
  steps: readonly Step[],
  recorded: Recorded | undefined,
): (Step | undefined)[] {
  const row = layout.row(of);
  const parts = layout.partsOf(of);
  const count = Math.max(parts.length, recorded?.requests?.changesOf(row) ?? 0);
  const placed = new Array<Step | undefined>(count).fill(undefined);
  const waiting = new Set(steps);
  const sent = (place: number) => recorded?.requests?.of(keyOf(row, place)) ?? [];
  const outcome = (place: number) => recorded?.known(keyOf(row, place))?.outcome;
  const isDoubtful = (place: number) => outcome(place) === "unknown" || recorded?.again(keyOf(row, place));
  const named = (place: number) => steps.find(({ part }) => part === parts[place]?.part);
  const fill = (
    which: (place: number) => boolean | undefined,
    find: (place: number) => (step: Step) => boolean | undefined,
  ) => {
    for (const place of placed.keys()) {
      if (placed[place] || !which(place)) continue;
      const step = [...waiting].find(find(place));
      placed[place] = step;
      waiting.delete(step!);
    }
  };
  fill(
    (place) => parts[place] && isMade(parts[place]),
    (place) => (step) => step === named(place),
  );
  // What may have been done, and what the server has refused, is not another request's to repeat.
  fill(
    (place) => isDoubtful(place) || outcome(place) === "refused",
    (place) =>
      ({ change }) =>
        isSame(sent(place), change),
  );
  fill(
    isDoubtful,
    (place) =>
      ({ change }) =>
        concerns(sent(place), change),
  );
  fill(
    (place) => outcome(place) === undefined && !isDoubtful(place),
    (place) => (step) => step === named(place),
  );
  return [...placed, ...waiting];
}

/** Which runs an undo must mean. Follows what was typed and what the server saw, not what the program keeps. */
import type { Ledger } from "./ledger.ts";
import type { Ran } from "./machine.ts";

/** The runs, or that nothing may be sent. */
export type Meaning = readonly Ran[] | "nothing";

/** Whether a run changed something. Changes without an answer, and such as the server accepted without effect, may have. */
function hasChanged(ledger: Ledger, ran: Ran): "yes" | "no" | "perhaps" {
  if (ledger.writes.some(({ by }) => by === ran)) return "yes";
  // Answers say who was subscribed already.
  const isTold = ran.words[1] === "subscribers" && ran.ended.code === 0 && ran.unanswered === 0 && !ran.isLost;
  const isInPart = /Earlier\s+parts\s+may\s+have\s+been\s+applied/.test(ran.ended.err);
  const isAnswered = ran.ended.code !== undefined && !ran.isLost;
  const isPossible = (ran.accepted + ran.unanswered > 0 && !isTold) || isInPart || !isAnswered;
  return isPossible ? "perhaps" : "no";
}

/** It was killed, or has changes without an answer, or such as need one that the server refused. */
const isUnfinished = ({ ended: { code, err }, unanswered }: Ran): boolean =>
  code === undefined || unanswered > 0 || /not done \(.*\bnot sent\)/.test(err);

/** Returns a run with those that resumed it, if it is the first of them. */
export function partsOf(session: readonly Ran[], ran: Ran): Ran[] {
  return session.filter((each) => each === ran || each.resumes === ran);
}

/** Returns whether an undo gave everything of a run back. Nobody can tell if some of it was left alone, or if it found nothing. */
export function isTakenBack(session: readonly Ran[], ran: Ran): boolean | undefined {
  const undos = session.filter(({ means, only }) => means?.includes(ran) && only === undefined);
  const last = undos.at(-1);
  if (!last) return false;
  if (isTakenBack(session, last) !== false) return undefined;
  return last.ended.code === 0 && last.accepted > 0 ? true : undefined;
}

/** A run that was killed early need not have begun the journal. */
const hasBegun = ({ accepted, unanswered }: Ran): boolean => accepted + unanswered > 0;

/** Returns what `undo <run>` may mean, for several runs. */
export const namedMean = (session: readonly Ran[], runs: readonly Ran[]): Meaning[] => [
  [...new Set(runs.flatMap((ran) => partsOf(session, ran)))],
  ...(runs.every(hasBegun) ? [] : [runs]),
];

/** Returns the runs that the plan of an undo names, of those that it may mean. */
export function namedIn({ ended: { err } }: Ran, meanings: readonly Meaning[]): readonly Ran[] | undefined {
  const [, text = ""] = /: undo runs? ([\d, -]+)/.exec(err) ?? [];
  const names = text.match(/\d{8}-\d+/g) ?? [];
  const isNamed = (runs: readonly Ran[]) => names.every((name) => runs.some((run) => run.name === name));
  return names.length ? meanings.flatMap((each) => (each === "nothing" ? [] : [each])).find(isNamed) : undefined;
}

const day = 24 * 3_600_000;

/** Returns what `undo --job` may mean. */
export function jobMeans(ledger: Ledger, session: readonly Ran[], job: string): Meaning[] {
  const all = session.filter((ran) => ran.job === job && ran.means === undefined);
  const open = all.filter((ran) => hasChanged(ledger, ran) !== "no" && isTakenBack(session, ran) !== true);
  const certain = open.filter(
    (ran) => hasChanged(ledger, ran) === "yes" && isTakenBack(session, ran) === false && !ran.isLost,
  );
  const apart = (runs: readonly Ran[]) =>
    Math.max(...runs.map(({ began }) => began)) - Math.min(...runs.map(({ began }) => began));
  const isTooLong = open.length > 0 && apart(open) > day;
  const isCertainlyTooLong = certain.length > 0 && apart(certain) > day;
  // Runs that were taken back in part are a matter of how they are counted.
  return [
    ...(isCertainlyTooLong ? [] : [open, certain, open.filter((ran) => isTakenBack(session, ran) === false)]),
    ...(isTooLong || !certain.length ? ["nothing" as const] : []),
  ];
}

/** Returns what `undo` without a run may mean. */
export function lastMeans(ledger: Ledger, session: readonly Ran[]): Meaning[] {
  const ran = session.at(-1);
  if (!ran) return ["nothing"];
  const changed = hasChanged(ledger, ran);
  const before = () => lastMeans(ledger, session.slice(0, -1));
  // It was killed before it could be written down.
  if (ran.name === "") return before();
  if (ran.means !== undefined) {
    if (changed === "no") return before();
    const isRest = isUnfinished(ran) || ran.only !== undefined;
    // It can have found out what became of a change without an answer.
    const isResolved = ran.unanswered > 0 && ran.only === undefined && ![7, undefined].includes(ran.ended.code);
    const rest: Meaning[] = [...(isRest ? [ran.means] : []), ...(!isRest || isResolved ? ["nothing" as const] : [])];
    return changed === "yes" ? rest : [...rest, "nothing", ...before()];
  }
  const first = ran.resumes ?? ran;
  const parts: Meaning[] = [partsOf(session, first), ...(hasBegun(first) ? [] : [[ran]])];
  // It names what the part before it was sending when it was killed.
  const isResumed = ran.resumes !== undefined && ran.ended.code !== 2;
  return changed === "yes" ? parts : changed === "no" && !isResumed ? ["nothing"] : [...parts, "nothing"];
}

/** The moments when a run read the organization, and the facts then. */
import type { Transfer } from "../network.ts";
import type { Facts } from "./facts.ts";
import { type Attempt, pathOf } from "./story.ts";

export interface Moment {
  /** By the history's counter. */
  readonly at: number;
  readonly facts: Facts;
}

/** One `register`. Folders and invitations have reads of their own. */
export interface Reading extends Moment {
  readonly folders: Moment;
  readonly invitations: Moment;
  /** In the story's time, when all reads were complete. */
  readonly over: number;
}

const isAnswered = ({ isSettled, hasAnswer, served }: Transfer): boolean =>
  isSettled && hasAnswer && served?.status === 200;

const known = new WeakMap<Attempt, readonly Reading[]>();

export function readingsOf(attempt: Attempt): readonly Reading[] {
  const before = known.get(attempt);
  if (before) return before;
  const all: Reading[] = [];
  let whole: Moment | undefined;
  let folders: Moment | undefined;
  for (const passage of attempt.passages) {
    if (!isAnswered(passage)) continue;
    const moment = attempt.served.get(passage.request)!;
    const path = pathOf(passage);
    if (path.endsWith("/register")) [whole, folders] = [moment, undefined];
    else if (path.endsWith("/channel_folders") && passage.request.method === "GET") folders = moment;
    else if (path.endsWith("/invites") && passage.request.method === "GET" && whole && folders)
      all.push({ ...whole, folders, invitations: moment, over: passage.settledAt! });
  }
  known.set(attempt, all);
  return all;
}

const applies = ({ words }: Attempt): boolean => words[1] === "apply";

/** The reading from which a run made its plan. Undefined if it made none. */
export const plannedFrom = (attempt: Attempt): Reading | undefined => readingsOf(attempt.planner ?? attempt)[0];

/** The second reading, right before the first change. Undefined if the run ended earlier. */
export const evaluatedFrom = (attempt: Attempt): Reading | undefined =>
  applies(attempt) ? readingsOf(attempt)[1] : undefined;

export const momentOf = (reading: Reading, fact: string): Moment =>
  fact.startsWith("folders ") ? reading.folders : fact.startsWith("invitations ") ? reading.invitations : reading;

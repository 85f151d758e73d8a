/**
 * Judges what the changes of a run do to people and content. It is one function of the changes and of what is there now, so
 * commands, rows of a batch, plans, `undo` and `api` have the same effects with the same words.
 */
import { type Change, callIn } from "../engine/change.ts";
import type { ChangeEffect } from "../model/effect.ts";
import type { Impact } from "../wire/impact.ts";
import { judgeClosing } from "./judge-closing.ts";
import { judgeLeaving } from "./judge-leaving.ts";
import { judgeLists } from "./judge-lists.ts";
import { judgeMessages } from "./judge-messages.ts";
import { judgeOthers } from "./judge-others.ts";
import { judgePeople } from "./judge-people.ts";
import { judgeSettings } from "./judge-settings.ts";
import { judgeThings } from "./judge-things.ts";
import {
  type DeletedMessages,
  type Depth,
  type Emptied,
  Judging,
  type Lockout,
  type Loss,
  type Subject,
  type Unread,
} from "./judging.ts";
import { judgeLockout } from "./lockout.ts";
import type { Present } from "./present.ts";

export interface Judgment {
  /** The effects of each change. */
  readonly effects: readonly (readonly ChangeEffect[])[];
  /** What the run takes, for the rule about many removals. */
  readonly losses: readonly Loss[];
  /** The lists that nobody is in afterwards. */
  readonly emptied: readonly Emptied[];
  readonly lockouts: readonly Lockout[];
  readonly deletions: readonly DeletedMessages[];
  readonly unread: readonly Unread[];
}

const parts = [
  judgeLockout,
  judgeLists,
  judgeClosing,
  judgePeople,
  judgeLeaving,
  judgeThings,
  judgeSettings,
  judgeMessages,
  judgeOthers,
];

export async function judge(subjects: readonly Subject[], present: Present, depth: Depth): Promise<Judgment> {
  const judging = new Judging(subjects, present, depth);
  for (const part of parts) await part(judging);
  return judging;
}

/** Returns what a change does. A raw request does what the operation of its endpoint does. */
export function judgedSubject(change: Change): Subject {
  const { setLists, moved, deleted, unchanged, known, target } = change;
  const call = callIn(change);
  const { effects } = call.operation;
  if (unchanged || !effects) return { impacts: [] };
  const title = known ? `${target}: this` : target;
  if (typeof effects === "function") {
    const unknown = call.isPartial ? "the server may read a value that zulipctl cannot" : undefined;
    return {
      impacts: effects(call.args),
      wholeLists: setLists?.map(({ key }) => key),
      comparesOnce: true,
      moved,
      deleted,
      title,
      unknown,
    };
  }
  return { impacts: [], ...("unknown" in effects && { unknown: effects.unknown }) };
}

type MembershipImpact = Extract<Impact, { does: "leave" | "join" }>;

const isMembership = (impact: Impact): impact is MembershipImpact => impact.does === "leave" || impact.does === "join";

/** Joins what leaves or joins one list in several requests. */
export function joinedImpacts(impacts: readonly Impact[]): Impact[] {
  const result: Impact[] = [];
  for (const impact of impacts) {
    const isSame = (one: Impact): one is MembershipImpact =>
      isMembership(one) &&
      isMembership(impact) &&
      one.does === impact.does &&
      one.list === impact.list &&
      one.of === impact.of;
    const earlier = result.find(isSame);
    if (earlier && isMembership(impact))
      result[result.indexOf(earlier)] = { ...earlier, who: [...earlier.who, ...impact.who] };
    else result.push(impact);
  }
  return result;
}

/** Changes that are judged as one. */
interface JudgedChanges {
  /** The first, and its place. */
  readonly change: Change;
  readonly part: number;
  readonly subject: Subject;
}

/** Returns what changes of one thing do. A long list is split into several, which are judged as one. */
export function subjectsOf(changes: readonly Change[]): JudgedChanges[] {
  const parts: JudgedChanges[] = [];
  for (const [part, change] of changes.entries()) {
    const subject = judgedSubject(change);
    const earlier = parts.at(-1);
    const before = earlier?.subject.impacts ?? [];
    const impacts = joinedImpacts([...before, ...subject.impacts]);
    // What is about another list is not joined.
    const isMore = impacts.length === before.length && subject.impacts.length > 0 && impacts.every(isMembership);
    if (earlier?.change.operation === change.operation && isMore)
      parts[parts.length - 1] = { ...earlier, subject: { ...earlier.subject, impacts } };
    else parts.push({ part, change, subject });
  }
  return parts;
}

/** Returns whether one of the changes does something that can be judged. */
export const hasImpacts = (subjects: readonly Subject[]): boolean =>
  subjects.some(({ impacts, unknown }) => impacts.length > 0 || unknown !== undefined);

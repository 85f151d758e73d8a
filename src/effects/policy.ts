/** What follows from a judgment: the question of each change, and what stops the run. */
import { consequenceOf, joinQuestions, type Question } from "../common/question.ts";
import { exceeds, fewRemovals, isMoreThanTenth, limitText, type RemovalLimit } from "../common/removal-limit.ts";
import { type Allowed, type Change, quoted } from "../engine/change.ts";
import type { ChangeEffect, EffectKind } from "../model/effect.ts";
import type { Judgment } from "./judge.ts";
import type { Loss } from "./judging.ts";

/** Kinds that the question of a verb states in its own words. */
const statedByVerbs: ReadonlySet<EffectKind> = new Set([
  "access_lost",
  "removed",
  "messages_deleted",
  "key_replaced",
  "exported",
]);

const verbs: Readonly<Record<string, string>> = {
  "channel.update": "Update channel",
  "channel.create": "Create channel",
  "channel.subscribe": "Create channel",
  "channel.unsubscribe": "Update channel",
  "messages.edit": "Rename topic",
  "group.update": "Update group",
  "group.members": "Update group",
  "group.create": "Create group",
};

/** Returns the question of a change that has none yet. */
function defaultQuestion({ operation: { name }, target }: Change): string {
  if (name === "organization.update") return "Change the organization's settings";
  const verb = verbs[name];
  return verb === undefined ? `Send ${target}` : `${verb} ${quoted(target)}`;
}

/** Returns the effects that a question of a command does not state in its own words. */
export const addedTo = (effects: readonly ChangeEffect[]): ChangeEffect[] =>
  effects.filter(({ asks, kind }) => asks && !statedByVerbs.has(kind));

/** Returns the effects that the question of a change does not state yet. */
const unstated = ({ confirm }: Change, effects: readonly ChangeEffect[]): ChangeEffect[] =>
  confirm ? addedTo(effects) : effects.filter(({ asks }) => asks);

/**
 * Returns the question of a change with what its effects add. Undefined if nothing asks. `mustAsk`: a guard needs a
 * confirmation.
 */
export function questionOf(change: Change, effects: readonly ChangeEffect[], mustAsk = false): Question | undefined {
  const { confirm } = change;
  const asking = unstated(change, effects);
  if (!asking.length) return confirm ?? (mustAsk ? { question: defaultQuestion(change) } : undefined);
  const own = asking.flatMap(({ question }) => question ?? []);
  const texts = asking.flatMap(({ question, text }) => (question ? [] : [text]));
  const base = confirm ?? (own.length ? undefined : { question: defaultQuestion(change) });
  const more = texts.length ? consequenceOf(texts) : "";
  const first = base && { ...base, consequence: [base.consequence, more].filter(Boolean).join(" ") || undefined };
  const all = [...(first ? [first] : []), ...own];
  return all.length > 1 ? joinQuestions(all) : all[0];
}

/** What stops a run, unless a flag allows it. */
export interface Violation {
  /** Follows "this would". */
  readonly says: string;
  /** The flag with its value. */
  readonly overrideFlag: string;
  /** No question answers it: a flag states a limit. */
  readonly isFinal?: true;
  readonly limit?: string;
  readonly changes: readonly number[];
}

/** Returns the limit for what some changes take: that of the run, or of the row. */
function limitOf({ changes }: Pick<Loss, "changes">, run: Allowed, rows: readonly (Allowed | undefined)[]) {
  const own = changes.flatMap((n) => rows[n]?.maxRemovals ?? []);
  return (
    run.maxRemovals ??
    own.reduce<RemovalLimit | undefined>((most, one) => (most && most.most >= one.most ? most : one), undefined)
  );
}

/** Returns what the guards stop. `rows`: what each change allows for itself. */
export function violationsOf(
  { losses, emptied, unread }: Judgment,
  run: Allowed,
  rows: readonly (Allowed | undefined)[] = [],
): Violation[] {
  const allowsEmpty = (changes: readonly number[]) => run.allowEmpty || changes.some((n) => rows[n]?.allowEmpty);
  const removals = losses.flatMap((loss): Violation[] => {
    const { says, changes, count, isEmptied } = loss;
    const limit = limitOf(loss, run, rows);
    const overrideFlag = `--max-removals ${count}`;
    if (limit)
      return exceeds(loss, limit)
        ? [{ says, overrideFlag, changes, isFinal: true, limit: `--max-removals allows ${limitText(limit)}` }]
        : [];
    // Who allows an empty list allows all its removals.
    if (isEmptied && allowsEmpty(changes)) return [];
    return count > fewRemovals && isMoreThanTenth(loss) ? [{ says, overrideFlag, changes }] : [];
  });
  const empty = emptied
    .filter(({ changes }) => !allowsEmpty(changes))
    .map(({ says, changes }): Violation => ({ says, changes, overrideFlag: "--allow-empty" }));
  const hidden = unread.flatMap(({ what, allowedBy, changes }): Violation[] => {
    const isAllowed =
      allowedBy === "--allow-empty" ? allowsEmpty(changes) : limitOf({ changes }, run, rows) !== undefined;
    if (allowedBy === undefined || isAllowed) return [];
    const flag = allowedBy === "--allow-empty" ? allowedBy : `${allowedBy} 100%`;
    return [
      { says: `change something that cannot be judged: zulipctl cannot read ${what}`, changes, overrideFlag: flag },
    ];
  });
  return [...empty, ...removals, ...hidden];
}

/** Returns what a question must say about what the guards found, in sentences. */
export const violationText = (all: readonly Violation[]): string =>
  all.map(({ says }) => `This would ${says}.`).join(" ");

/** Returns the flags that allow all of it. */
export const liftingFlags = (all: readonly Violation[]): string => {
  const removals = Math.max(
    0,
    ...all.map(({ overrideFlag }) => Number(/^--max-removals (\d+)$/.exec(overrideFlag)?.[1] ?? 0)),
  );
  const flags = all.map(({ overrideFlag }) =>
    /^--max-removals \d/.test(overrideFlag) && removals ? `--max-removals ${removals}` : overrideFlag,
  );
  return [...new Set(flags)].join(" ");
};

/** Returns what could not be read, in sentences. */
export const unreadText = ({ unread }: Pick<Judgment, "unread">): string =>
  [...new Set(unread.map(({ what, reason }) => `zulipctl cannot read ${what}: ${reason}.`))].join(" ");

const takes: ReadonlySet<EffectKind> = new Set([
  "access_lost",
  "removed",
  "last_reader",
  "list_emptied",
  "messages_deleted",
]);

/** Returns whether an effect takes something from people. */
export const takesSomething = (effects: readonly ChangeEffect[] = []): boolean =>
  effects.some(({ kind }) => takes.has(kind));

/** `40 took something from people`. Empty for none. */
export const takenTexts = (count: number): string[] => (count ? [`${count} took something from people`] : []);

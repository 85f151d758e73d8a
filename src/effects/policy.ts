/** What follows from a judgment: the question of each change, and what stops the run. */
import { counted } from "../common/counted.ts";
import { consequenceOf, joinQuestions, type Question } from "../common/question.ts";
import { type Allowed, type Change, quoted } from "../engine/change.ts";
import type { ChangeEffect, EffectKind } from "../model/effect.ts";
import {
  exceeds,
  fewRemovals,
  isMoreThanTenth,
  limitText,
  mostWithoutCopy,
  type RemovalLimit,
} from "../model/removal-limit.ts";
import type { Judgment } from "./judge.ts";
import type { DeletedMessages, Loss } from "./judging.ts";

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

/**
 * Returns what effects add to a question, in sentences. `names`: the question says what is done to what, so the effects have
 * less to say.
 */
export function sentencesOf(effects: readonly ChangeEffect[], names: boolean): string {
  const texts = effects.flatMap(({ text, sentence }) => (names && sentence !== undefined ? [] : [text]));
  const sentences = names ? effects.flatMap(({ sentence }) => sentence || []) : [];
  return [...new Set(sentences), ...(texts.length ? [consequenceOf([...new Set(texts)])] : [])].join(" ");
}

/** Returns the effects that ask, without those with a question of their own. */
export const askingOf = (effects: readonly ChangeEffect[]): ChangeEffect[] =>
  effects.filter(({ asks, question }) => asks && !question);

/**
 * Returns the question of a change with what its effects add. Undefined if nothing asks. `mustAsk`: a guard needs a
 * confirmation.
 */
export function questionOf(change: Change, effects: readonly ChangeEffect[], mustAsk = false): Question | undefined {
  const { confirm, operation } = change;
  const isRaw = operation.generic === true;
  const own = effects.flatMap(({ asks, question }) => (asks && question ? question : []));
  // The question of a raw request does not say what it does.
  const added = confirm && isRaw ? effects.filter(({ question }) => !question) : askingOf(effects);
  const more = sentencesOf(added, confirm !== undefined && !isRaw);
  if (!own.length && !more && !confirm) return mustAsk ? { question: defaultQuestion(change) } : undefined;
  const base = confirm ?? (own.length && !more ? undefined : { question: defaultQuestion(change) });
  const isLost = isRaw && added.some(({ irreversible }) => irreversible);
  const all = [base?.consequence, more, isLost ? "This cannot be undone." : ""].filter(Boolean);
  const first = base && { ...base, consequence: all.join(" ") || undefined };
  const questions = [...(first ? [first] : []), ...own];
  return questions.length > 1 ? joinQuestions(questions) : questions[0];
}

/** The largest number of effects that a question about many changes names. */
const mostEffects = 5;

/** A change of one thing. */
interface TitledChange {
  /** `channel design`. */
  readonly title: string;
  readonly effects?: readonly ChangeEffect[] | undefined;
}

/**
 * Returns the first effects of many changes, as sentences of the question about all of them. Channels that nobody can read
 * afterwards come first, each of them, then what nothing brings back.
 */
export function firstEffects(changes: readonly TitledChange[]): string {
  const all = changes.flatMap(({ title, effects = [] }) => effects.map((one) => ({ ...one, title })));
  const rankOf = ({ kind, irreversible }: ChangeEffect) => (kind === "last_reader" ? 0 : irreversible ? 1 : 2);
  const texts = all.sort((one, other) => rankOf(one) - rankOf(other)).map(({ title, text }) => `${title}: ${text}.`);
  const most = Math.max(mostEffects, all.filter(({ kind }) => kind === "last_reader").length);
  const more = texts.length - most;
  return [...texts.slice(0, most), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
}

/** What stops a run, unless a flag allows it. */
export interface Violation {
  /** Follows "this would", unless it is a sentence. */
  readonly says: string;
  readonly isSentence?: true;
  /** The flag with its value. Without it nothing allows it. */
  readonly overrideFlag?: string | undefined;
  readonly hint?: string | undefined;
  /** No question answers it: a flag states a limit. */
  readonly isFinal?: true;
  readonly limit?: string;
  readonly changes: readonly number[];
}

/** Returns the limit for what some changes take: that of the run, or of the row. Only the run's is for several rows together. */
function limitOf(
  { changes, isList }: Pick<Loss, "changes" | "isList">,
  run: Allowed,
  rows: readonly (Allowed | undefined)[],
) {
  const isOfOne = isList || new Set(changes.map((n) => rows[n])).size === 1;
  const own = isOfOne ? changes.flatMap((n) => rows[n]?.maxRemovals ?? []) : [];
  return (
    run.maxRemovals ??
    own.reduce<RemovalLimit | undefined>((most, one) => (most && most.most >= one.most ? most : one), undefined)
  );
}

/** Whether the flags say where deleted messages are kept, or that they are not. */
const saysCopy = ({ keep }: Allowed = {}): boolean => keep === false || typeof keep === "string";

/** Returns what deletes many messages without a copy. */
function deletedWithoutCopy(
  deletions: readonly DeletedMessages[],
  run: Allowed,
  rows: readonly (Allowed | undefined)[],
): Violation[] {
  const all = saysCopy(run) ? [] : deletions.filter(({ n }) => !saysCopy(rows[n]));
  const count = all.reduce((sum, one) => sum + one.count, 0);
  if (count <= mostWithoutCopy) return [];
  const more = all.some(({ isMore }) => isMore) ? "more than " : "";
  const says = `delete ${more}${counted(count, "message")} without a copy`;
  return [{ says, changes: all.map(({ n }) => n), overrideFlag: "--no-keep" }];
}

/** Returns what the guards stop. `rows`: what each change allows for itself. */
export function violationsOf(
  { losses, emptied, lockouts, deletions, unread }: Judgment,
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
  const locked = lockouts
    .filter(
      ({ overrideFlag, changes }) => !overrideFlag || !(run.allowLockout || changes.some((n) => rows[n]?.allowLockout)),
    )
    .map((one): Violation => ({ ...one, isSentence: true, isFinal: true }));
  return [...locked, ...empty, ...removals, ...deletedWithoutCopy(deletions, run, rows), ...hidden];
}

/** Returns what a question must say about what the guards found, in sentences. */
export const violationText = (all: readonly Violation[]): string =>
  all.map(({ says, isSentence }) => (isSentence ? `${says}.` : `This would ${says}.`)).join(" ");

/** Returns the flags that allow all of it. */
export const overrideFlagsOf = (all: readonly Violation[]): string => {
  const flags = all.flatMap(({ overrideFlag }) => overrideFlag ?? []);
  const removals = Math.max(0, ...flags.map((flag) => Number(/^--max-removals (\d+)$/.exec(flag)?.[1] ?? 0)));
  const joined = flags.map((flag) =>
    /^--max-removals \d/.test(flag) && removals ? `--max-removals ${removals}` : flag,
  );
  return [...new Set(joined)].join(" ");
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
  // Nobody loses a new channel that nobody can get into.
  effects.some(({ kind, people }) => takes.has(kind) && !(kind === "last_reader" && people === 0));

/** `40 took something from people`. Empty for none. */
export const takenTexts = (count: number): string[] => (count ? [`${count} took something from people`] : []);

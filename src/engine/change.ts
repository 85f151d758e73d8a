/** A change is a value: what is to be sent, and the words around it. Nothing is sent by making one, and JSON can hold it. */
import type { Failure } from "../errors.ts";
import { consequenceOf, type Question } from "../question.ts";
import { type Call, call, type Spelling } from "../wire/call.ts";
import type { Membership } from "../wire/membership.ts";
import type { AnswerOf, AnyOperation, ArgsOf } from "../wire/operation.ts";

export interface Setting {
  parameter: string;
  /** What people call it. */
  name: string;
  /** In words. */
  value: string;
  /** Another value in words, where they are other than those of the API. */
  inWords?: (value: unknown) => string;
}

export interface Diff {
  /** What is there and what would be, a line for each parameter. */
  readonly lines: readonly string[];
  readonly differs: boolean;
  /** Whether something that differs is exit code 8. */
  readonly exitCode: boolean;
}

/** How a change is shown and reported. */
export interface ChangeWords {
  /** What the person called the thing that is changed: `devs`, `7`. */
  target: string;
  /**
   * The sentence for success: `Linkifier {id} added.` A name between braces is the target, `settings`, one of `words`, or a
   * member of the answer. A name without a value is left out, with the blank before it.
   */
  done: string;
  /** What is set to what, for `{settings}`. Those that the server ignores are left out. */
  settings?: readonly Setting[];
  /** What people or servers wrote: a brace in it means nothing. */
  words?: Readonly<Record<string, string>>;
  /** The command that shows whether it happened. */
  verifyWith: string;
  /** The member of the answer that holds the id, or the ids, of what was created. */
  ids?: string;
  /** Its answer is printed as it is, with status and headers where those are included. */
  raw?: { include: boolean };
  /** What a person must say yes to. Absent: nobody is asked. */
  confirm?: Question;
  /** By parameter, why a person must confirm it, where only what is really changed is a reason: completes "This …". */
  effects?: Readonly<Record<string, string>>;
  /** What is there now, under the names of the parameters, for a dry run to show. */
  from?: Readonly<Record<string, unknown>>;
  /** What `--diff` shows in place of sending it. */
  diff?: Diff;
  /** The same for the log, wherever it was read. */
  before?: Readonly<Record<string, unknown>>;
}

/** What was asked for beside what is there already. */
export interface ChangeComparison {
  /** Permissions are to be changed only if they are what they are now. */
  expectCurrent?: boolean;
  /** What was asked for, where less is sent because the rest is unchanged. */
  asked?: Readonly<Record<string, unknown>>;
  /** Nothing would change, as reading has shown: it is done without a request. */
  unchanged?: boolean;
  /** Some of what is left out is so only if earlier changes to the same thing are done; else `asked` is sent. */
  relies?: boolean;
  /** Where somebody else has done it meanwhile, it is done. */
  ifChanged?: boolean;
  /** What there is once it is done, for later rows of a run to go by: `invitation of ada@example.com`. */
  brings?: readonly string[];
  /** The lists of which it says all that there is to be in them. */
  whole?: readonly string[];
}

/** What the engine must know to send it in its turn. */
export interface ChangeHandling {
  /** The name of a channel that is created by subscribing people: the answer has no id. */
  newChannel?: string;
  /** The provisional id of what it creates: other changes use it until the answer has the real one. */
  makes?: number;
  /** The changes of the run, by their keys, that must be done before it. */
  after?: readonly (number | string)[];
  /** It removes: it is sent only if what its command adds before it is done. */
  afterAdditions?: boolean;
}

export interface Change extends Call, Spelling, ChangeWords, ChangeComparison, ChangeHandling {}

type Words<A> = Omit<Change, keyof Call | "ids" | "confirm"> & {
  ids?: keyof A & string;
  confirm?: Question | undefined;
};

/** Has a person asked why: by parameter, what comes of it, as phrases that complete "This …". */
export function asking(
  question: string,
  effects: Readonly<Record<string, string>>,
): Pick<Change, "confirm" | "effects"> {
  const all = Object.values(effects);
  return all.length ? { effects, confirm: { question, consequence: consequenceOf(all) } } : {};
}

/** Throws `BadArgument` for arguments that the operation cannot carry. */
export const change = <O extends AnyOperation>(operation: O, args: ArgsOf<O>, words: Words<AnswerOf<O>>): Change =>
  ({ ...words, ...call(operation, args) }) as Change;

/** Settings that have one value stand together. */
function settingsText(settings: readonly Setting[], ignored: readonly string[]): string {
  const names = new Map<string, string[]>();
  for (const { parameter, name, value } of settings)
    if (!ignored.includes(parameter)) names.set(value, [...(names.get(value) ?? []), name]);
  return [...names].map(([value, alike]) => `${alike.join(", ")} set to ${value}`).join("; ") || "nothing set";
}

/** Names in quotes; ids and e-mail addresses as they are. */
const quoted = (target: string): string =>
  /^(\d+|[a-z]+:\d+|[^\s@]+@[^\s@]+|[A-Z]+ \/.*|me|link)$/.test(target) ? target : `"${target}"`;

/** The sentence to print when it is done, but for parameters that the server has `ignored`. */
export function sentenceOf(
  { operation, done, target, settings, words }: Change,
  answer: Readonly<Record<string, unknown>>,
  ignored: readonly string[] = [],
): string {
  const set = settings && { settings: settingsText(settings, ignored) };
  const known: Record<string, unknown> = {
    ...answer,
    ...words,
    ...operation.inWords?.(answer),
    ...set,
    target: quoted(target),
  };
  return done.replace(/( ?)\{(\w+)\}/g, (_, blank: string, name: string) => {
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    return value === undefined ? "" : `${blank}${Array.isArray(value) ? value.join(", ") : value}`;
  });
}

/** What of an answer may be written down and printed among others: secrets are masked. */
export const withoutSecrets = (
  { secretAnswer = [] }: AnyOperation,
  answer: Record<string, unknown>,
): Record<string, unknown> =>
  secretAnswer.some((name) => name in answer)
    ? Object.fromEntries(
        Object.entries(answer).map(([name, value]) => [name, secretAnswer.includes(name) ? "[secret]" : value]),
      )
    : answer;

/** The sentence where nothing differs. */
export const noChanges = "No changes.";

/** Ids of what was created, for `-o ids`. */
export function createdBy({ ids }: Change, answer: Readonly<Record<string, unknown>>): unknown[] {
  const value = ids === undefined ? undefined : answer[ids];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** The memberships that a change asks for, whether they are so already or not. */
export const desiredMemberships = ({ operation, args, asked }: Change): Membership[] =>
  operation.memberships?.(asked ?? args) ?? [];

/** What became of a change that was so already. */
export const unchanged: ChangeResult = { outcome: "done", answer: {}, ignored: [], unchanged: true };

/** What became of one change. */
export type ChangeResult =
  | { outcome: "done"; answer: Record<string, unknown>; ignored: string[]; unchanged?: boolean }
  | { outcome: "refused" | "unknown" | "not_sent"; failure: Failure };

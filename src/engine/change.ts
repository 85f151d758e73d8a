/** A change: a request, and the words for it. It is plain JSON, and making one sends nothing. */

import type { Question } from "../common/question.ts";
import { type Failure, Usage } from "../errors.ts";
import type { ChangeEffect } from "../model/effect.ts";
import type { ListName } from "../model/kinds/lists.ts";
import type { RemovalLimit } from "../model/removal-limit.ts";
import { isSecretName } from "../notation/name.ts";
import { type Call, call, type Spelling } from "../wire/call.ts";
import type { AnswerOf, AnyOperation, ArgsOf, Membership } from "../wire/operation.ts";

export interface SetValue {
  parameter: string;
  /** The name for people. */
  name: string;
  /** The value in words. */
  value: string;
}

interface Diff {
  /** Old and new values, a line for each parameter. */
  readonly lines: readonly string[];
  readonly differs: boolean;
  /** Whether a difference ends with exit code 8. */
  readonly exitCode: boolean;
}

/** How a change is shown and reported. */
interface ChangeWords {
  /** What the user called the thing: `devs`, `7`. */
  target: string;
  /**
   * The sentence for success: `Linkifier {id} added.` Braces contain the target, `settings`, one of `words`, or a
   * member of the answer. A name without a value is left out, with the blank before it.
   */
  done: string;
  /**
   * The sentence if nothing has to change. A refusal is then judged by reading: it counts as done if the thing is in
   * the desired state.
   */
  already?: string;
  /** What `{changed}` in `done` stands for: parameters with their names for people. */
  changed?: readonly { parameter: string; name: string }[];
  /** The settings for `{settings}`. Those that the server ignores are left out. */
  settings?: readonly SetValue[];
  /** Texts of people or servers. Braces in them have no meaning. */
  words?: Readonly<Record<string, string>>;
  /** The command that shows the result. */
  verifyWith: string;
  /** The member of the answer with the id, or ids, of new things. */
  ids?: string;
  /** The answer is printed unchanged, with status and headers if included. */
  raw?: { include: boolean };
  /** The question for confirmation. Absent if none is needed. */
  confirm?: Question | undefined;
  /** What it does to people and content, where it was judged. */
  judged?: readonly ChangeEffect[];
  /** The current values by parameter, for a dry run. */
  from?: Readonly<Record<string, unknown>>;
  /** The lines of `--diff`, shown instead of sending. */
  diff?: Diff;
  /** The current values for the log, wherever they were read. */
  before?: Readonly<Record<string, unknown>>;
}

/** Messages of a topic that a change moves. */
export interface MovedMessages {
  readonly channel: number;
  readonly topic: string;
  /** How many there are. Absent if it was not read. */
  readonly count?: number | undefined;
}

/** What is allowed although a guard would stop it. */
export interface Allowed {
  readonly allowEmpty?: boolean | undefined;
  /** The account in use may lose its own role. */
  readonly allowLockout?: boolean | undefined;
  readonly maxRemovals?: RemovalLimit | undefined;
  /** Where deleted messages are kept: a file, or nowhere (false). True says nothing, as a flag that is not given. */
  readonly keep?: string | boolean | undefined;
}

/** A list that a command sets as a whole. */
export interface SetList {
  readonly list: ListName;
  /** The id of the thing that has it. */
  readonly id: number;
  /** The name of the thing. */
  readonly name: string;
  /** Names the list: `channel 7 subscribers`. */
  readonly key: string;
  /** Who shall be in it. */
  readonly members: readonly number[];
  /** Without members nobody could get in again. */
  readonly isClosed: boolean;
}

/** A call by its operation and those arguments that could be decoded. */
export interface KnownCall {
  readonly operation: AnyOperation;
  readonly args: Readonly<Record<string, unknown>>;
  /** Some values are not of their parameters' types, so they are not among the arguments. */
  readonly isPartial?: boolean;
  /** The request has parameters that the operation does not state. */
  readonly hasOthers?: boolean;
}

/** Returns a raw request as the change of its operation, if the operation states all of it. */
export function asStatedOperation(change: Change): Change {
  const { known } = change;
  if (!known || known.isPartial || known.hasOthers) return change;
  return { ...change, operation: known.operation, args: known.args };
}

/** Returns the call that a change makes. A raw request is decoded as the operation of its endpoint. */
export const callIn = ({ known, operation, args }: Pick<Change, "known" | "operation" | "args">): KnownCall =>
  known ?? { operation, args };

/** Returns whether a call is one of these operations. Their names need no code, which every change would load. */
export const isOneOf = ({ operation }: KnownCall, names: readonly string[]): boolean => names.includes(operation.name);

/** Sends a request that only reads. */
type Read = (operation: AnyOperation, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Returns the changes of the thing that exists now. Undefined if it does not exist. */
type WhenExists = (read: Read) => Promise<Change[] | undefined>;

/** What the engine must know. */
export interface ChangeHandling {
  /** The operation of a raw request, for reviews. */
  known?: KnownCall;
  /** Permissions change only if they still have their current values. */
  expectCurrent?: boolean;
  /** It counts as done if somebody else has done it meanwhile. */
  ifChanged?: boolean;
  /** Nothing would change: it is done without a request. */
  unchanged?: boolean;
  /** What the answer would have, as reading has shown: the id of a thing that exists already. */
  knownAnswer?: Readonly<Record<string, unknown>>;
  /** Parameters that differ, although the change is left out as unchanged. */
  differs?: readonly string[];
  /** Earlier changes of the run may create the same thing. After a refusal, what to do about it. */
  whenExists?: WhenExists;
  /** Why it is refused without a request. */
  refusal?: string;
  /** The arguments with their unchanged parts, if those are not sent. */
  desiredArgs?: Readonly<Record<string, unknown>>;
  /** Some parts are left out because earlier changes of the same thing make them. If those fail, `desiredArgs` are sent. */
  reliesOnEarlier?: boolean;
  /** What exists afterwards, for later rows of a run: `invitation of ada@example.com`. */
  creates?: readonly string[];
  /** The lists that its command sets as a whole. */
  setLists?: readonly SetList[];
  /** The name of a channel that is created by subscribing people: the answer has no id. */
  newChannel?: string;
  /** The provisional id of what it creates. Other changes use it until the answer has the real id. */
  provisionalId?: number;
  /** Keys of the changes that must be done before it. */
  requires?: readonly (number | string)[];
  /** The messages that it moves, as far as the command has read them. */
  moved?: MovedMessages;
  /** The number of messages that it deletes, as far as the command has read them. */
  deleted?: number;
  /** The flags of its row or command that allow what a guard stops. */
  allowed?: Allowed;
  /** A removal, which is sent only if the additions of its command are done. */
  afterAdditions?: boolean;
}

/** What is sent, how it is described, and what the engine must know. */
export interface Change extends Call, Spelling, ChangeWords, ChangeHandling {}

type Words<A> = Omit<Change, keyof Call | "ids" | "confirm"> & {
  ids?: keyof A & string;
  confirm?: Question | undefined;
};

/** Databases cannot store this character. JSON that people write can contain it. */
const hasNull = (value: unknown): boolean =>
  typeof value === "string"
    ? value.includes("\0")
    : typeof value === "object" && value !== null && Object.values(value).some(hasNull);

/**
 * Throws `BadArgument` for arguments that the operation cannot send, and `Usage` for U+0000 in one of them.
 */
export function change<O extends AnyOperation>(operation: O, args: ArgsOf<O>, words: Words<AnswerOf<O>>): Change {
  // Texts of raw requests can be JSON in which the character is escaped.
  for (const [name, value] of Object.entries({ ...args, ...words.known?.args }))
    if (hasNull(value)) throw new Usage(`${words.flags?.[name] ?? name} contains U+0000`);
  return Object.assign(call(operation, args), words);
}

/** Settings with the same value are named together. */
function settingsText(settings: readonly SetValue[], ignored: readonly string[]): string {
  const names = new Map<string, string[]>();
  for (const { parameter, name, value } of settings)
    if (!ignored.includes(parameter)) names.set(value, [...(names.get(value) ?? []), name]);
  return [...names].map(([value, alike]) => `${alike.join(", ")} set to ${value}`).join("; ") || "nothing set";
}

/** Quotes names. Ids and e-mail addresses need no quotes. */
export const quoted = (target: string): string =>
  /^(\d+|[a-z]+:\d+|[^\s@]+@[^\s@]+|[A-Z]+ \/.*|me|link)$/.test(target) ? target : `"${target}"`;

/** Returns the sentence for success, without parameters that the server ignored. */
export function sentenceOf(
  { operation, done, target, settings, changed = [], words }: Change,
  answer: Readonly<Record<string, unknown>>,
  ignored: readonly string[] = [],
): string {
  const set = settings && { settings: settingsText(settings, ignored) };
  const known: Record<string, unknown> = {
    ...answer,
    ...words,
    ...operation.describeAnswer?.(answer),
    ...set,
    changed:
      [...new Set(changed.flatMap(({ parameter, name }) => (ignored.includes(parameter) ? [] : name)))].join(", ") ||
      "nothing",
    target: quoted(target),
  };
  return done.replace(/( ?)\{(\w+)\}/g, (_, blank: string, name: string) => {
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    return value === undefined ? "" : `${blank}${Array.isArray(value) ? value.join(", ") : value}`;
  });
}

/** Returns whether the sentence for success has a secret of the answer, such as a link. */
export const showsSecret = ({ operation: { secretAnswer = [] }, done }: Change): boolean =>
  secretAnswer.some((name: string) => done.includes(`{${name}}`));

/** Returns the answer with masked secrets, for journals, logs and errors. Unknown answers are masked by names. */
export function answerWithoutSecrets(
  { secretAnswer = [], generic }: AnyOperation,
  answer: Record<string, unknown>,
): Record<string, unknown> {
  const isSecret = (name: string) => secretAnswer.includes(name) || (generic === true && isSecretName(name));
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, isSecret(name) ? "[secret]" : value]));
}

export const noChanges = "No changes.";

/** Returns the sentence for a change that changed nothing. */
export const unchangedSentence = (change: Change): string =>
  sentenceOf({ ...change, done: change.already ?? noChanges }, {});

/** Returns ids of new things for `-o ids`. */
export function createdBy({ ids, knownAnswer }: Change, answer: Readonly<Record<string, unknown>>): unknown[] {
  const value = ids === undefined ? undefined : (answer[ids] ?? knownAnswer?.[ids]);
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** Returns the memberships that a change asks for, even unchanged ones. */
export const desiredMemberships = ({ operation, args, desiredArgs }: Change): Membership[] =>
  operation.memberships?.(desiredArgs ?? args) ?? [];

/** The result of a change that a read found applied. */
export const appliedResult: ChangeResult = { outcome: "done", answer: {}, ignored: [] };

export const unchangedResult: ChangeResult & { outcome: "done" } = {
  outcome: "done",
  answer: {},
  ignored: [],
  unchanged: true,
};

export type ChangeResult =
  | {
      outcome: "done";
      answer: Record<string, unknown>;
      ignored: string[];
      unchanged?: boolean;
      /** What was done, if other changes were made in its place. */
      sentence?: string;
    }
  | { outcome: "refused" | "unknown" | "not_sent"; failure: Failure };

/** Returns the result of a change that needs no request. */
export const unchangedResultOf = ({ knownAnswer = {} }: Change): ChangeResult => ({
  ...unchangedResult,
  answer: { ...knownAnswer },
});

export const notSent = (failure: Failure): ChangeResult => ({ outcome: "not_sent", failure });

/** Returns the worst outcome of several changes. */
export const worstOf = (results: readonly ChangeResult[]): ChangeResult["outcome"] =>
  (["unknown", "refused", "not_sent"] as const).find((each) => results.some(({ outcome }) => outcome === each)) ??
  "done";

/** What a command's code is given: the world, the flags, the server and the finder of names. */
import type { Flags } from "../argv/flags.ts";
import type { Records } from "../client/records.ts";
import type { ItemOf, Sender } from "../client/sending.ts";
import type { Server } from "../client/server.ts";
import type { Change } from "../engine/change.ts";
import type { Failure } from "../errors.ts";
import type { Changed, Result } from "../output/form.ts";
import type { ShownRequest } from "../output/report.ts";
import type { Waits } from "../output/waiting.ts";
import type { Place, Question } from "../question.ts";
import type { PresentValues } from "../resolve/present.ts";
import type { Resolves } from "../resolve/resolver.ts";
import type { Rosters } from "../resolve/rosters.ts";
import type { Call, Spelling } from "../wire/call.ts";
import { addressOf, encode, type Typed } from "../wire/encode.ts";
import type { AnswerOf, AnyOperation, ArgsOf } from "../wire/operation.ts";
import type { World } from "../world.ts";

/** What is about to be sent. */
export interface Approval {
  changes: number;
  /** Absent where nobody has to be asked. */
  question?: Question | undefined;
  place: Place;
}

/** What a command would change. */
export interface Plan {
  changes: Change[];
  /** The command can make many changes: its result is a list also when it makes one. */
  list?: true;
  /** Says more than the changes know of themselves, and may read for that: it is called only where it will be asked. */
  question?: () => Promise<Question>;
  /** Done once it is confirmed, before anything is sent. */
  prepare?: () => Promise<void>;
  /** Reads what is in force after a change was refused or got no answer, by parameter and in a sentence. */
  inForce?: (change: Change) => Promise<{ values: Record<string, unknown>; sentence: string }>;
  /** Goes on once the changes are made; such a command cannot stand in a batch. */
  next?: (made: Changed) => Promise<Conclusion | undefined>;
}

/** A plan, or its changes where there is no more to say. */
export type Planned = Change[] | Plan;

/**
 * What `--dry-run` prints for a request, with the names that `find` has looked up. Refuses what a server of the known
 * level would not know.
 */
export async function showRequest(
  server: Server,
  call: Call & Spelling & Pick<Change, "from">,
  find?: Pick<Resolves, "called">,
): Promise<ShownRequest> {
  const { operation, args, from } = call;
  const level = await server.encodingLevel(call);
  if (level !== undefined) await server.featureLevel.check(call, call);
  const { method, parameters, shown } = encode(call, level);
  // Loaded for dry runs alone: this file is part of every start.
  const words = find && (await import("../resolve/named.ts")).parametersInWords(operation, args, parameters, find);
  return {
    operation: operation.name,
    method,
    url: addressOf(server.site, shown.target),
    parameters,
    ...(from && { from }),
    ...(shown.body !== undefined && { body: shown.body }),
    ...(words && { inWords: await words }),
  };
}

export interface Context {
  world: World;
  /** As it was typed: `folder update`. */
  command: string;
  /** Tells what is waited for; whoever tells it in a way of its own pauses this. */
  waits: Waits;
  flags: Flags;
  find: Resolves;
  /** Who is in which list, for the rows of a batch together, each list read once; `rostersOf` makes it for one command. */
  rosters?: Rosters;
  /** What there is before it is changed, for the rows of a batch together; `presentOf` makes it for one command. */
  present?: PresentValues;
  /** The line of the batch's input that is being made out; undefined in one command. */
  line?: number;
  /** The server as the chosen account sees it; throws `NeedsLogin` where there are no credentials. Made once. */
  server(): Promise<Server>;
  /** A server without credentials: that of `--site`, else that of the account's site. */
  site(): Promise<Server>;
  /** A server as another account, or nobody, sees it. */
  at(sender: Sender): Server;
  /** Writes the names in what was read down for completion, which otherwise happens at the end and may fail unseen. */
  keepNames(): Promise<void>;
  /** One line on stderr, unless `--quiet`. */
  note(line: string): Promise<void>;
  /** One line on stderr, also with `--quiet`. */
  warn(line: string): Promise<void>;
  /** Resolves when a person agrees to the changes, or nobody has to: the last step before the first of them is sent. */
  approve(asked: Approval): Promise<void>;
  /**
   * Refuses what was typed where the server does not know it, before names are looked up. A dry run
   * asks for no level to that end.
   */
  checkSupported(operation: AnyOperation, typed: readonly Typed[]): Promise<void>;
  /**
   * Makes the command's own read; under `--dry-run` shows it instead. Look-ups of names use the server directly. `flags`
   * are those that were typed, by parameter.
   */
  ask<O extends AnyOperation>(
    operation: O,
    args: ArgsOf<O>,
    flags?: Spelling["flags"],
  ): Promise<AnswerOf<O> & Record<string, unknown>>;
  /** Under `--dry-run` shows these requests in place of all that the command would still do. */
  showInstead(calls: readonly (Call & Spelling)[], server?: Server): Promise<void>;
  /** The same for a read whose answer is one big list: its records, as they arrive where they are printed so. */
  list<O extends AnyOperation, M extends keyof AnswerOf<O> & string>(
    operation: O,
    args: ArgsOf<O>,
    member: M,
    flags?: Spelling["flags"],
  ): Promise<Records<ItemOf<AnswerOf<O>[M]>>>;
  /** The same for a read that must go out in parts. */
  askAll<O extends AnyOperation>(
    operation: O,
    args: readonly ArgsOf<O>[],
    flags?: Spelling["flags"],
  ): Promise<(AnswerOf<O> & Record<string, unknown>)[]>;
}

/** What a dry run shows: the requests that would be made. */
export interface Requests {
  kind: "requests";
  requests: readonly ShownRequest[] | AsyncIterable<ShownRequest>;
  /** What the run itself would end with, as far as that is known. */
  failure?: Failure | undefined;
}

/** Not everything was done: the failure to end with, after what there is of a result. */
export interface Ended {
  kind: "ended";
  failure: Failure;
  result?: Result | undefined;
}

/** A change of this machine alone: profiles and keys. A dry run does not make it. */
export interface LocalChange {
  kind: "local";
  /** What a server would be asked for it. */
  asks?: () => Promise<{ server: Server; call: Call }>;
  make(): Promise<Changed>;
}

/** A verb that may change something only reads with these words. */
export interface Reading {
  kind: "read";
  look(): Promise<Result>;
}

export type Conclusion = Result | Requests | Ended | LocalChange;

export const local = (make: LocalChange["make"], asks?: LocalChange["asks"]): LocalChange => ({
  kind: "local",
  make,
  ...(asks && { asks }),
});

export const requests = (shown: Requests["requests"]): Requests => ({ kind: "requests", requests: shown });

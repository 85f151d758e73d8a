/** What a command's code receives: the world, flags, the server, and the resolver of names. */
import type { Flags } from "../argv/global-flags.ts";
import type { Records } from "../client/records.ts";
import type { ItemOf, Sender } from "../client/sending-types.ts";
import type { Server } from "../client/server.ts";
import type { Question } from "../common/question.ts";
import type { Change } from "../engine/change.ts";
import type { ChangeAndResult } from "../engine/result-summary.ts";
import type { Failure } from "../errors.ts";
import type { RunRecord } from "../log/runs.ts";
import type { Changed, Result } from "../output/form.ts";
import type { LeftAlone, ShownRequest } from "../output/shown-requests.ts";
import type { WaitDisplay } from "../output/wait-display.ts";
import type { CurrentValues } from "../resolve/current-values.ts";
import type { IdNames } from "../resolve/look-ups.ts";
import type { MemberLists } from "../resolve/member-lists.ts";
import type { NameResolver } from "../resolve/resolver.ts";
import type { Call, Spelling } from "../wire/call.ts";
import { encode, type TypedFlag, urlOf } from "../wire/encode.ts";
import type { AnswerOf, AnyOperation, ArgsOf } from "../wire/operation.ts";
import type { World } from "../world/world.ts";
import type { NamedThing } from "./named-thing.ts";

/** The changes that are about to be sent. */
export interface Approval {
  changes: number;
  /** Absent if no confirmation is needed. */
  question?: Question | undefined;
  organization: Server;
}

/** The changes that a command wants to make. */
export interface Plan {
  changes: Change[];
  /** The command can make many changes, so its result is always a list. */
  list?: true;
  /** Adds details to the question. It may read for that, so it is called only if the question is asked. */
  question?: () => Promise<Question>;
  /** What questions say about what the changes do as a whole. */
  notes?: string;
  /** What effects add to the question of the command. */
  additions?: string;
  /** Runs after confirmation, before anything is sent. */
  prepare?: () => Promise<void>;
  /** Reads again after changes were sent. Returns the failure to end with. */
  verify?: (made: readonly ChangeAndResult[]) => Promise<Failure | undefined>;
  /** After a refusal or without an answer, reads the current state, by parameter and as a sentence. */
  readCurrent?: (change: Change) => Promise<{ values: Record<string, unknown>; sentence: string }>;
  /** What to do about a thing that exists already, if more than its values was asked. */
  existing?: {
    /** Returns the changes that make it as asked. By default one change of its values. */
    update?(thing: NamedThing, isArchived: boolean): Promise<Change[]>;
    /** Throws `Usage` if the server would refuse the new thing after the old one is removed. */
    checkReplacement?(): Promise<void>;
    /** Returns the changes that add members. */
    addMembers?(thing: NamedThing & { name?: string }): Promise<Change[]>;
    /** Warns about the creation, unless the thing is known to exist. */
    warn?(): Promise<void>;
  };
  /** After a refused creation, returns what to do about the thing that exists. Throws `Refused` if it differs. */
  whenRefused?: (() => Promise<Change[]>) | undefined;
  /** Continues after the changes. Such a command cannot be in a batch. */
  next?: (made: Changed) => Promise<Conclusion | undefined>;
}

/** A plan, or only its changes. */
export type Planned = Change[] | Plan;

/**
 * Formats a request for `--dry-run`, with the names that `names` has looked up. Throws if the server's known level does
 * not support it.
 */
export async function showRequest(
  server: Server,
  call: Call & Spelling & Pick<Change, "from" | "judged">,
  names?: IdNames,
): Promise<ShownRequest> {
  const { operation, args, from, judged } = call;
  const level = await server.encodingLevel(call);
  await server.featureLevel.check(call, call);
  const { method, parameters, masked } = encode(call, level);
  // Only dry runs need this module, and every start loads this file.
  const words =
    names && (await import("../resolve/parameter-texts.ts")).parameterTexts(operation, args, parameters, names);
  return {
    operation: operation.name,
    method,
    url: urlOf(server.site, masked.target),
    parameters,
    ...(from && { from }),
    ...(judged?.length && { effects: judged }),
    ...(masked.body !== undefined && { body: masked.body }),
    ...(words && { inWords: await words }),
  };
}

export interface Context {
  world: World;
  /** The command as typed: `folder update`. */
  command: string;
  /** Shows what zulipctl waits for. A command with a display of its own pauses it. */
  waits: WaitDisplay;
  flags: Flags;
  names: NameResolver;
  /** Members of lists, read once for all rows of a batch. `memberListsOf` makes it for a single command. */
  memberLists?: MemberLists;
  /** Current values, read once for all rows of a batch. `currentValuesOf` makes it for a single command. */
  currentValues?: CurrentValues;
  /** The profile, if the command runs for several organizations. */
  label?: string | undefined;
  /** The run, if the command is one. */
  run: {
    /** Returns its name. A dry run has a name that no run has. */
    name(): Promise<string>;
    /** Keeps what is known of it now. */
    know(more: Omit<RunRecord, "run">): Promise<void>;
  };
  /** The line of the batch's input. Undefined outside a batch. */
  line?: number;
  /** A cell of the batch's row. Throws `Usage` for an unknown column. Undefined for rows without columns. */
  cell?: ((column: string) => string | undefined) | undefined;
  /** The sign that divides a list in a cell of the batch, if it is not the comma. */
  listSeparator?: string | undefined;
  /** Connects with the chosen account, once. Throws `NeedsLogin` without credentials. */
  server(): Promise<Server>;
  /** Connects without credentials, to `--site` or the account's site. */
  site(): Promise<Server>;
  /** Connects as another account, or without one. */
  connectAs(sender: Sender): Server;
  /** Saves names for completion now. Otherwise this happens at the end, and errors are ignored. */
  saveNames(): Promise<void>;
  /** Prints a line on stderr, unless `--quiet`. */
  note(line: string): Promise<void>;
  /** Prints a line on stderr, also with `--quiet`. */
  warn(line: string): Promise<void>;
  /**
   * Holds a list until the command ends, so that no other run with this state directory sets it meanwhile. Throws `Usage` if
   * another run still holds it after `--max-wait`.
   */
  lockList(list: string): Promise<void>;
  /** Resolves after confirmation, if one is needed. It is the last step before sending. */
  approve(asked: Approval): Promise<void>;
  /**
   * Throws for flags that the server does not support, before names are looked up. A dry run does not ask for the
   * level.
   */
  checkSupported(operation: AnyOperation, typed: readonly TypedFlag[]): Promise<void>;
  /**
   * Makes the command's own read. With `--dry-run` it shows the read instead. Look-ups of names use the server
   * directly. `flags` are the typed flags by parameter.
   */
  ask<O extends AnyOperation>(
    operation: O,
    args: ArgsOf<O>,
    flags?: Spelling["flags"],
  ): Promise<AnswerOf<O> & Record<string, unknown>>;
  /** With `--dry-run`, shows these requests and ends the command. */
  showInstead(calls: readonly (Call & Spelling)[], server?: Server): Promise<void>;
  /** Reads one large list. Its records are streamed if they are printed as a stream. */
  list<O extends AnyOperation, M extends keyof AnswerOf<O> & string>(
    operation: O,
    args: ArgsOf<O>,
    member: M,
    flags?: Spelling["flags"],
  ): Promise<Records<ItemOf<AnswerOf<O>[M]>>>;
  /** Reads one large list in several requests. */
  askAll<O extends AnyOperation>(
    operation: O,
    args: readonly ArgsOf<O>[],
    flags?: Spelling["flags"],
  ): Promise<(AnswerOf<O> & Record<string, unknown>)[]>;
}

/** The requests that a dry run shows. */
export interface Requests {
  kind: "requests";
  requests: readonly (ShownRequest | LeftAlone)[] | AsyncIterable<ShownRequest | LeftAlone>;
  /** The failure that the run would end with, as far as it is known. */
  failure?: Failure | undefined;
}

/** A result, and the failure to end with after printing it. */
export interface Ended {
  kind: "ended";
  failure: Failure;
  result?: Result | undefined;
}

/** A change on this machine only: profiles and keys. A dry run does not make it. */
export interface LocalChange {
  kind: "local";
  /** The requests to the server that it needs. */
  asks?: () => Promise<{ server: Server; call: Call }>;
  make(): Promise<Changed>;
}

/** These arguments make a changing verb a reading one. */
export interface ReadInstead {
  kind: "read";
  look(): Promise<Result>;
}

export type Conclusion = Result | Requests | Ended | LocalChange;

export const localChange = (make: LocalChange["make"], asks?: LocalChange["asks"]): LocalChange => ({
  kind: "local",
  make,
  ...(asks && { asks }),
});

export const requests = (shown: Requests["requests"]): Requests => ({ kind: "requests", requests: shown });

/**
 * What is so of every command, as data. `test/cases/<noun>.ts` states it for the verbs of one noun, and the tests of the
 * whole collect it: `test/commands/cases.test.ts` (the words, what goes over the wire, what is printed, what is refused,
 * what was changed), `test/safety` (secrets, hostile answers, hostile names, faults on the way).
 *
 * A new verb has a case in its noun's file; a new noun is a new file, which nothing else has to name. A change takes some
 * ten lines:
 *
 *     update: change(updateFolder, {
 *       lines: [
 *         {
 *           typed: "Projects --new-name Work",
 *           sends: ["GET /channel_folders?include_archived=true", "PATCH /channel_folders/1 name=Work"],
 *           prints: "Folder Projects updated.\n",
 *           made: ({ folders }) => folders.get(1)!.name === "Work",
 *           ignoring: { params: ["name"], code: 1 },
 *         },
 *       ],
 *       wire: [["1 --description ''", "PATCH /channel_folders/1 description="]],
 *       refused: [{ typed: "1 --new-name x", as: 400, says: "Must be an organization administrator" }],
 *     }),
 *
 * `read` is for verbs that only read, `local` for those that concern this machine or have a shape of their own. What is
 * missing does not compile; a verb without a case and a change without `made` fail. `interface.txt` has the arguments and
 * flags of all commands.
 */
import type { Noun } from "../../src/cli/noun.ts";
import type { Verb } from "../../src/cli/verb.ts";
import type { State } from "../../src/sandbox/index.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";

/** What stands after the command's name: cut into words as a shell does it, or the words themselves where quotes would hide them. */
export type Typed = string | readonly string[];

/** What a line finds when it is typed. Where nothing is said: the owner of a fresh sandbox, with credentials in the environment. */
export interface Setting {
  /** What stdin gives. */
  readonly input?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Credentials play no part, or are made by the command: none are in the environment. */
  readonly anonymous?: true;
  /** A profile, `work`, is there already, its key in the keychain. */
  readonly profiles?: true;
  /** Whose credentials the environment holds: an e-mail address, or the first person with this role. */
  readonly as?: number | string;
  /** The server's feature level. */
  readonly level?: number;
  /** Makes what the line needs and a fresh sandbox has not. */
  readonly given?: (state: State) => void;
}

/**
 * A request in literal text, percent-encoded as browsers do it, with the path below `/api/v1`: `GET /users?user_ids=%5B8%5D`,
 * `PATCH /streams/2 is_private=true`. Client and sandbox share definitions, so only these words see it where both err.
 */
export type Sends = string | readonly string[];

/** A command line that ends with exit code 0. Everything that is tried with every command is tried with it. */
export interface Line extends Setting {
  readonly typed: Typed;
  /** All requests, in their order; the question for the server's feature level is left out. */
  readonly sends: Sends;
  /** What stands on stdout, into a pipe. */
  readonly prints?: string;
  /** What stands on stderr: nothing where absent. */
  readonly notes?: string;
  /** What `-o ids` prints. */
  readonly ids?: string;
  /** What `--json` prints. */
  readonly json?: string;
  /** What `--dry-run` prints. */
  readonly shows?: string;
}

/** A line that changes something on the server. */
export interface Making<O extends AnyOperation = AnyOperation> extends Line {
  /** How many changes it makes, each a request of its own; 1 where absent. */
  readonly of?: number;
  /** Whether the state shows the change as made, compared with the state before: how many of several, or what part of one. */
  made(state: State, before: State): boolean | number;
  /** Parameters that a server might ignore, how the command then ends, and how much is made: nothing where absent. */
  readonly ignoring?: {
    readonly params: readonly (keyof O["params"] & string)[];
    readonly code: 1 | 5;
    readonly made?: number;
  };
  /** What the request carries, in the server's order, where a refusal may leave a part of it in force. */
  readonly parts?: readonly (keyof O["params"] & string)[];
}

/** A command line that does not get what it asks for. Nothing of it is done, unless `partly`. */
export interface Refusal extends Setting {
  readonly typed: Typed;
  /** stderr, without the program's name before it and the end of the line. */
  readonly says: string;
  /** The exit code, 1 where absent. With 2, no change was sent. */
  readonly code?: number;
  /** A part of it is in force all the same. */
  readonly partly?: true;
  /** The server says nothing but that, though it is what it says to who is no administrator. */
  readonly unexplained?: true;
  /** What stands on stdout all the same. */
  readonly prints?: string;
}

/** Refusals that have a setting in common: what is typed, and what stderr says. */
export const refusals = (setting: Omit<Refusal, "typed" | "says">, all: Readonly<Record<string, string>>): Refusal[] =>
  Object.entries(all).map(([typed, says]) => ({ ...setting, typed, says }));

/** Invalid lines: what is typed, and what stderr says. */
export const usage = (all: Readonly<Record<string, string>>): Refusal[] => refusals({ code: 2 }, all);

/** Lines that need a feature level: what is typed, and what of it needs the level. */
export const since = (level: number, all: Readonly<Record<string, string>>): Refusal[] =>
  Object.entries(all).map(([typed, what]) => ({
    typed,
    level: level - 1,
    says: `${what} requires feature level ${level}; chat.example has level ${level - 1}`,
  }));

/** Requests of lines that begin alike: what is typed besides, and what is sent besides. */
export const besides = (typed: string, sends: string, all: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(all).map(([more, also]) => [`${typed} ${more}`, `${sends}${also}`]);

interface Stated {
  /** What more command lines put on the wire, each with `--yes`, whether or not the sandbox grants it. */
  readonly wire?: readonly (readonly [typed: Typed, sends: Sends])[];
  readonly refused?: readonly Refusal[];
}

type Some<T> = readonly [T, ...T[]];

export interface Read extends Stated {
  readonly kind: "read";
  readonly lines: Some<Line>;
}

export interface Change<O extends AnyOperation = AnyOperation> extends Stated {
  readonly kind: "change";
  readonly operation: AnyOperation;
  /** What dry runs and results call it, where that is another name than the operation's. */
  readonly called?: string;
  /** It can make several changes: its result is a list also where it makes one. */
  readonly several?: true;
  /** A verb that also reads, without flags for instance, has lines without `made` after the first. */
  readonly lines: readonly [Making<O>, ...(Making<O> | Line)[]];
}

export interface Local extends Stated {
  readonly kind: "local";
  /** None where tests of its own run it, as it starts programs or servers. */
  readonly lines: Some<Line> | "elsewhere";
}

export type Case = Read | Change | Local;

/** A verb that only reads. */
export const read = (stated: Omit<Read, "kind">): Read => ({ kind: "read", ...stated });

/** A verb that changes something on the server, by the operation that does it. */
export const change = <O extends AnyOperation>(operation: O, stated: Omit<Change<O>, "kind" | "operation">): Change =>
  ({ kind: "change", operation, ...stated }) as unknown as Change;

/** A verb that concerns this machine, or has a shape of its own. */
export const local = (stated: Omit<Local, "kind">): Local => ({ kind: "local", ...stated });

/** The cases of a noun's verbs, and of what it does without one; of a verb that stands in the place of a noun, its own. */
export type CasesOf<N extends Noun | Verb> = N extends Noun
  ? { readonly [V in keyof N["verbs"]]: Case } & (N extends { readonly itself: Verb }
      ? { readonly itself: Case }
      : object)
  : Case;

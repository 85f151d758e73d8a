/**
 * Cases: command lines with their requests, output and effects. `test/cases/<noun>.ts` has the cases of one noun. All
 * files there are found. Two groups of tests use them: `test/commands/cases.test.ts`, and `test/safety` (secrets,
 * hostile answers and names, faults). The case of a change looks like this:
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
 * `read` is for verbs that only read, `local` for others. A verb without a case fails. `interface.txt` has the
 * arguments and flags of all commands.
 */
import type { Noun } from "../../src/cli/noun.ts";
import type { Verb } from "../../src/cli/verb.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";

/** The words after the command's name, as one line for a shell or as a list. */
export type Typed = string | readonly string[];

/** The state before a line. By default a fresh sandbox, with its owner's credentials in the environment. */
export interface Setting {
  /** The content of stdin. */
  readonly input?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Without credentials in the environment. */
  readonly anonymous?: true;
  /** With a profile `work`, and its key in the keychain. */
  readonly profiles?: true;
  /** The account in the environment: an address, or the first person with this role. */
  readonly as?: number | string;
  /** The server's feature level. */
  readonly level?: number;
  /** Changes the sandbox first. */
  readonly given?: (state: SandboxState) => void;
}

/**
 * Requests in literal text: `GET /users?user_ids=%5B8%5D`, `PATCH /streams/2 is_private=true`. Client and sandbox share
 * their operations, so only this text finds a mistake there.
 */
export type Sends = string | readonly string[];

/** A command line that ends with exit code 0. */
export interface Line extends Setting {
  readonly typed: Typed;
  /** All requests in order, without reads of the feature level. */
  readonly sends: Sends;
  /** stdout, if it is a pipe. */
  readonly prints?: string | RegExp;
  /** stderr. By default empty. */
  readonly notes?: string;
  /** The output with `-o ids`. */
  readonly ids?: string;
  /** The output with `--json`. */
  readonly json?: string;
  /** The output with `--dry-run`. */
  readonly shows?: string;
}

/** A line that changes something on the server. */
export interface Making<O extends AnyOperation = AnyOperation> extends Line {
  /** The number of changes, each with its own request. By default 1. */
  readonly of?: number;
  /** Returns whether the state has the change, or the number of changes that it has. */
  made(state: SandboxState, before: SandboxState): boolean | number;
  /** Parameters that a server might ignore, the exit code then, and the number of changes. By default 0. */
  readonly ignoring?: {
    readonly params: readonly (keyof O["params"] & string)[];
    readonly code: 1 | 5;
    readonly made?: number;
  };
  /** The parameters in the server's order, if a refused request may be applied in part. */
  readonly parts?: readonly (keyof O["params"] & string)[];
}

/** A command line that fails. It changes nothing, unless `partly`. */
export interface Refusal extends Setting {
  readonly typed: Typed;
  /** stderr, without the program's name and the last newline. */
  readonly says: string;
  /** The exit code. By default 1. With 2, no change was sent. */
  readonly code?: number;
  /** A part of the change is applied. */
  readonly partly?: true;
  /** The message about administrators comes without its hint. */
  readonly unexplained?: true;
  /** stdout. By default empty. */
  readonly prints?: string;
}

/** Makes refusals with the same setting: words and stderr. */
export const refusals = (setting: Omit<Refusal, "typed" | "says">, all: Readonly<Record<string, string>>): Refusal[] =>
  Object.entries(all).map(([typed, says]) => ({ ...setting, typed, says }));

/** Makes refusals of invalid lines: words and stderr. */
export const usage = (all: Readonly<Record<string, string>>): Refusal[] => refusals({ code: 2 }, all);

/** Makes refusals of older servers: words, and the part that needs the level. */
export const since = (level: number, all: Readonly<Record<string, string>>): Refusal[] =>
  Object.entries(all).map(([typed, what]) => ({
    typed,
    level: level - 1,
    says: `${what} requires feature level ${level}; chat.example has level ${level - 1}`,
  }));

/** Makes wire cases with the same beginning: more words, and the rest of the request. */
export const besides = (typed: string, sends: string, all: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(all).map(([more, also]) => [`${typed} ${more}`, `${sends}${also}`]);

interface CommonCase {
  /** The requests of more command lines, each with `--yes`. The sandbox may refuse them. */
  readonly wire?: readonly (readonly [typed: Typed, sends: Sends])[];
  readonly refused?: readonly Refusal[];
}

type Some<T> = readonly [T, ...T[]];

export interface Read extends CommonCase {
  readonly kind: "read";
  readonly lines: Some<Line>;
}

export interface Change<O extends AnyOperation = AnyOperation> extends CommonCase {
  readonly kind: "change";
  readonly operation: AnyOperation;
  /** The name in dry runs and results, if it differs from the operation's. */
  readonly called?: string;
  /** Its result is always a list. */
  readonly several?: true;
  /** The first line makes a change. Others may only read. */
  readonly lines: readonly [Making<O>, ...(Making<O> | Line)[]];
}

export interface Local extends CommonCase {
  readonly kind: "local";
  /** `elsewhere`: other tests run it. */
  readonly lines: Some<Line> | "elsewhere";
}

export type Case = Read | Change | Local;

/** Makes the case of a verb that only reads. */
export const read = (stated: Omit<Read, "kind">): Read => ({ kind: "read", ...stated });

/** Makes the case of a verb that changes something on the server with this operation. */
export const change = <O extends AnyOperation>(operation: O, stated: Omit<Change<O>, "kind" | "operation">): Change =>
  ({ kind: "change", operation, ...stated }) as unknown as Change;

/** Makes the case of any other verb. */
export const local = (stated: Omit<Local, "kind">): Local => ({ kind: "local", ...stated });

/** The cases of a noun by verb, or the case of a verb without a noun. */
export type CasesOf<N extends Noun | Verb> = N extends Noun
  ? { readonly [V in keyof N["verbs"]]: Case } & (N extends { readonly itself: Verb }
      ? { readonly itself: Case }
      : object)
  : Case;

/** The body of an upload. The boundary comes from the random numbers of the test. */
export const upload = (name: string, file: string, type: string, content: string) =>
  `--zulipctl-iiiiiiiiiiiiiiiiiiiiiiii\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--zulipctl-iiiiiiiiiiiiiiiiiiiiiiii--\r\n`;

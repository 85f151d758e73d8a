/** Types for sending: accounts, settings of a connection, and results. */

import type { MemberKind } from "../model/kinds/kind.ts";
import type { WaitDisplay } from "../output/wait-display.ts";
import type { Call, Field, Spelling } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { Tls } from "../world/peers.ts";
import type { Secret } from "../world/world.ts";
import type { RetryBudget } from "./retry.ts";

/** Site, e-mail and key from one source. */
export interface AccountWithKey {
  /** Normalized: scheme and host, without a trailing slash or `/api`. */
  site: string;
  email: string;
  /** For people: `profile work`, `the environment (ZULIP_SITE …)`, `/home/ada/.zuliprc`. */
  source: string;
  tls: Tls;
  /** Reads the key on first use. Throws `NeedsLogin` if this fails. */
  key(): Promise<Secret>;
}

/** Which account it is. */
export type AccountId = Pick<AccountWithKey, "site" | "email">;

/** An organization, for calls without credentials. */
export type Site = Pick<AccountWithKey, "site" | "tls">;

/** An account, or a site for operations without credentials. */
export type Sender = Site & { email?: string; key?: AccountWithKey["key"]; profile?: string; readOnly?: boolean };

export interface Sending extends Spelling {
  /** The command that shows whether the change happened. */
  verifyWith?: string;
  attempts?: Attempts;
  /** The timeout in milliseconds, if it differs from the account's. */
  timeout?: number;
}

export interface Delivery {
  answer: Record<string, unknown>;
  /** Parameters that the server ignored. */
  ignored: string[];
}

/** The kind of things in a list. */
export type ItemOf<L> = L extends readonly (infer I)[] ? I : never;

/** Settings for a server. */
export interface ServerOptions {
  /** The timeout of one exchange, in milliseconds. */
  timeout: number;
  /** For 429 answers. One for the whole run. */
  retryBudget: RetryBudget;
  /** The level to use instead of asking. */
  level?: number;
  allowIgnored: boolean;
  /** Refuses changes, and what says so: `--read-only`, `profile work`. */
  readOnlyBy?: string | undefined;
  /** Writes a line about each request and answer, with masked secrets. It may contain anything from the server. */
  trace?(line: string): void;
  /** Writes a warning. */
  warn?(line: string): Promise<void>;
  /** Receives a change that is sent next, with no outcome yet. */
  onSending?(change: SentChange): Promise<void>;
  /** Receives the result of each change that was sent. */
  onSent?(change: SentChange): void;
  /** Returns whether the log keeps what changes replace. */
  keepsPrevious?(): Promise<boolean>;
  /** Receives each complete answer to a read. */
  onRead?(call: Call, answer: Record<string, unknown>): void;
  /** How long to wait for an interrupted change, in milliseconds. */
  grace: number;
  /** Shows what zulipctl waits for. */
  waits?: WaitDisplay;
  /** Many requests follow, so other processes of the account are considered from the start. */
  isLongRun?: boolean;
}

/** Called around each attempt. */
export interface Attempts {
  /** Awaited before it is sent. */
  beforeSend(): Promise<void>;
  /** Called before the first byte is sent. If it throws, nothing is sent. */
  onFirstByte?(): void;
  /** Awaited if it certainly did nothing and may be repeated. */
  notApplied(): Promise<void>;
}

/** Somebody, or a group, that a change adds to a list or removes. */
export interface SentMember {
  kind: MemberKind;
  id: number;
}

/** Finds the ids of what a change made in a list that is read later. */
export interface NewIds {
  readonly list: AnyOperation;
  readonly in: (answer: Record<string, unknown>) => readonly unknown[];
}

/** A change that was sent, for the log. */
export interface SentChange {
  operation: string;
  /** The operation that a raw request is. */
  stated?: string | undefined;
  /** The name that the user typed. */
  target: string;
  /** The target with its id, if known: `channel 7`. */
  thing?: string | undefined;
  outcome: "done" | "refused" | "unknown" | "maybe_partial";
  error?: { message: string; code?: string | undefined } | undefined;
  /** The ids of new things. */
  ids?: unknown[] | undefined;
  /** Where the answer does not tell them: the list that does, and the ids in it. */
  newIds?: NewIds | undefined;
  /** The values before the change, by parameter, if they were read. */
  before?: Readonly<Record<string, unknown>> | undefined;
  /** The values that were sent, without secrets and lists of members. */
  set?: readonly (Field & { value: unknown })[] | undefined;
  /** The arguments that identify the thing, the values before, and those after, by parameter. */
  at?: Readonly<Record<string, unknown>> | undefined;
  from?: Readonly<Record<string, unknown>> | undefined;
  to?: Readonly<Record<string, unknown>> | undefined;
  /** The parameters that the server ignored. The values do not have them. */
  ignored?: readonly string[] | undefined;
  /** It needs confirmation. */
  asks?: boolean | undefined;
  /** The members that were added and removed. */
  added?: readonly SentMember[] | undefined;
  removed?: readonly SentMember[] | undefined;
  /** The run of the batch. */
  run?: string | undefined;
  row?: number | string | undefined;
  /** Texts that must not be written. */
  secrets?: readonly string[] | undefined;
}

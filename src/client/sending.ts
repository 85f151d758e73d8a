/** Who sends, how a server is dealt with, and what comes of it. */
import type { Waits } from "../output/waiting.ts";
import type { Tls } from "../peers.ts";
import type { Call, Spelling } from "../wire/call.ts";
import type { Idea } from "../wire/params.ts";
import type { Secret } from "../world.ts";
import type { RetryBudget } from "./retry.ts";

/** Site, e-mail and key of one source, never mixed with another's. */
export interface Account {
  /** Normalized: scheme and host, no trailing slash, no `/api`. */
  site: string;
  email: string;
  /** For people: `profile work`, `the environment (ZULIP_SITE …)`, `/home/ada/.zuliprc`. */
  source: string;
  tls: Tls;
  /** Looked up on first use and remembered; throws `NeedsLogin` where it cannot be had. */
  key(): Promise<Secret>;
}

/** An organization alone, for calls that need no credentials. */
export type Site = Pick<Account, "site" | "tls">;

/** An account, or a site alone for operations that need no credentials. */
export type Sender = Site & { email?: string; key?: Account["key"]; profile?: string };

export interface Sending extends Spelling {
  /** The command that shows whether the change happened. */
  verifyWith?: string;
  attempts?: Attempts;
  /** Milliseconds for one exchange, where it is not those of the account. */
  timeout?: number;
}

export interface Delivered {
  answer: Record<string, unknown>;
  /** Parameters that the server says it ignored. */
  ignored: string[];
}

/** What a list holds. */
export type ItemOf<L> = L extends readonly (infer I)[] ? I : never;

/** How a server is dealt with. */
export interface ServerOptions {
  /** Milliseconds for one exchange. */
  timeout: number;
  /** For 429 answers; one for the whole run. */
  retryBudget: RetryBudget;
  /** Taken instead of asking. */
  level?: number;
  allowIgnored: boolean;
  /** One line about each request and answer, secrets masked. It may hold anything that a server says. */
  trace?(line: string): void;
  /** One line that a person should see although all goes on. */
  warn?(line: string): Promise<void>;
  /** Gets what became of each change that was sent. */
  onSent?(change: SentChange): void;
  /** Gets the answer to each read that came whole. */
  onRead?(asked: Call, answer: Record<string, unknown>): void;
  /** How long an interrupted change is awaited, in milliseconds. */
  grace: number;
  /** Shows what is waited for. */
  waits?: Waits;
  /** Many requests will follow: those of other processes of the account are considered from the first on. */
  many?: boolean;
}

/** Called around each attempt. */
export interface Attempts {
  /** Awaited before it leaves. */
  leaving(): Promise<void>;
  /** Just before its first byte leaves; what it throws keeps it here. */
  leaves?(): void;
  /** Awaited where it certainly did nothing and another may follow. */
  returned(): Promise<void>;
}

interface Member {
  kind: "user" | "group";
  id: number;
}

/** A change that was sent, as the log has it. */
export interface SentChange {
  operation: string;
  /** What the person called it. */
  target: string;
  /** What it is by its id, where that is known: `channel 7`. */
  thing?: string | undefined;
  outcome: "done" | "refused" | "unknown";
  error?: { message: string; code?: string | undefined } | undefined;
  /** Of what was created. */
  ids?: unknown[] | undefined;
  /** What was there before, by parameter, where it was read. */
  before?: Readonly<Record<string, unknown>> | undefined;
  /** What was sent, but for secrets and lists of members. */
  set?: readonly { name: string; of?: Idea | undefined; value: unknown }[] | undefined;
  /** The members that were added to the thing and removed from it. */
  added?: readonly Member[] | undefined;
  removed?: readonly Member[] | undefined;
  /** The batch's run. */
  run?: string | undefined;
  row?: number | string | undefined;
  /** Texts that must not be written down. */
  secrets?: readonly string[] | undefined;
}

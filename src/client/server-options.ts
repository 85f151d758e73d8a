import type { Waits } from "../output/waiting.ts";
import type { Call } from "../wire/call.ts";
import type { RetryBudget } from "./retry.ts";
import type { SentChange } from "./sent-change.ts";

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

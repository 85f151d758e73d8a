/** Who sends, what goes with a call, and what comes of it. */
import type { Spelling } from "../wire/call.ts";
import type { Account, Site } from "./account.ts";
import type { Attempts } from "./server-options.ts";

/** An account, or a site alone for operations that need no credentials. */
export type Sender = Site & { email?: string; key?: Account["key"]; profile?: string };

export interface Sending extends Spelling {
  /** The command that shows whether the change happened. */
  verifyWith?: string;
  attempts?: Attempts;
}

export interface Delivered {
  answer: Record<string, unknown>;
  /** Parameters that the server says it ignored. */
  ignored: string[];
}

/** What a list holds. */
export type ItemOf<L> = L extends readonly (infer I)[] ? I : never;
